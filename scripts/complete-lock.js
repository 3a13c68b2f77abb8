// node scripts/complete-lock.js: writes packages for other machines into the lock file where npm has left them out.
// Where npm leaves out the packages of other platforms, `npm ci` refuses the lock file on those.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {ROOT} from './install.js';

const OS = [
	'aix',
	'android',
	'darwin',
	'freebsd',
	'linux',
	'netbsd',
	'openbsd',
	'openharmony',
	'sunos',
	'win32',
];
const CPU = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const LIBC = {gnu: 'glibc', musl: 'musl'};

/** Optional packages of exact versions that a locked package names and the lock file lacks: `{path, entry}`. */
export function missingOptionals(packages) {
	return Object.values(packages).flatMap(({optionalDependencies = {}, dev}) =>
		Object.entries(optionalDependencies)
			.filter(([name, version]) => /^\d+\.\d+\.\d+/.test(version) && !packages[`node_modules/${name}`])
			.map(([name, version]) => ({path: `node_modules/${name}`, entry: entryOf(name, version, dev)})),
	);
}

/** Such packages are named after their machines: `cli-linux-arm64-musl`. */
function entryOf(name, version, dev) {
	const words = name.split(/[-/]/);
	const only = (key, values) => (values.length > 0 ? {[key]: values} : {});
	return {
		version,
		...only(
			'cpu',
			words.filter(word => CPU.includes(word)),
		),
		...(dev ? {dev} : {}),
		...only(
			'libc',
			words.flatMap(word => LIBC[word] ?? []),
		),
		optional: true,
		...only(
			'os',
			words.filter(word => OS.includes(word)),
		),
	};
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
	const file = join(ROOT, 'package-lock.json');
	const lock = JSON.parse(readFileSync(file, 'utf8'));
	const missing = missingOptionals(lock.packages);
	for (const {path, entry} of missing) lock.packages[path] = entry;
	const root = lock.packages[''];
	delete lock.packages[''];
	const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
	lock.packages = {'': root, ...Object.fromEntries(sorted)};
	writeFileSync(file, `${JSON.stringify(lock, null, '\t')}\n`);
	process.stdout.write(`${missing.length} packages added\n`);
}
