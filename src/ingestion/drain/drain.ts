import {setTimeout as delay} from 'node:timers/promises';
import {DomainError} from '../../errors.ts';
import type {Journal} from '../journal/journal.ts';
import {readSlice} from '../journal/reader.ts';
import {isBefore, type JournalPosition} from '../journal/segments.ts';
import type {BatchContext} from './batch.ts';
import type {BatchWriter} from './batch-writer.ts';
import type {Checkpoint, CheckpointFile} from './checkpoint.ts';

export interface DrainOptions {
	readonly journal: Journal;
	readonly checkpointFile: CheckpointFile;
	readonly checkpoint: Checkpoint;
	readonly writer: BatchWriter;
	readonly context: Omit<BatchContext, 'batchId'>;
	readonly log: {warn(details: object, message: string): void};
	/** A batch holds at most this many journal bytes. */
	readonly maxBatchBytes?: number;
	/** Under light load batches begin at least this far apart, so that parts stay few. */
	readonly pauseMs?: number;
}

interface Waiter {
	readonly arrival: number;
	readonly resolve: () => void;
	readonly reject: (error: Error) => void;
}

const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 5_000;

/**
 * Carries the journal into the stores, in order, one batch after another: borders on disk, rows written, confirmed,
 * journal released. A store that is down is tried again with growing pauses; the batch in hand stays the same batch.
 */
export class Drain {
	readonly #options: DrainOptions;
	#checkpoint: Checkpoint;
	#waiters: Waiter[] = [];
	#stop = new AbortController();
	#running: Promise<void> | undefined;
	#wake: (() => void) | undefined;
	#cutPause: (() => void) | undefined;
	/** Somebody waits for what is in the journal. */
	#hurried = false;

	constructor(options: DrainOptions) {
		this.#options = options;
		this.#checkpoint = options.checkpoint;
	}

	start(): void {
		this.#options.journal.onDurable(() => this.#wake?.());
		this.#running = this.#run();
	}

	/** How many journal bytes are not yet in the stores. */
	get backlogBytes(): number {
		const {durable} = this.#options.journal;
		const {confirmed} = this.#checkpoint;
		return durable.segment === confirmed.segment
			? durable.offset - confirmed.offset
			: this.#options.journal.bytes;
	}

	/** Resolves once the activity with this arrival is in every store; no pause is made for it. */
	whenQueryable(arrival: number): Promise<void> {
		if (arrival < this.#checkpoint.nextArrival) return Promise.resolve();
		this.#hurry();
		return new Promise((resolve, reject) => this.#waiters.push({arrival, resolve, reject}));
	}

	/** Empties the journal as far as the stores allow within `graceMs`, then stops. */
	async stop(graceMs: number): Promise<void> {
		if (this.#stop.signal.aborted) return this.#running;
		const until = Date.now() + graceMs;
		while (this.#hasMore() && Date.now() < until) {
			this.#hurry();
			await delay(20);
		}
		this.#stop.abort();
		this.#hurry();
		await this.#running;
		const stopped = new DomainError('shutting_down', 'the service is stopping', {retryAfterSeconds: 5});
		for (const waiter of this.#waiters) waiter.reject(stopped);
	}

	async #run(): Promise<void> {
		let backoffMs = FIRST_BACKOFF_MS;
		while (!this.#stop.signal.aborted) {
			if (!this.#hasMore()) {
				await this.#untilWork();
				continue;
			}
			const began = Date.now();
			try {
				await this.#drainOne();
				backoffMs = FIRST_BACKOFF_MS;
				const pauseMs = (this.#options.pauseMs ?? 150) - (Date.now() - began);
				if (!this.#hurried && pauseMs > 0) await this.#pause(pauseMs);
				this.#hurried = this.#waiters.length > 0;
			} catch (error) {
				this.#options.log.warn({error, backoffMs}, 'a batch could not be written yet');
				await delay(backoffMs, undefined, {signal: this.#stop.signal}).catch(() => {});
				backoffMs = Math.min(backoffMs * 2, LAST_BACKOFF_MS);
			}
		}
	}

	#hasMore(): boolean {
		return isBefore(this.#checkpoint.confirmed, this.#options.journal.durable);
	}

	/** Until something is durable or the drain stops. */
	#untilWork(): Promise<void> {
		return new Promise(resolve => {
			this.#wake = resolve;
		});
	}

	/** Cut short only for somebody who waits. */
	#pause(ms: number): Promise<void> {
		return new Promise(resolve => {
			const timer = setTimeout(resolve, ms);
			this.#cutPause = () => {
				clearTimeout(timer);
				resolve();
			};
		});
	}

	#hurry(): void {
		this.#hurried = true;
		this.#cutPause?.();
		this.#wake?.();
	}

	async #drainOne(): Promise<void> {
		const {journal, checkpointFile, writer, context, maxBatchBytes = 8 * 1024 * 1024} = this.#options;
		const {inDoubt} = this.#checkpoint;
		const from = inDoubt?.from ?? this.#checkpoint.confirmed;
		const until: JournalPosition = inDoubt?.to ?? journal.durable;
		const bound = inDoubt ? Number.POSITIVE_INFINITY : maxBatchBytes;
		const slice = await readSlice(journal.directory, from, until, bound);
		if (slice.records.length > 0) {
			if (!inDoubt) await this.#write({...this.#checkpoint, inDoubt: {from, to: slice.end}});
			const batchId = slice.records[0]!.arrival;
			await writer.write(slice.records, {...context, batchId}, inDoubt !== undefined);
		}
		const last = slice.records.at(-1);
		const nextArrival = last ? last.arrival + last.rows : this.#checkpoint.nextArrival;
		await checkpointFile.write({confirmed: slice.end, nextArrival});
		this.#checkpoint = {confirmed: slice.end, nextArrival};
		this.#answerWaiters();
		await journal.release(slice.end);
	}

	async #write(checkpoint: Checkpoint): Promise<void> {
		await this.#options.checkpointFile.write(checkpoint);
		this.#checkpoint = checkpoint;
	}

	#answerWaiters(): void {
		const answered = this.#waiters.filter(waiter => waiter.arrival < this.#checkpoint.nextArrival);
		this.#waiters = this.#waiters.filter(waiter => waiter.arrival >= this.#checkpoint.nextArrival);
		for (const waiter of answered) waiter.resolve();
	}
}
