import {setTimeout as delay} from 'node:timers/promises';
import type {CountedBatch, Watched} from '../../analytics/autocomplete/counted.ts';
import type {Reason} from '../dead-letters/dead-letters.ts';
import {readSlice, type Slice} from '../journal/reader.ts';
import {isDue, type JournalRecord} from '../journal/record.ts';
import {isBefore, type JournalPosition} from '../journal/segments.ts';
import type {BatchContext} from './batch.ts';
import type {BatchWriter, PreparedBatch} from './batch-writer.ts';
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
	/** Counts of values that are watched, before the batch is confirmed. */
	counted(batch: CountedBatch): void;
}

/** A stretch of the journal that goes into the stores as one. */
interface Batch {
	readonly slice: Slice;
	/** What waits for its analyzers is passed over: its outcome stands further on. */
	readonly due: readonly JournalRecord[];
	/** Its rows, where they were made ahead. */
	readonly prepared?: PreparedBatch;
}

/** A backlog goes in as few parts as can be: in batches of 20,000 an activity costs the engine a fifth less than of 10,000. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** Batches begin at least this far apart, so that parts stay few. */
const SHORTEST_PAUSE_MS = 150;
/** With what a batch takes itself this stays well below the second in which everybody sees what was accepted. */
const LONGEST_PAUSE_MS = 350;
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
	/** What follows the batch in hand, made while that one is written; never rejects. */
	#ahead: Promise<Batch | undefined> | undefined;

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

	/** Which counts of values are reported; see `ValueWriter.watch`. */
	watch(watched: readonly Watched[]): Promise<void> {
		return this.#options.writer.watch(watched);
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
				const activities = await this.#drainOne();
				backoffMs = FIRST_BACKOFF_MS;
				const tookMs = Date.now() - began;
				// What questions cost is in no hurry: a dashboard that polls must not cause an insert each time.
				const pauseMs = (activities > 0 ? paceMs(tookMs) : LONGEST_PAUSE_MS) - tookMs;
				if (!this.#hurried && pauseMs > 0 && !(await this.#ahead)) await this.#pause(pauseMs);
			} catch (error) {
				// Made again behind this batch: two of them must not place people at the same time.
				await this.#ahead;
				this.#ahead = undefined;
				this.#hurried ||= hurried;
				this.#options.report.failed(error, backoffMs);
				await delay(backoffMs, undefined, {signal: this.#stop.signal}).catch(() => {});
				backoffMs = Math.min(backoffMs * 2, LAST_BACKOFF_MS);
			}
		}
		await this.#ahead;
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

	/** Answers how many activities there were. */
	async #drainOne(): Promise<number> {
		const {checkpointFile} = this.#options;
		const began = Date.now();
		const {inDoubt} = this.#checkpoint;
		const batch = (await this.#ahead) ?? batchOf(await this.#read());
		this.#ahead = undefined;
		const {slice, due} = batch;
		const last = slice.records.at(-1);
		if (last) {
			if (!inDoubt) {
				const from = this.#checkpoint.confirmed;
				const begun = {...this.#checkpoint, inDoubt: {from, to: slice.end}};
				await checkpointFile.write(begun);
				// Only now: borders that are not on disk would be forgotten, and their token would name other rows.
				this.#checkpoint = begun;
			}
			await this.#write(batch, inDoubt !== undefined);
		}
		const nextArrival = last ? last.arrival + last.rows : this.#checkpoint.nextArrival;
		await checkpointFile.write({confirmed: slice.end, nextArrival});
		this.#checkpoint = {confirmed: slice.end, nextArrival};
		this.#options.report.confirmed(this.#checkpoint, {
			activities: due.length,
			bytes: slice.bytes,
			ms: Date.now() - began,
		});
		return due.length;
	}

	/** The batch in doubt as it was, or as much as there is. */
	#read(): Promise<Slice> {
		const {journalDirectory, maxBatchBytes = MAX_BATCH_BYTES} = this.#options;
		const {inDoubt, confirmed} = this.#checkpoint;
		return inDoubt
			? readSlice(journalDirectory, inDoubt.from, inDoubt.to, Number.POSITIVE_INFINITY)
			: readSlice(journalDirectory, confirmed, this.#durable, maxBatchBytes);
	}

	/** Neither waits for the other; a try has ended when both have, so that the next one meets nobody. */
	async #write(batch: Batch, inDoubt: boolean): Promise<void> {
		const {usage, context} = this.#options;
		const {records} = batch.slice;
		const batchId = records[0]!.arrival;
		const outcomes = await Promise.allSettled([
			this.#writeRows(batch, batchId, inDoubt),
			usage.write(records, {instance: context.instance, batchId, inDoubt}),
		]);
		for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
	}

	async #writeRows({slice, due, prepared}: Batch, batchId: number, inDoubt: boolean): Promise<void> {
		const {writer, context} = this.#options;
		if (due.length === 0) return;
		const {signal} = this.#stop;
		const batchContext = {...context, batchId};
		const rows = prepared ?? (await writer.prepare(due, batchContext, inDoubt));
		const sent = () => {
			this.#ahead = this.#prepareAhead(slice).catch(() => undefined);
		};
		await writer.write(rows, batchContext, {inDoubt, signal, sent});
	}

	/** Where a whole batch waits already. What fails here fails again, and aloud, when its turn comes. */
	async #prepareAhead({end}: Slice): Promise<Batch | undefined> {
		const {journalDirectory, maxBatchBytes = MAX_BATCH_BYTES, writer, context} = this.#options;
		const enough = {...end, offset: end.offset + maxBatchBytes};
		if (this.#stop.signal.aborted || isBefore(this.#durable, enough)) return undefined;
		const batch = batchOf(await readSlice(journalDirectory, end, this.#durable, maxBatchBytes));
		const {slice, due} = batch;
		const [first] = slice.records;
		if (!first || due.length === 0 || due.some(record => record.replay)) return undefined;
		const prepared = await writer.prepare(due, {...context, batchId: first.arrival}, false);
		return {...batch, prepared};
	}
}

function batchOf(slice: Slice): Batch {
	return {slice, due: slice.records.filter(isDue)};
}

/**
 * How long after a batch the next one begins. Most of a small batch's cost is the batch: the more there is to do, the
 * longer the next one gathers, which leaves the processor to those who wait for a 200.
 */
export function paceMs(tookMs: number): number {
	return Math.max(SHORTEST_PAUSE_MS, Math.min(tookMs * PACE, LONGEST_PAUSE_MS));
}
