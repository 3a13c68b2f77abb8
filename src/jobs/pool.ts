import {fileURLToPath} from 'node:url';
import {Piscina} from 'piscina';
import {watchThread} from '../lib/thread.ts';

export interface JobPoolOptions {
	/** A file under workers/, without its ending, whose default export takes an input and answers an output, both plain data. */
	readonly job: string;
	/** At most so many; none is started before there is work. */
	readonly threads: number;
	/** Inputs one thread works on at a time: 1 (the default) where a job computes, many where it waits. */
	readonly atOnce?: number;
	/** Plain data for every thread of the pool: `jobData()` there. */
	readonly data?: unknown;
	/** A thread without work ends after this long. */
	readonly idleMs?: number;
	/** At most so many MiB of a thread for objects that are new; Node's own limit, 48, where absent. */
	readonly youngMb?: number;
}

/**
 * Threads for one kind of job, each kind with its own: what computes for seconds must not stand before what waits for an
 * answer. A thread that dies fails what it was working on (`run` rejects) and is replaced at the next input.
 */
export class JobPool<Input, Output> {
	readonly #piscina: Piscina;

	constructor({job, threads, atOnce = 1, data, idleMs = 60_000, youngMb}: JobPoolOptions) {
		this.#piscina = new Piscina({
			filename: fileURLToPath(new URL(`../../workers/${job}.js`, import.meta.url)),
			minThreads: 0,
			maxThreads: threads,
			concurrentTasksPerWorker: atOnce,
			idleTimeout: idleMs,
			// A thread that sleeps in Atomics.wait hears nothing: neither its timers nor the end of a connection.
			atomics: 'disabled',
			recordTiming: false,
			execArgv: [],
			workerData: data,
			...(youngMb && {resourceLimits: {maxYoungGenerationSizeMb: youngMb}}),
		});
		this.#piscina.on('workerCreate', ({id}: {readonly id: number}) => {
			const thread = this.#piscina.threads.find(({threadId}) => threadId === id);
			if (thread) watchThread(job, thread);
		});
		// Whoever waits for the input is told by `run`; without a listener the process would end.
		this.#piscina.on('error', () => undefined);
	}

	/**
	 * What the job answers, or the error it throws. `signal` ends the thread a job runs in, unless it runs several at once:
	 * such jobs have deadlines of their own. `transfer` hands buffers over instead of copying them.
	 */
	run(
		input: Input,
		{signal, transfer}: {readonly signal?: AbortSignal; readonly transfer?: readonly ArrayBuffer[]} = {},
	): Promise<Output> {
		return this.#piscina.run(input, {
			...(signal && {signal}),
			...(transfer && {transferList: [...transfer]}),
		});
	}

	/** Threads that live at the moment. */
	get threads(): number {
		return this.#piscina.threads.length;
	}

	/** Ends the threads; what they were working on is rejected. */
	async close(): Promise<void> {
		await this.#piscina.destroy();
	}
}
