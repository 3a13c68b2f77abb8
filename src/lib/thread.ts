import path from 'node:path';
import {setFlagsFromString} from 'node:v8';
import {Worker, workerData} from 'node:worker_threads';

// The process is started with a large young generation for the main thread, which has it by now. As long as the flag
// stands, every thread grows into the same and its own limit counts for nothing.
setFlagsFromString('--max-semi-space-size=0');

/**
 * A thread that runs one of our entries (`workers/`). `youngMb`: at most so much for objects that are new, Node's own
 * limit of 48 where absent.
 */
export function startThread(
	entry: URL,
	workerData: unknown,
	{youngMb}: {readonly youngMb?: number} = {},
): Worker {
	const worker = new Worker(entry, {
		workerData,
		execArgv: [],
		...(youngMb && {resourceLimits: {maxYoungGenerationSizeMb: youngMb}}),
	});
	watchThread(path.basename(entry.pathname, '.js'), worker);
	return worker;
}

/** Threads that live, by what they do; and how long those that ended were active, in ms. */
const living = new Map<Worker, string>();
const formerMs: Record<string, number> = {};

/** From now on the thread is among `livingThreads`. */
export function watchThread(name: string, worker: Worker): void {
	living.set(worker, name);
	formerMs[name] ??= 0;
	let lastMs = 0;
	const reading = setInterval(() => {
		lastMs = worker.performance.eventLoopUtilization().active || lastMs;
	}, 5_000).unref();
	worker.once('exit', () => {
		clearInterval(reading);
		living.delete(worker);
		formerMs[name]! += lastMs;
	});
}

/** Seconds in which the event loops of threads had something to do, by what the threads do, the ended ones included. */
export function livingThreads(): Record<string, number> {
	const seconds = Object.entries(formerMs).map(([name, ms]) => [name, ms / 1000] as const);
	const sums: Record<string, number> = Object.fromEntries(seconds);
	for (const [worker, name] of living) {
		sums[name]! += worker.performance.eventLoopUtilization().active / 1000 || 0;
	}
	return sums;
}

/** In a thread of a `JobPool` (src/jobs/pool.ts): the plain data that the pool was made with. */
export function jobData<Data>(): Data {
	return workerData as Data;
}
