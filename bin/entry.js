// Entries of the project, named by their TypeScript sources: where they are compiled to, and how they are run.
import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {constants} from 'node:os';
import {fileURLToPath} from 'node:url';

/**
 * Requests wait for the disk: with a larger young generation they are gone before it is collected. V8 begins to mark once
 * less room is left than the young generation has, so the old one needs room to grow (docs/adr/0017); the Dockerfile has these too.
 */
const V8_FLAGS = ['--max-semi-space-size=64', '--heap-growing-percent=150'];

const BUILD = new URL('../scripts/build.js', import.meta.url);

/** The JavaScript of `src/x.ts`, as a URL. A checkout compiles what has changed first; a package has nothing to compile. */
export async function compiledEntry(entry) {
	if (existsSync(BUILD)) {
		const {ensureBuilt} = await import(BUILD.href);
		await ensureBuilt();
	}
	return new URL(`../dist/${entry.replace(/\.ts$/, '.js')}`, import.meta.url);
}

/** Runs an entry in a Node of its own, with the flags it wants, and passes signals on. This process ends with its code. */
export async function runEntry(entry, args) {
	const file = fileURLToPath(await compiledEntry(entry));
	const child = spawn(process.execPath, [...V8_FLAGS, file, ...args], {stdio: 'inherit'});

	// This process stays until the child is gone: whoever waits for it waits for a service that has closed its stores.
	for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
		process.on(signal, () => {
			// A terminal sends Ctrl-C to both; passing it on would be a second one, which means "at once" to many programs.
			if (signal === 'SIGINT' && process.stdin.isTTY) return;
			child.kill(signal);
		});
	}
	child.on('error', error => {
		process.stderr.write(`${entry}: ${error.message}\n`);
		process.exit(1);
	});
	child.on('exit', (code, signal) => {
		process.exit(code ?? 128 + constants.signals[signal]);
	});
}
