import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {setTimeout as delay} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';

/** What the load process is asked to send. */
export interface Load {
	readonly url: string;
	readonly token: string;
	readonly connections: number;
	/** Tells this load's new people from those of others. */
	readonly name: string;
	/** 1: single activities of one event; more: arrays of that many activities of two events. */
	readonly activitiesPerRequest: number;
	/** Either for so many seconds or so many requests. */
	readonly seconds?: number;
	readonly requests?: number;
	/** At most so many requests a second, over all connections; absent: as fast as they are answered. */
	readonly perSecond?: number;
}

/** How it was answered. */
export interface LoadResult {
	readonly requests: number;
	/** From the first request to the last answer. */
	readonly seconds: number;
	/** Answers other than 2xx, broken connections and missing answers. */
	readonly failures: number;
	readonly p50Ms: number;
	readonly p99Ms: number;
	readonly maxMs: number;
	/** What sending and measuring took of the same processor. */
	readonly cpuMs: number;
}

export interface Loader {
	run(load: Load): Promise<LoadResult>;
	stop(): void;
}

/** How far beyond its own time a load may take. */
const PATIENCE_MS = 120_000;

/** The load generator, in a process of its own that ends with this one. */
export function startLoader(): Loader {
	const child: ChildProcess = fork(fileURLToPath(new URL('load-process.js', import.meta.url)), {
		execArgv: [],
	});
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`the load process ended with ${code}`);
	});
	// It ends when it is told to as well.
	ended.catch(() => {});
	return {
		async run(load) {
			const patience = new AbortController();
			const tooLong = delay((load.seconds ?? 600) * 1000 + PATIENCE_MS, undefined, patience).then(() => {
				throw new Error('the load does not end');
			});
			try {
				child.send(load);
				const answered = once(child, 'message') as Promise<[LoadResult | {readonly error: string}]>;
				const [answer] = await Promise.race([answered, ended, tooLong]);
				if ('error' in answer) throw new Error(answer.error);
				return answer;
			} finally {
				tooLong.catch(() => {});
				patience.abort();
			}
		},
		stop() {
			child.disconnect();
		},
	};
}
