import {Worker} from 'node:worker_threads';

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
