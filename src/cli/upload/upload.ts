import {randomUUID} from 'node:crypto';
import {type MillraceClient, MillraceError} from '../../client/index.ts';
import {type Batch, type BatchSize, batchesOf} from './batches.ts';
import type {Line} from './lines.ts';
import {type BatchResult, type BatchTarget, postBatch, type Rejection, reasonOf} from './post-batch.ts';

export interface UploadOptions {
	readonly client: MillraceClient;
	readonly datamartId: string;
	readonly size?: BatchSize;
	/**
	 * Requests under way at once. With one, activities arrive in the order of the file, which decides between events of
	 * one millisecond; with more, batches may overtake one another.
	 */
	readonly inFlight?: number;
	/** Of a run that was interrupted: with it and the same lines, what was sent already is known again. */
	readonly runId?: string;
	/** After each batch, with the totals so far. */
	readonly onProgress?: (totals: Totals) => void;
	/** The line up to which everything has been answered for, whenever that has moved. */
	readonly onAnswered?: (line: number) => void;
}

export interface Totals {
	/** Lines the service has answered for. */
	readonly lines: number;
	readonly accepted: number;
	readonly duplicates: number;
	readonly rejected: number;
}

export interface UploadResult extends Totals {
	/** The first `MAX_REJECTIONS_KEPT`, in order of the file. */
	readonly rejections: readonly Rejection[];
	/** Why it stopped early, and the first line that was not answered for; undefined when all was sent. */
	readonly stopped: {readonly reason: string; readonly line: number} | undefined;
}

export const MAX_REJECTIONS_KEPT = 1000;
const DEFAULT_SIZE: BatchSize = {maxLines: 500, maxLength: 1024 * 1024};

/**
 * Posts lines in batches; the last one waits until everything can be asked for. Where nothing of it was stored, the last
 * request that was is sent again to wait: it has its key, so nothing is stored twice. Stops at the first batch that fails.
 */
export async function uploadLines(lines: AsyncIterable<Line>, options: UploadOptions): Promise<UploadResult> {
	const {client, datamartId, size = DEFAULT_SIZE, inFlight = 1, runId = randomUUID()} = options;
	const target = {client, datamartId, runId};
	const tally = new Tally(options.onProgress);
	const answered = new Answered(options.onAnswered);
	const underWay = new Set<Promise<void>>();
	for await (const batch of batchesOf(lines, size)) {
		// The last batch's wait covers the others only if they have been accepted before it.
		while (underWay.size >= (batch.isLast ? 1 : inFlight)) await Promise.race(underWay);
		if (tally.stopped) break;
		const sending: Promise<void> = send(batch, {...target, untilQueryable: batch.isLast}, tally)
			.then(isAnswered => {
				if (isAnswered) answered.add(batch);
			})
			.finally(() => underWay.delete(sending));
		answered.expect(batch);
		underWay.add(sending);
	}
	await Promise.all(underWay);
	const {lastTaken, stopped} = tally;
	if (lastTaken && !lastTaken.isQueryable && !stopped) {
		await orStop(tally, lastTaken.lines[0]!.number, () =>
			postBatch(lastTaken.lines, {...target, untilQueryable: true}),
		);
	}
	return tally.result();
}

function send(batch: Batch, target: BatchTarget, tally: Tally): Promise<boolean> {
	return orStop(tally, batch.lines[0]!.number, async () => {
		tally.add(batch.lines.length, await postBatch(batch.lines, target));
	});
}

/** Whether it went through. */
async function orStop(tally: Tally, line: number, work: () => Promise<unknown>): Promise<boolean> {
	try {
		await work();
		return true;
	} catch (error) {
		if (!(error instanceof MillraceError)) throw error;
		tally.stop(reasonOf(error), line);
		return false;
	}
}

/** Batches may be answered out of order; what counts is the line before which none is missing. */
class Answered {
	readonly #tell: UploadOptions['onAnswered'];
	/** Sent and not yet known to be answered, in the order of the file. */
	readonly #expected: Batch[] = [];
	readonly #done = new Set<Batch>();

	constructor(tell: UploadOptions['onAnswered']) {
		this.#tell = tell;
	}

	expect(batch: Batch): void {
		this.#expected.push(batch);
	}

	add(batch: Batch): void {
		this.#done.add(batch);
		let line: number | undefined;
		while (this.#expected[0] && this.#done.delete(this.#expected[0])) {
			line = this.#expected.shift()!.lines.at(-1)!.number;
		}
		if (line !== undefined) this.#tell?.(line);
	}
}

class Tally {
	#totals: Totals = {lines: 0, accepted: 0, duplicates: 0, rejected: 0};
	readonly #rejections: Rejection[] = [];
	#lastTaken: BatchResult['lastTaken'];
	#stopped: UploadResult['stopped'];
	readonly #onProgress: UploadOptions['onProgress'];

	constructor(onProgress: UploadOptions['onProgress']) {
		this.#onProgress = onProgress;
	}

	get stopped() {
		return this.#stopped;
	}

	get lastTaken() {
		return this.#lastTaken;
	}

	add(sent: number, {rejections, lastTaken, ...more}: BatchResult): void {
		const {lines, accepted, duplicates, rejected} = this.#totals;
		this.#totals = {
			lines: lines + sent,
			accepted: accepted + more.accepted,
			duplicates: duplicates + more.duplicates,
			rejected: rejected + rejections.length,
		};
		this.#lastTaken = lastTaken ?? this.#lastTaken;
		this.#rejections.push(...rejections.slice(0, MAX_REJECTIONS_KEPT - this.#rejections.length));
		this.#onProgress?.(this.#totals);
	}

	stop(reason: string, line: number): void {
		if (!this.#stopped || line < this.#stopped.line) this.#stopped = {reason, line};
	}

	result(): UploadResult {
		return {
			...this.#totals,
			rejections: this.#rejections.sort((a, b) => a.line - b.line),
			stopped: this.#stopped,
		};
	}
}
