// How long the files of src/ and workers/ are: a mirror, not a rule. Past ~300 lines, which second thing moved in?
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

/** `{file, lines}` of every TypeScript file of the service, longest first. */
export function fileSizes(root) {
	return ['src', 'workers']
		.flatMap(folder =>
			readdirSync(join(root, folder), {recursive: true, withFileTypes: true})
				.filter(
					entry => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.generated.ts'),
				)
				.map(entry => join(entry.parentPath, entry.name)),
		)
		.map(path => ({
			file: path.slice(root.length).replace(/^\//, ''),
			lines: readFileSync(path, 'utf8').split('\n').length - 1,
		}))
		.sort((a, b) => b.lines - a.lines || a.file.localeCompare(b.file));
}

export function describeSizes(sizes) {
	const median = sizes.length === 0 ? 0 : sizes[Math.floor(sizes.length / 2)].lines;
	const longest = sizes.slice(0, 5).map(({file, lines}) => `  ${String(lines).padStart(4)}  ${file}`);
	return [`${sizes.length} files, median ${median} lines; the five longest:`, ...longest].join('\n');
}
