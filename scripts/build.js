// Writes JavaScript of every TypeScript source to dist/, at the source's own path: what runs is compiled, without a loader.
// Types are blanked out and nothing moves, so that lines and columns in stack traces are the source's.
import {createHash} from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {ensureInstalled, ROOT} from './install.js';

const FOLDERS = ['src', 'workers', 'scripts', 'benchmarks', 'test', 'docs/examples/client'];
/** Below the root, so that the package's name and its dependencies are found from there as from the sources. */
const OUT = 'dist';

/**
 * Installs what is missing and compiles what has changed. False when a source could not be compiled: that was said, and
 * whoever loads it does not find it.
 */
export async function ensureBuilt(root = ROOT) {
	const madeBy = compilerDigest(root);
	const madeByFile = join(root, OUT, 'made-by');
	const isSame = existsSync(madeByFile) && readFileSync(madeByFile, 'utf8') === madeBy;
	const sources = timesOf(root, FOLDERS, '.ts');
	const outputs = timesOf(join(root, OUT), FOLDERS, '.js');
	const changed = [...sources].filter(([path, ms]) => !isSame || outputs.get(outputOf(path)) !== ms);
	if (root === ROOT) ensureInstalled({withDev: changed.length > 0});

	const wanted = new Set([...sources.keys()].map(outputOf));
	for (const path of outputs.keys()) if (!wanted.has(path)) rmSync(join(root, OUT, path), {force: true});
	if (changed.length === 0) return true;
	const compile = await loadCompiler();
	const failed = changed.filter(([path, ms]) => !write(root, path, ms, compile));
	if (!isSame) replace(root, madeByFile, madeBy);
	return failed.length === 0;
}

/** `src/main.ts` -> `src/main.js` */
function outputOf(path) {
	return path.replace(/\.ts$/, '.js');
}

/** When files below the folders were changed, in ms, by their paths. */
function timesOf(root, folders, suffix) {
	const times = new Map();
	for (const folder of folders) {
		if (!existsSync(join(root, folder))) continue;
		for (const entry of readdirSync(join(root, folder), {recursive: true, withFileTypes: true})) {
			if (!entry.isFile() || !entry.name.endsWith(suffix)) continue;
			const path = join(entry.parentPath, entry.name);
			const stat = statSync(path, {throwIfNoEntry: false});
			if (stat) times.set(path.slice(join(root, '/').length), Math.round(stat.mtimeMs));
		}
	}
	return times;
}

/** What this file and the compiler make of a source they would make again. */
function compilerDigest(root) {
	const hash = createHash('sha256');
	for (const path of [import.meta.filename, join(root, 'package-lock.json')]) hash.update(readFileSync(path));
	return hash.digest('hex');
}

/** A function of a source's text and path. Loaded only where something has to be compiled: it takes 0.1 s. */
async function loadCompiler() {
	const [{default: swc}, {init, parse}] = await Promise.all([
		import('@swc/wasm-typescript'),
		import('es-module-lexer'),
	]);
	await init();
	return (text, path) => {
		let {code} = swc.transformSync(text, {mode: 'strip-only', filename: path});
		for (const {specifier, end} of parse(code)[0]) {
			if (!/^\.{1,2}\/.*\.ts$/.test(specifier)) continue;
			const at = code.lastIndexOf('.ts', end);
			code = `${code.slice(0, at)}.js${code.slice(at + 3)}`;
		}
		return code;
	};
}

/**
 * An output bears its source's time and comes into its place whole: it tells by itself what it was made of, and of two
 * processes that compile at once the later wins, with a file that is as good.
 */
function write(root, path, ms, compile) {
	const output = join(root, OUT, outputOf(path));
	try {
		replace(root, output, compile(readFileSync(join(root, path), 'utf8'), path), ms);
		return true;
	} catch (error) {
		rmSync(output, {force: true});
		process.stderr.write(`${path} is not compiled: ${error.message ?? error}\n`);
		return false;
	}
}

function replace(root, file, text, ms = Date.now()) {
	const draft = join(root, OUT, `${process.pid}.draft`);
	mkdirSync(dirname(file), {recursive: true});
	writeFileSync(draft, text);
	utimesSync(draft, ms / 1000, ms / 1000);
	renameSync(draft, file);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
	process.exitCode = (await ensureBuilt()) ? 0 : 1;
}
