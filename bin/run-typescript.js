// Runs a TypeScript entry of the project in a Node of its own, with the flags it wants, and passes signals on.
import {spawn} from 'node:child_process';
import {constants} from 'node:os';
import {fileURLToPath} from 'node:url';

/** `entry` is a path from the project's root. This process ends with the entry's code. */
export function runTypeScript(entry, args) {
	const file = fileURLToPath(new URL(`../${entry}`, import.meta.url));
	const tsx = import.meta.resolve('tsx');
	// Requests wait for the disk: with a larger young generation they are gone before it is collected.
	const flags = ['--max-semi-space-size=64', `--import=${tsx}`];
	const child = spawn(process.execPath, [...flags, file, ...args], {stdio: 'inherit'});

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
