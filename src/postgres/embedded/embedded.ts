import {mkdir, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Worker} from 'node:worker_threads';
import type {EmbeddedPostgresData} from '../../../workers/embedded-postgres.ts';
import {DomainError} from '../../errors.ts';
import {startThread} from '../../lib/thread.ts';
import {DirectoryLock} from './directory-lock.ts';

const ENTRY = new URL('../../../workers/embedded-postgres.js', import.meta.url);
const START_TIMEOUT_MS = 60_000;
const CLOSE_TIMEOUT_MS = 10_000;
const RESTART_DELAYS_MS = [100, 500, 2_000, 5_000];
const LOCK_WAIT_MS = 5_000;
const IDLE_IN_TRANSACTION_MS = 30_000;

export interface EmbeddedOptions {
	/** Data lives in `<dataDir>/postgres`. */
	readonly dataDir: string;
	readonly idleInTransactionMs?: number;
	/** How long a former process is given to let go of the directory; default 5 s. */
	readonly lockWaitMs?: number;
}

/** PostgreSQL in a thread of this process; started again when it crashes. See ADR 0004. */
export class EmbeddedPostgres {
	/** For `host` of the driver: the directory of the unix socket `.s.PGSQL.5432`. */
	readonly socketDirectory: string;
	readonly #data: EmbeddedPostgresData;
	readonly #lock: DirectoryLock;
	#thread: Worker | undefined;
	#closing = false;
	#failures = 0;
	#restart: NodeJS.Timeout | undefined;
	#onExit: (cause: unknown) => void = () => {};

	private constructor(socketDirectory: string, data: EmbeddedPostgresData, lock: DirectoryLock) {
		this.socketDirectory = socketDirectory;
		this.#data = data;
		this.#lock = lock;
	}

	static async start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
		await mkdir(options.dataDir, {recursive: true});
		// Socket paths are limited to about 100 bytes: data directories are often longer. mkdtemp makes it 0700.
		const socketDirectory = await mkdtemp(join(tmpdir(), 'millrace-pg-'));
		try {
			const lock = await DirectoryLock.take(
				join(options.dataDir, 'postgres.lock'),
				socketDirectory,
				options.lockWaitMs ?? LOCK_WAIT_MS,
			);
			const embedded = new EmbeddedPostgres(
				socketDirectory,
				{
					dataDirectory: join(options.dataDir, 'postgres'),
					socketPath: join(socketDirectory, '.s.PGSQL.5432'),
					idleInTransactionMs: options.idleInTransactionMs ?? IDLE_IN_TRANSACTION_MS,
				},
				lock,
			);
			await embedded.#startThread().catch(async error => {
				await lock.release();
				throw error;
			});
			return embedded;
		} catch (error) {
			await rm(socketDirectory, {recursive: true, force: true});
			throw error;
		}
	}

	/** Told each time the engine ended by itself; it is started again whether anybody listens or not. */
	onExit(listener: (cause: unknown) => void): void {
		this.#onExit = listener;
	}

	/** For tests of what a crash does: ends the thread where it stands. */
	async crash(): Promise<void> {
		await this.#thread?.terminate();
	}

	async close(): Promise<void> {
		if (this.#closing) return;
		this.#closing = true;
		clearTimeout(this.#restart);
		const thread = this.#thread;
		if (thread) {
			const ended = new Promise<void>(resolve => thread.once('exit', () => resolve()));
			thread.postMessage('close');
			const patience = setTimeout(() => void thread.terminate(), CLOSE_TIMEOUT_MS);
			await ended;
			clearTimeout(patience);
		}
		await rm(this.socketDirectory, {recursive: true, force: true});
		await this.#lock.release();
	}

	async #startThread(): Promise<void> {
		// A thread that died leaves its socket behind, and listening on it again would fail.
		await rm(this.#data.socketPath, {force: true});
		if (this.#closing) return;
		const thread = startThread(ENTRY, this.#data);
		this.#thread = thread;
		await new Promise<void>((resolve, reject) => {
			let cause: unknown;
			let ready = false;
			const patience = setTimeout(() => void thread.terminate(), START_TIMEOUT_MS);
			thread.once('message', () => {
				clearTimeout(patience);
				ready = true;
				this.#failures = 0;
				resolve();
			});
			thread.on('error', error => {
				cause = error;
			});
			thread.once('exit', () => {
				clearTimeout(patience);
				this.#thread = undefined;
				reject(
					new DomainError('store_unavailable', 'The embedded PostgreSQL did not start', {
						cause,
						retryAfterSeconds: 5,
					}),
				);
				if (!ready || this.#closing) return;
				this.#onExit(cause);
				this.#startAgain();
			});
		});
	}

	#startAgain(): void {
		if (this.#closing) return;
		const delay = RESTART_DELAYS_MS[Math.min(this.#failures, RESTART_DELAYS_MS.length - 1)];
		this.#failures++;
		this.#restart = setTimeout(() => {
			this.#startThread().catch(() => this.#startAgain());
		}, delay);
	}
}
