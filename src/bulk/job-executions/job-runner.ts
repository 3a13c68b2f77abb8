import type {Logger} from 'pino';
import {DomainError, type ErrorCode} from '../../errors.ts';
import {traced} from '../../lib/tracer.ts';
import type {JobEnd, JobExecutionStore, Standing} from './job-executions.store.ts';
import type {ClaimedJob, JobExecution, JobResult, JobStep, JobType} from './job-executions.ts';

/** What a kind of job is given to work with. */
export interface JobContext {
	/** Aborted when the process stops or the claim is lost: leave at the next step, what was saved goes on later. */
	readonly signal: AbortSignal;
	/** Throws `JobLeft` where the job is to be left: nothing of the step is kept then, if it shares the transaction. */
	save(step: JobStep, transaction?: unknown): Promise<void>;
}

/** One kind of job. Whatever it did before its last `save` is not done again; what came after it may be. */
export interface JobKind {
	/** Works from `job.progress` to the end. A DomainError of the file's fails the job with its message. */
	run(job: ClaimedJob, context: JobContext): Promise<JobResult>;
	/** What there is to tell of a job that was left or failed before its end; puts its files in order. */
	leave(job: JobExecution): Promise<JobResult>;
}

export interface JobRunnerOptions {
	readonly store: JobExecutionStore;
	readonly kinds: Readonly<Record<JobType, JobKind>>;
	/** Number of this process's data directory. */
	readonly instance: number;
	readonly log: Logger;
	/** Told of each job that is let go of, with the ms since it was claimed; `waiting`: it goes on later. */
	readonly onLeft?: ((type: JobType, status: JobEnd['status'] | 'waiting', ms: number) => void) | undefined;
	/** Jobs at once; each of another datamart or type. */
	readonly atOnce?: number;
	readonly leaseMs?: number;
	readonly pollMs?: number;
}

/** Thrown out of `save`: the job was canceled, or is somebody else's now. */
export class JobLeft extends Error {
	readonly standing: Standing;

	constructor(standing: Standing) {
		super(`the job is left: ${standing}`);
		this.standing = standing;
	}
}

/** What passes by itself: the job goes on from its last step when it does. */
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
	...([
		'store_unavailable',
		'journal_full',
		'not_yet_queryable',
		'query_timed_out',
		'shutting_down',
	] as const),
]);
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 60_000;

/** Claims jobs, works on them step by step, and ends them; a crash costs the step in hand. */
export class JobRunner {
	readonly #options: JobRunnerOptions;
	readonly #leaseMs: number;
	readonly #stop = new AbortController();
	readonly #running = new Set<Promise<void>>();
	#timer: NodeJS.Timeout | undefined;
	#claiming: Promise<void> | undefined;
	#claimAgain = false;

	constructor(options: JobRunnerOptions) {
		this.#options = options;
		this.#leaseMs = options.leaseMs ?? 30_000;
	}

	/** What this instance was working on when it ended goes on at once. */
	async start(): Promise<void> {
		await this.#options.store.releaseAll(this.#options.instance);
		this.#timer = setInterval(() => this.wake(), this.#options.pollMs ?? 2_000).unref();
		this.wake();
	}

	/** There may be something to do. */
	wake(): void {
		this.#claimAgain = true;
		this.#claiming ??= this.#claimAll().finally(() => {
			this.#claiming = undefined;
		});
	}

	/** Leaves every job at its next step; they are free for whoever asks next. */
	async close(): Promise<void> {
		clearInterval(this.#timer);
		this.#stop.abort();
		await this.#claiming;
		await Promise.all(this.#running);
	}

	async #claimAll(): Promise<void> {
		const {store, instance, log, atOnce = 2} = this.#options;
		while (this.#claimAgain) {
			this.#claimAgain = false;
			while (this.#running.size < atOnce && !this.#stop.signal.aborted) {
				const job = await store.claim(instance, this.#leaseMs).catch(error => {
					log.warn({error}, 'jobs cannot be asked for');
					return undefined;
				});
				if (!job) break;
				const work = traced(`job ${job.jobType}`, {'millrace.job_id': job.id}, () => this.#work(job)).catch(
					error =>
						log.warn(
							{error, job: job.id},
							'how a job stands could not be noted: it goes on when its lease ends',
						),
				);
				this.#running.add(work);
				void work.finally(() => {
					this.#running.delete(work);
					this.wake();
				});
			}
		}
	}

	async #work(job: ClaimedJob): Promise<void> {
		const {store, kinds, log, onLeft} = this.#options;
		const kind = kinds[job.jobType];
		const left = new AbortController();
		const began = performance.now();
		const end = async (ended: JobEnd) => {
			if (await store.end(job, ended)) onLeft?.(job.jobType, ended.status, performance.now() - began);
		};
		const release = async (pauseMs: number) => {
			await store.release(job, pauseMs);
			onLeft?.(job.jobType, 'waiting', performance.now() - began);
		};
		const lease = setInterval(() => {
			const renewed = store.renew(job, this.#leaseMs);
			renewed.then(standing => standing === 'lost' && left.abort()).catch(() => {});
		}, this.#leaseMs / 6);
		const signal = AbortSignal.any([this.#stop.signal, left.signal]);
		try {
			const result = await kind.run(job, {signal, save: (...step) => this.#save(job, signal, ...step)});
			await end({status: 'SUCCEEDED', result, error: null});
		} catch (error) {
			// Whatever a job says once it was told to leave, it has not failed.
			const standing = error instanceof JobLeft ? error.standing : signal.aborted ? 'goes_on' : undefined;
			if (standing === 'cancel_requested') {
				await end({status: 'CANCELED', result: await kind.leave(job), error: null});
			} else if (standing !== undefined) {
				await release(0);
			} else if (isPassing(error)) {
				const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(job.retryCount, 10), LAST_PAUSE_MS);
				log.warn({error, job: job.id, pauseMs}, 'a job waits for what it needs');
				await release(pauseMs);
			} else {
				const known = error instanceof DomainError && error.code !== 'internal_error';
				if (!known) log.error({error, job: job.id}, 'a job failed');
				const message = known ? error.message : 'Internal error';
				await end({status: 'FAILED', result: await kind.leave(job), error: {message}});
			}
		} finally {
			clearInterval(lease);
		}
	}

	async #save(job: ClaimedJob, signal: AbortSignal, step: JobStep, transaction?: unknown): Promise<void> {
		const standing = await this.#options.store.save(job, step, transaction);
		if (standing !== 'goes_on') throw new JobLeft(standing);
		// Saved, and no step begins any more: the next start goes on behind it.
		if (signal.aborted && transaction === undefined) throw new JobLeft('goes_on');
	}
}

/** To be asked between two steps of a job. */
export function leaveIfAsked(signal: AbortSignal): void {
	if (signal.aborted) throw new JobLeft('goes_on');
}

function isPassing(error: unknown): boolean {
	return error instanceof DomainError && PASSING.has(error.code);
}
