import {Worker, workerData} from 'node:worker_threads';

/**
 * A thread that runs one of our TypeScript entries (`workers/`). On Node 20 a thread does not inherit tsx's hooks: it
 * registers them itself before it loads the entry.
 */
export function startThread(entry: URL, workerData: unknown): Worker {
	const bootstrap = `
		import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))})
			.then(({register}) => { register(); return import(${JSON.stringify(entry.href)}); })
			.catch(error => setImmediate(() => { throw error; }));
	`;
	return new Worker(bootstrap, {eval: true, workerData, execArgv: []});
}

/** What a thread of a `JobPool` (src/jobs/pool.ts) is started with. */
export interface JobThreadData {
	/** The job's file, as a URL. */
	readonly entry: string;
	readonly data: unknown;
}

/** In a thread of a `JobPool`: the plain data that the pool was made with. */
export function jobData<Data>(): Data {
	return (workerData as JobThreadData).data as Data;
}
