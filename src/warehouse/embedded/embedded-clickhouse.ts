import {type ChildProcess, fork} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {resolve as resolvePath} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {DomainError} from '../../errors.ts';
import {EMBEDDED_USER, type FromHost, type ToHost} from './protocol.ts';

export interface EmbeddedOptions {
	/** Held by one process at a time; made when missing. */
	readonly dataDir: string;
	/** How long a start waits for a directory whose holder is just ending, in ms; default 5 s. */
	readonly lockPatienceMs?: number;
}

/** How a child ended unasked, and when the next one starts. */
export interface EngineExit {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	/** The engine's last words on stderr, at most 4 KB. */
	readonly lastWords: string;
	readonly restartInMs: number;
}

export interface EmbeddedClickHouse {
	/** Stays the same over restarts, and so do the credentials. */
	readonly url: string;
	readonly username: string;
	readonly password: string;
	/** Of the present child; undefined between two. */
	readonly pid: number | undefined;
	onExit(listener: (exit: EngineExit) => void): void;
	close(): Promise<void>;
}

const HEARTBEAT_MS = 3_000;
const PING_MS = 5_000;
/** In a row: the machine may be busy for a while. */
const MOST_MISSES = 3;
const START_MS = 60_000;
const STOP_MS = 6_000;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;
/** A child that lived this long died of something else than its start: the back-off begins anew. */
const STEADY_MS = 30_000;

/**
 * Starts the embedded engine in a child process and keeps it alive: after a crash it comes back under the same url,
 * until then connections are refused. It ends with this process, even when that is killed.
 * Rejects with `store_unavailable` when another process holds the directory or the engine cannot be loaded.
 */
export async function startEmbeddedClickHouse(options: EmbeddedOptions): Promise<EmbeddedClickHouse> {
	const dataDir = resolvePath(options.dataDir);
	const password = randomBytes(24).toString('hex');
	const listeners: ((exit: EngineExit) => void)[] = [];
	mkdirSync(dataDir, {recursive: true});

	let closed = false;
	let backoffMs = FIRST_BACKOFF_MS;
	let restart: NodeJS.Timeout | undefined;
	let starting: Promise<void> = Promise.resolve();
	let host = await firstHost(dataDir, password, options.lockPatienceMs ?? 5_000);
	const {port} = host;
	let current: Host | undefined = host;
	watch(host);

	function watch(started: Host): void {
		const since = Date.now();
		started.child.once('exit', (code, signal) => {
			current = undefined;
			if (closed) return;
			if (Date.now() - since > STEADY_MS) backoffMs = FIRST_BACKOFF_MS;
			again({code, signal, lastWords: started.lastWords()});
		});
	}

	/** An engine that crashed may hang in its own signal handler for minutes: one that is silent is ended. */
	let misses = 0;
	const heartbeat = setInterval(async () => {
		const asked = current;
		if (!asked || closed) return;
		const answered = await isAnswering(port);
		misses = answered || current !== asked ? 0 : misses + 1;
		if (misses < MOST_MISSES || closed) return;
		misses = 0;
		asked.child.kill('SIGKILL');
	}, HEARTBEAT_MS);
	heartbeat.unref();

	function again(exit: Omit<EngineExit, 'restartInMs'>): void {
		const restartInMs = backoffMs;
		backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS);
		for (const listener of listeners) listener({...exit, restartInMs});
		restart = setTimeout(() => {
			starting = startHost(dataDir, password, port).then(
				next => {
					host = next;
					current = next;
					if (!closed) watch(next);
				},
				error => {
					if (!closed) again({code: null, signal: null, lastWords: String(error)});
				},
			);
		}, restartInMs);
	}

	return {
		url: `http://127.0.0.1:${port}`,
		username: EMBEDDED_USER,
		password,
		get pid() {
			return current?.child.pid;
		},
		onExit: listener => void listeners.push(listener),
		async close() {
			closed = true;
			clearTimeout(restart);
			clearInterval(heartbeat);
			await starting;
			await stopHost(host.child);
		},
	};
}

async function isAnswering(port: number): Promise<boolean> {
	try {
		const response = await fetch(`http://127.0.0.1:${port}/ping`, {signal: AbortSignal.timeout(PING_MS)});
		return response.ok;
	} catch {
		return false;
	}
}

interface Host {
	readonly child: ChildProcess;
	readonly port: number;
	readonly lastWords: () => string;
}

/** The former holder may be ending just now (a service killed and started again): wait a little, then say it. */
async function firstHost(dataDir: string, password: string, patienceMs: number): Promise<Host> {
	const until = Date.now() + patienceMs;
	for (;;) {
		try {
			return await startHost(dataDir, password, 0);
		} catch (error) {
			if (!(error instanceof DirectoryLocked)) throw error;
			if (Date.now() >= until) {
				throw new DomainError(
					'store_unavailable',
					`The directory ${dataDir} is in use by another process: one embedded engine, one process`,
				);
			}
			await sleep(200);
		}
	}
}

class DirectoryLocked extends Error {}

function startHost(dataDir: string, password: string, port: number): Promise<Host> {
	const child = fork(fileURLToPath(new URL('./host.js', import.meta.url)), {
		execArgv: [],
		// A clean environment: nothing secret goes along, and each session needs a thread of libuv's pool.
		env: {UV_THREADPOOL_SIZE: '16', TZ: 'UTC', NODE_NO_WARNINGS: '1'},
		stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
	});
	let words = '';
	child.stderr!.setEncoding('utf8').on('data', (text: string) => {
		words = (words + text).slice(-4096);
	});
	const lastWords = () => words;

	return new Promise<Host>((resolve, reject) => {
		const fail = (reason: string) => {
			clearTimeout(timer);
			child.kill('SIGKILL');
			const locked = /Cannot lock file|Another server instance/.test(words);
			reject(
				locked
					? new DirectoryLocked(reason)
					: new DomainError(
							'store_unavailable',
							`The embedded engine did not start: ${reason} ${words}`.trim(),
						),
			);
		};
		const timer = setTimeout(() => fail(`no answer within ${START_MS} ms.`), START_MS);
		let failure: string | undefined;
		child.once('error', error => fail(error.message));
		// 'close' comes after stderr has been read to its end, so its words are complete.
		child.once('close', () => fail(failure ?? 'it ended.'));
		child.on('message', (message: FromHost) => {
			if (message.kind === 'failed') failure = `${message.message}.`;
			else {
				clearTimeout(timer);
				child.removeAllListeners('close');
				resolve({child, port: message.port, lastWords});
			}
		});
		const open: ToHost = {kind: 'open', dataDir, port, password};
		child.send(open, () => undefined);
	});
}

async function stopHost(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
	const stop: ToHost = {kind: 'stop'};
	child.send(stop, () => undefined);
	const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
	await ended;
	clearTimeout(timer);
}
