import {setTimeout as delay} from 'node:timers/promises';
import type {Reason} from '../dead-letters/dead-letters.ts';
import {readSlice} from '../journal/reader.ts';
import {isDue, type JournalRecord} from '../journal/record.ts';
import {isBefore, type JournalPosition} from '../journal/segments.ts';
import type {BatchContext} from './batch.ts';
import type {BatchWriter} from './batch-writer.ts';
import type {Checkpoint, CheckpointFile} from './checkpoint.ts';
import type {UsageWriter} from './usage-writer.ts';

export interface DrainOptions {
	readonly journalDirectory: string;
	readonly checkpointFile: CheckpointFile;
	readonly checkpoint: Checkpoint;
	readonly writer: BatchWriter;
	readonly usage: UsageWriter;
	readonly context: Omit<BatchContext, 'batchId'>;
	readonly report: DrainReport;
	/** A batch holds at most this many journal bytes. */
	readonly maxBatchBytes?: number;
}

/** What a drain tells the accepting side. */
export interface DrainReport {
	confirmed(checkpoint: Checkpoint, batch: {activities: number; bytes: number; ms: number}): void;
	/** The batch in hand could not be written yet; it is tried again after the pause. */
	failed(error: unknown, backoffMs: number): void;
	/** New dead letters, each by its reason. */
	kept(reasons: readonly Reason[]): void;
}

/** Batches begin at least this far apart, so that parts stay few. */
const SHORTEST_PAUSE_MS = 150;
/** With what a batch takes itself this stays well below the second in which everybody sees what was accepted. */
const LONGEST_PAUSE_MS = 500;
/** So many times what it took passes from a batch's beginning to that of the next. */
const PACE = 4;
const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 5_000;

/**
 * Carries the journal into the stores, in order, one batch after another: borders on disk, rows written, confirmed.
 * A store that is down is tried again with growing pauses; the batch in hand stays the same batch.
 */
export class Drain {
	readonly #options: DrainOptions;
	readonly #stop = new AbortController();
	#checkpoint: Checkpoint;
	#durable: JournalPosition;
	#running: Promise<void> | undefined;
	#wake: (() => void) | undefined;
	#cutPause: (() => void) | undefined;
	/** Somebody waits for what is in the journal. */
	#hurried = false;

	constructor(options: DrainOptions) {
		this.#options = options;
		this.#checkpoint = options.checkpoint;
		this.#durable = options.checkpoint.confirmed;
	}

	start(): void {
		this.#running = this.#run();
	}

	/** The journal is on disk up to here. */
	advance(durable: JournalPosition): void {
		this.#durable = durable;
		this.#wake?.();
	}

	/** The next batch begins without a pause. */
	hurry(): void {
		this.#hurried = true;
		this.#cutPause?.();
		this.#wake?.();
	}

	/** Empties the journal as far as the stores allow within `graceMs`, then stops. */
	async stop(graceMs: number): Promise<void> {
		if (this.#stop.signal.aborted) return this.#running;
		const until = Date.now() + graceMs;
		while (this.#hasMore() && Date.now() < until) {
			this.hurry();
			await delay(20);
		}
		this.#stop.abort();
		this.hurry();
		await this.#running;
	}

	async #run(): Promise<void> {
		let backoffMs = FIRST_BACKOFF_MS;
		while (!this.#stop.signal.aborted) {
			if (!this.#hasMore()) {
				await this.#untilWork();
				continue;
			}
			const began = Date.now();
			const hurried = this.#hurried;
			this.#hurried = false;
			try {
				await this.#drainOne();
				backoffMs = FIRST_BACKOFF_MS;
				const tookMs = Date.now() - began;
				const pauseMs = paceMs(tookMs) - tookMs;
				if (!this.#hurried && pauseMs > 0) await this.#pause(pauseMs);
			} catch (error) {
				this.#hurried ||= hurried;
				this.#options.report.failed(error, backoffMs);
				await delay(backoffMs, undefined, {signal: this.#stop.signal}).catch(() => {});
				backoffMs = Math.min(backoffMs * 2, LAST_BACKOFF_MS);
			}
		}
	}

	#hasMore(): boolean {
		return isBefore(this.#checkpoint.confirmed, this.#durable);
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

	async #drainOne(): Promise<void> {
		const {journalDirectory, checkpointFile, maxBatchBytes = 8 * 1024 * 1024} = this.#options;
		const began = Date.now();
		const {inDoubt} = this.#checkpoint;
		const from = inDoubt?.from ?? this.#checkpoint.confirmed;
		const until = inDoubt?.to ?? this.#durable;
		const slice = await readSlice(
			journalDirectory,
			from,
			until,
			inDoubt ? Number.POSITIVE_INFINITY : maxBatchBytes,
		);
		// What waits for its analyzers is passed over: its outcome stands further on.
		const due = slice.records.filter(isDue);
		const [first] = slice.records;
		const last = slice.records.at(-1);
		if (first) {
			if (!inDoubt) {
				const begun = {...this.#checkpoint, inDoubt: {from, to: slice.end}};
				await checkpointFile.write(begun);
				// Only now: borders that are not on disk would be forgotten, and their token would name other rows.
				this.#checkpoint = begun;
			}
			await this.#write(slice.records, due, first.arrival, inDoubt !== undefined);
		}
		const nextArrival = last ? last.arrival + last.rows : this.#checkpoint.nextArrival;
		await checkpointFile.write({confirmed: slice.end, nextArrival});
		this.#checkpoint = {confirmed: slice.end, nextArrival};
		this.#options.report.confirmed(this.#checkpoint, {
			activities: due.length,
			bytes: slice.bytes,
			ms: Date.now() - began,
		});
	}

	/** Neither waits for the other; a try has ended when both have, so that the next one meets nobody. */
	async #write(
		records: readonly JournalRecord[],
		due: readonly JournalRecord[],
		batchId: number,
		inDoubt: boolean,
	): Promise<void> {
		const {writer, usage, context} = this.#options;
		const {signal} = this.#stop;
		const outcomes = await Promise.allSettled([
			due.length > 0 ? writer.write(due, {...context, batchId}, inDoubt, signal) : undefined,
			usage.write(records, {instance: context.instance, batchId, inDoubt}),
		]);
		for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
	}
}

/**
 * How long after a batch the next one begins. Most of a small batch's cost is the batch: the more there is to do, the
 * longer the next one gathers, which leaves the processor to those who wait for a 200.
 */
export function paceMs(tookMs: number): number {
	return Math.max(SHORTEST_PAUSE_MS, Math.min(tookMs * PACE, LONGEST_PAUSE_MS));
}
