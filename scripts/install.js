// Installs what is missing before anything of the project can be loaded: plain Node, no dependency.
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const OLDEST_NODE = [20, 19];

/** Runs `npm ci` where node_modules is not what package-lock.json says; tells so and times it. Ends the process on failure. */
export function ensureInstalled({withDev = false} = {}) {
	checkNode();
	const isProduction = process.env.NODE_ENV === 'production';
	if (isInstalled(ROOT, {withDev, isProduction})) return;
	say('Installing dependencies (npm ci) ...');
	const start = performance.now();
	const {status} = spawnSync(
		'npm',
		['ci', '--no-audit', '--no-fund', ...(withDev ? ['--include=dev'] : [])],
		{
			cwd: ROOT,
			// Standard output is left to the answer: `npm run bench -- NAME --json` is read by programs.
			stdio: ['ignore', 2, 2],
		},
	);
	if (status !== 0) {
		say('npm ci failed: see above.');
		process.exit(1);
	}
	say(`Installed in ${((performance.now() - start) / 1000).toFixed(1)} s.`);
}

/**
 * Compares contents, not times: a fresh clone's files are all of one moment, and a changed lock file may be an old one.
 * npm keeps what it installed in node_modules/.package-lock.json; optional packages for other machines are not there.
 * Nor are those for development after `npm ci --omit=dev`, which is how npm installs for production.
 */
export function isInstalled(root, {withDev = false, isProduction = false} = {}) {
	const installedFile = join(root, 'node_modules', '.package-lock.json');
	if (!existsSync(installedFile)) return false;
	const installed = packagesOf(installedFile);
	const wantedPackages = packagesOf(join(root, 'package-lock.json'));
	const hasDev = Object.keys(installed).some(path => wantedPackages[path]?.dev);
	const mayLackDev = !withDev && (isProduction || !hasDev);
	return Object.entries(wantedPackages).every(([path, wanted]) => {
		const found = installed[path];
		if (found) return path === '' || found.version === wanted.version;
		return path === '' || Boolean(wanted.optional || (wanted.dev && mayLackDev));
	});
}

function packagesOf(file) {
	return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function checkNode() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
	say(`Millrace needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.`);
	process.exit(1);
}

function say(line) {
	process.stderr.write(`${line}\n`);
}
