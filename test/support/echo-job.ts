/** A job for tests of the pool: says what it was given, fails or ends its thread. */
import {setTimeout as delay} from 'node:timers/promises';
import {threadId} from 'node:worker_threads';
import {jobData} from '../../src/lib/thread.ts';

export interface Input {
	readonly say?: string;
	readonly waitMs?: number;
	readonly fail?: string;
	readonly exit?: boolean;
}

export interface Output {
	readonly said: string;
	readonly thread: number;
	/** How many inputs the thread was working on, this one included. */
	readonly atOnce: number;
}

const {greeting} = jobData<{greeting: string}>();
let running = 0;

export default async function run({say, waitMs = 0, fail, exit}: Input): Promise<Output> {
	running += 1;
	try {
		if (fail !== undefined) throw new Error(fail);
		if (exit) process.exit(1);
		await delay(waitMs);
		return {said: `${greeting} ${say}`, thread: threadId, atOnce: running};
	} finally {
		running -= 1;
	}
}
