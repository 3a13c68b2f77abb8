import {Session} from 'chdb';
import {asEngineError, EngineError} from './engine-error.ts';
import {LANES, type Lane} from './protocol.ts';
import {ENGINE_ARGUMENTS} from './statement.ts';

const MOST_WAITING = 2000;

export interface Job<Result> {
	readonly run: (session: Session) => Promise<Result>;
	/** Aborted before its turn, a job never runs. */
	readonly signal?: AbortSignal;
}

interface Waiting {
	/** Resolves with the session to go on with. */
	readonly start: (session: Session) => Promise<Session>;
	readonly refuse: (error: Error) => void;
}

/** Sessions of one directory, by lane: first come, first served within a lane, no waiting across lanes. */
export class SessionPool {
	readonly #dataDir: string;
	readonly #idle = new Map<Lane, Session[]>();
	readonly #waiting = new Map<Lane, Waiting[]>();
	#running = 0;
	#closing: (() => void) | undefined;

	/** Opens the directory; throws when another process holds it. */
	constructor(dataDir: string) {
		this.#dataDir = dataDir;
		for (const [lane, size] of Object.entries(LANES) as [Lane, number][]) {
			this.#waiting.set(lane, []);
			this.#idle.set(
				lane,
				Array.from({length: size}, () => this.#open()),
			);
		}
	}

	#open(): Session {
		return new Session(this.#dataDir, {connectionArgs: ENGINE_ARGUMENTS});
	}

	submit<Result>(lane: Lane, {run, signal}: Job<Result>): Promise<Result> {
		const waiting = this.#waiting.get(lane)!;
		if (this.#closing) return Promise.reject(new EngineError(236, 'ABORTED', 'The engine is stopping'));
		if (waiting.length >= MOST_WAITING) {
			return Promise.reject(
				new EngineError(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', `The ${lane} lane is full`),
			);
		}
		return new Promise<Result>((resolve, reject) => {
			const start = async (session: Session): Promise<Session> => {
				if (signal?.aborted) {
					reject(cancelled());
					return session;
				}
				try {
					resolve(await run(session));
					return session;
				} catch (thrown) {
					reject(asEngineError(thrown));
					return this.#cleaned(session);
				}
			};
			waiting.push({start, refuse: reject});
			this.#pump(lane);
		});
	}

	#pump(lane: Lane): void {
		const idle = this.#idle.get(lane)!;
		const waiting = this.#waiting.get(lane)!;
		while (idle.length > 0 && waiting.length > 0) {
			const session = idle.pop()!;
			const next = waiting.shift()!;
			this.#running += 1;
			void next.start(session).then(usable => {
				this.#running -= 1;
				idle.push(usable);
				if (this.#closing && this.#running === 0) this.#closing();
				this.#pump(lane);
			});
		}
	}

	/** chdb 3.4: what a statement had put out before it failed comes in front of the session's next answer. */
	async #cleaned(session: Session): Promise<Session> {
		for (let attempt = 0; attempt < 8; attempt++) {
			const left = await session.queryAsync('SELECT 1 FORMAT Null').catch(() => undefined);
			if (left?.bytes().length === 0) return session;
		}
		session.close();
		return this.#open();
	}

	/** Waits for what runs, at most `graceMs`, then releases the directory. */
	async close(graceMs: number): Promise<void> {
		const drained = new Promise<void>(resolve => {
			this.#closing = resolve;
			if (this.#running === 0) resolve();
		});
		for (const waiting of this.#waiting.values()) {
			for (const {refuse} of waiting.splice(0))
				refuse(new EngineError(236, 'ABORTED', 'The engine is stopping'));
		}
		let timer: NodeJS.Timeout | undefined;
		const grace = new Promise<void>(resolve => {
			timer = setTimeout(resolve, graceMs);
		});
		await Promise.race([drained, grace]);
		clearTimeout(timer);
		if (this.#running > 0) return;
		for (const sessions of this.#idle.values()) for (const session of sessions) session.close();
	}
}

export function cancelled(): EngineError {
	return new EngineError(394, 'QUERY_WAS_CANCELLED', 'Query was cancelled');
}
