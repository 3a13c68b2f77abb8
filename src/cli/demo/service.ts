import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, openSync, readFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';

const HOST = '127.0.0.1';
const READY_WITHIN_MS = 60_000;
const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url));

export interface ServiceOptions {
	readonly port: number;
	readonly logFile: string;
	readonly environment: NodeJS.ProcessEnv;
}

/** The service as a child process of its own, exactly as `npm start` runs it; its log goes to a file. */
export class DemoService {
	readonly url: string;
	/** Resolves with the exit code when the process has ended; null where a signal ended it. */
	readonly ended: Promise<number | null>;
	readonly #child: ChildProcess;
	readonly #logFile: string;

	constructor({port, logFile, environment}: ServiceOptions) {
		this.url = `http://${HOST}:${port}`;
		this.#logFile = logFile;
		const log = openSync(logFile, 'w');
		// The flags of this process are those that bin/entry.js gives every entry.
		this.#child = spawn(process.execPath, [...process.execArgv, MAIN], {
			env: environment,
			stdio: ['ignore', log, log],
		});
		closeSync(log);
		this.ended = once(this.#child, 'exit').then(([code]) => code as number | null);
	}

	/** Resolves once requests are served. Throws, with the end of the log, when the process ends or a minute has passed. */
	async untilReady(): Promise<void> {
		const deadline = performance.now() + READY_WITHIN_MS;
		while (performance.now() < deadline) {
			const {exitCode, signalCode} = this.#child;
			if (exitCode !== null || signalCode !== null) throw new Error(`the service ended:\n${this.logEnd()}`);
			const response = await fetch(`${this.url}/health/ready`).catch(() => undefined);
			if (response?.ok) return;
			await delay(100);
		}
		throw new Error(`the service was not ready within a minute:\n${this.logEnd()}`);
	}

	/** Asks it to finish and waits until it has. */
	async stop(): Promise<void> {
		this.#child.kill('SIGTERM');
		await this.ended;
	}

	logEnd(): string {
		return readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
	}
}

/** `wanted` where it is free, else one that the system gives. */
export async function freePort(wanted: number): Promise<number> {
	return (await tryPort(wanted)) ?? (await tryPort(0))!;
}

async function tryPort(port: number): Promise<number | undefined> {
	const server = createServer();
	const listening = once(server, 'listening');
	server.listen(port, HOST);
	try {
		await listening;
	} catch {
		return undefined;
	}
	const {port: given} = server.address() as {port: number};
	server.close();
	await once(server, 'close');
	return given;
}
