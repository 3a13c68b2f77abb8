import {write} from 'node:fs';
import {type FileHandle, rm} from 'node:fs/promises';
import {DomainError} from '../../errors.ts';
import {syncDirectory} from '../../lib/files.ts';
import {encodeRecord, type JournalRecord} from './record.ts';
import {type Recovered, type RecoveryOptions, recover} from './recovery.ts';
import {isBefore, type JournalPosition, openSegment, type PlacedRecord, segmentFile} from './segments.ts';

/** An activity on its way into the journal; the journal itself stamps its arrival. */
export type NewRecord = Omit<JournalRecord, 'arrival'>;

export interface JournalOptions extends RecoveryOptions {
	/** A segment is closed once it is longer than this. */
	readonly segmentBytes?: number;
	/** Accepting stops (`journal_full`, 503) once this much waits to be drained. On disk there may be a segment more. */
	readonly maxBytes?: number;
	/** Told of every group that is on disk. */
	readonly onCommit?: (group: CommittedGroup) => void;
	/** Told of every record that waits for its analyzers, once it is on disk and before `append` resolves. */
	readonly onWaiting?: (kept: PlacedRecord) => void;
}

/** What one sync carried; its arrivals are below `nextArrival`. */
export interface CommittedGroup {
	readonly records: number;
	readonly bytes: number;
	/** From the write to the disk's answer. */
	readonly ms: number;
	readonly nextArrival: number;
}

/** The counter's low 22 bits break ties in a timeline; an activity's rows never straddle their wrap. */
export const TIE_VALUES = 2 ** 22;

interface Waiting {
	readonly arrivals: number[];
	readonly frames: readonly Buffer[];
	/** Which of the frames wait for their analyzers; absent where none does. */
	readonly waits?: readonly (JournalRecord | undefined)[] | undefined;
	readonly nextArrival: number;
	readonly resolve: (arrivals: number[]) => void;
	readonly reject: (error: Error) => void;
}

/**
 * The promise behind a 200: an append-only log, on disk (O_DSYNC) before `append` resolves.
 * All that waits while one sync runs goes into the next one together (group commit).
 * A failed write or sync rejects its group and cuts the segment back, so that a refused activity is not stored.
 */
export class Journal {
	readonly directory: string;
	#handle: FileHandle;
	#segment: number;
	#length: number;
	#closedBytes: number;
	#nextArrival: number;
	#lastArrival: number;
	#lastCommit: Journal['lastCommit'];
	#waiting: Waiting[] = [];
	#pump: Promise<void> | undefined;
	#broken: Error | undefined;
	#closing = false;
	#rollAsked = false;
	/** What was released last: what lies behind it is still needed. */
	#needed: JournalPosition;
	readonly #segmentBytes: number;
	readonly #maxBytes: number;
	readonly #onCommit: JournalOptions['onCommit'];
	readonly #onWaiting: JournalOptions['onWaiting'];
	readonly #listeners = new Set<() => void>();
	#sizes: Map<number, number>;

	private constructor(options: JournalOptions, state: Recovered) {
		this.directory = options.directory;
		this.#segmentBytes = options.segmentBytes ?? 64 * 1024 * 1024;
		this.#maxBytes = options.maxBytes ?? 8 * 1024 ** 3;
		this.#onCommit = options.onCommit;
		this.#onWaiting = options.onWaiting;
		this.#needed = options.confirmed ?? {segment: 0, offset: 0};
		this.#handle = state.handle;
		this.#segment = state.segment;
		this.#length = state.length;
		this.#sizes = state.sizes;
		this.#closedBytes = [...state.sizes.values()].reduce((sum, size) => sum + size, 0);
		this.#nextArrival = state.nextArrival;
		this.#lastArrival = state.nextArrival - 1;
	}

	static async open(options: JournalOptions): Promise<Journal> {
		return new Journal(options, await recover(options));
	}

	/** Where the oldest record that has not been released begins. */
	get oldest(): JournalPosition {
		return {segment: Math.min(this.#segment, ...this.#sizes.keys()), offset: 0};
	}

	/** Everything before this is on disk. */
	get durable(): JournalPosition {
		return {segment: this.#segment, offset: this.#length};
	}

	/** Bytes on disk that the drain has not released. */
	get bytes(): number {
		return this.#closedBytes + this.#length;
	}

	/** Bytes on disk behind a position. */
	bytesAfter({segment, offset}: JournalPosition): number {
		if (segment === this.#segment) return this.#length - offset;
		let bytes = this.#length - offset;
		for (const [closed, size] of this.#sizes) if (closed >= segment) bytes += size;
		return bytes;
	}

	/** What the newest sync carried, and when it began (epoch ms); right behind `append`, the one that kept its records. */
	get lastCommit(): (CommittedGroup & {readonly startedMs: number}) | undefined {
		return this.#lastCommit;
	}

	/** The newest arrival that is on disk; 0 where there is none yet. */
	get lastArrival(): number {
		return this.#lastArrival;
	}

	get nextArrival(): number {
		return this.#nextArrival;
	}

	/** Called after every group commit. */
	onDurable(listener: () => void): void {
		this.#listeners.add(listener);
	}

	/**
	 * Resolves with the arrivals of the records, in order, once all of them are durable together.
	 * Errors: `journal_full`, `shutting_down`, `store_unavailable` (the disk refused); nothing is kept then.
	 * `pastBound`: what lets the journal go of older records may pass its bound, or it would stay full for ever.
	 */
	append(records: readonly NewRecord[], {pastBound = false} = {}): Promise<number[]> {
		if (this.#closing)
			throw new DomainError('shutting_down', 'the service is stopping', {retryAfterSeconds: 5});
		if (this.#broken) throw this.#unwritable(this.#broken);
		if (!pastBound && this.#isFull()) {
			throw new DomainError('journal_full', 'the journal has reached its disk bound', {
				retryAfterSeconds: 10,
			});
		}
		const arrivals: number[] = [];
		const frames: Buffer[] = [];
		let waits: (JournalRecord | undefined)[] | undefined;
		for (const [index, record] of records.entries()) {
			const arrival = this.#reserve(record.rows);
			arrivals.push(arrival);
			frames.push(encodeRecord(record, arrival));
			if (record.waits) {
				waits ??= [];
				waits[index] = {...record, arrival};
			}
		}
		return new Promise((resolve, reject) => {
			this.#waiting.push({
				arrivals,
				frames,
				waits,
				nextArrival: this.#nextArrival,
				resolve,
				reject,
			});
			this.#pump ??= this.#commitAll();
		});
	}

	/**
	 * Begins a new segment, so that the texts in the present one go as soon as it is drained; answers the newest segment
	 * that holds something of before. Errors: `shutting_down`, `store_unavailable`.
	 */
	async roll(): Promise<number> {
		if (this.#closing)
			throw new DomainError('shutting_down', 'the service is stopping', {retryAfterSeconds: 5});
		await new Promise<number[]>((resolve, reject) => {
			this.#rollAsked = true;
			this.#waiting.push({arrivals: [], frames: [], nextArrival: this.#nextArrival, resolve, reject});
			this.#pump ??= this.#commitAll();
		});
		return Math.max(0, ...this.#sizes.keys());
	}

	/** Removes whole segments that end before `position`; they have been confirmed by every store. */
	async release(position: JournalPosition): Promise<void> {
		this.#needed = position;
		for (const [segment, size] of this.#sizes) {
			if (!isBefore({segment, offset: size}, {segment: position.segment, offset: 0})) continue;
			await rm(segmentFile(this.directory, segment), {force: true});
			this.#sizes.delete(segment);
			this.#closedBytes -= size;
		}
	}

	/** Waits for what was accepted, then closes. */
	async close(): Promise<void> {
		this.#closing = true;
		await this.#pump;
		await this.#handle.close();
	}

	/** A drained end of the newest segment cannot be removed yet: it does not count, or the journal would stay full. */
	#isFull(): boolean {
		return this.bytes > this.#maxBytes && this.bytesAfter(this.#needed) > this.#maxBytes;
	}

	#reserve(rows: number): number {
		const wrap = this.#nextArrival % TIE_VALUES;
		const arrival = wrap + rows > TIE_VALUES ? this.#nextArrival + TIE_VALUES - wrap : this.#nextArrival;
		this.#nextArrival = arrival + rows;
		return arrival;
	}

	async #commitAll(): Promise<void> {
		while (this.#waiting.length > 0) {
			// One turn of the event loop: requests parsed in the same turn share the sync.
			await new Promise(resolve => setImmediate(resolve));
			const group = this.#waiting;
			this.#waiting = [];
			try {
				const start = await this.#commit(framesOf(group), group.at(-1)!.nextArrival);
				if (this.#onWaiting) this.#tellWaiting(group, start);
				for (const waiting of group) waiting.resolve(waiting.arrivals);
			} catch (error) {
				for (const waiting of group) waiting.reject(this.#unwritable(error));
			}
			for (const listener of this.#listeners) listener();
		}
		this.#pump = undefined;
	}

	/** Before anybody is answered: from the answer on, the journal must keep what waits. */
	#tellWaiting(group: readonly Waiting[], start: number): void {
		let offset = start;
		for (const {frames, waits} of group) {
			for (const [index, frame] of frames.entries()) {
				const record = waits?.[index];
				if (record) this.#onWaiting?.({record, at: {segment: this.#segment, offset}});
				offset += frame.length;
			}
		}
	}

	/** Answers where in the newest segment the group begins. */
	async #commit(frames: readonly Buffer[], nextArrival: number): Promise<number> {
		if (this.#broken) throw this.#broken;
		if (this.#length > this.#segmentBytes || (this.#rollAsked && this.#length > 0)) await this.#roll();
		this.#rollAsked = false;
		const before = this.#length;
		if (frames.length === 0) return before;
		const group = frames.length === 1 ? frames[0]! : Buffer.concat(frames);
		const began = performance.now();
		try {
			await writeWhole(this.#handle.fd, group, before);
		} catch (error) {
			await this.#cutBack(before);
			throw error;
		}
		this.#length = before + group.length;
		this.#lastArrival = nextArrival - 1;
		const ms = performance.now() - began;
		const records = frames.length;
		this.#lastCommit = {records, bytes: group.length, ms, nextArrival, startedMs: Date.now() - ms};
		this.#onCommit?.(this.#lastCommit);
		return before;
	}

	async #roll(): Promise<void> {
		const next = this.#segment + 1;
		const handle = await openSegment(this.directory, next);
		await syncDirectory(this.directory);
		await this.#handle.close();
		this.#sizes.set(this.#segment, this.#length);
		this.#closedBytes += this.#length;
		this.#handle = handle;
		this.#segment = next;
		this.#length = 0;
	}

	/** After a failed sync the page cache cannot be trusted: refuse everything when even the cut fails. */
	async #cutBack(length: number): Promise<void> {
		try {
			await this.#handle.truncate(length);
			await this.#handle.datasync();
		} catch (error) {
			this.#broken = error as Error;
		}
	}

	#unwritable(cause: unknown): DomainError {
		return new DomainError('store_unavailable', 'the journal cannot be written', {
			cause,
			retryAfterSeconds: 5,
		});
	}
}

function framesOf(group: readonly Waiting[]): Buffer[] {
	const all: Buffer[] = [];
	for (const {frames} of group) for (const frame of frames) all.push(frame);
	return all;
}

/** The callback form costs half of a FileHandle's own, on the path of every commit; it may take less than it is given. */
function writeWhole(fd: number, bytes: Buffer, position: number): Promise<void> {
	return new Promise((resolve, reject) => {
		write(fd, bytes, 0, bytes.length, position, (error, written) => {
			if (error) reject(error);
			else if (written === bytes.length) resolve();
			else writeWhole(fd, bytes.subarray(written), position + written).then(resolve, reject);
		});
	});
}
