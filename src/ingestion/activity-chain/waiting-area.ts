import type {JournalRecord} from '../journal/record.ts';
import type {JournalPosition, PlacedRecord} from '../journal/segments.ts';

/** A record of the journal that waits for its analyzers. */
export interface Waiting {
	readonly arrival: number;
	readonly channelId: number;
	readonly at: JournalPosition;
	readonly bytes: number;
	/** Since when this process knows it, epoch ms. */
	readonly sinceMs: number;
	/** Absent where too much waits to be kept in memory: it is read again from its place. */
	record: JournalRecord | undefined;
	readonly keys: readonly string[];
	/** How many of its channel were not yet settled when it came. */
	readonly ahead: number;
}

interface Queue {
	/** From `next` on those that have not had their turn. */
	entries: Waiting[];
	next: number;
	/** Not yet settled, those under way included. */
	open: number;
	/** How long each takes where many wait, as the last one settled tells. */
	paceMs: number;
}

export interface WaitingBounds {
	/** Of one channel. Beyond it the channel's activities are refused at the door. */
	readonly perChannel: number;
	/** Of all channels together. */
	readonly inAll: number;
	/** Of bodies kept in memory; what comes beyond is read from the journal when its turn comes. */
	readonly heldBytes: number;
	/** A channel whose newest activity would wait longer than this has too many. */
	readonly longestWaitMs: number;
}

export const WAITING_BOUNDS: WaitingBounds = {
	perChannel: 50_000,
	inAll: 500_000,
	heldBytes: 64 * 1024 * 1024,
	longestWaitMs: 2 * 60_000,
};

/** Fewer are under way together, and say how long one takes and not how many get through. */
const LEAST_AHEAD = 128;

/**
 * What is on its way through analyzers, in order of arrival, with a queue a channel. It holds no promise of its own: all
 * of it stands in the journal, which releases nothing from `oldest` on, and is found there again at the next start.
 */
export class WaitingArea {
	readonly #bounds: WaitingBounds;
	readonly #open = new Map<number, Waiting>();
	readonly #byKey = new Map<string, number>();
	readonly #queues = new Map<number, Queue>();
	#heldBytes = 0;

	constructor(bounds: WaitingBounds = WAITING_BOUNDS) {
		this.#bounds = bounds;
	}

	get size(): number {
		return this.#open.size;
	}

	/** Where the oldest record lies that waits; undefined where none does. */
	get oldest(): JournalPosition | undefined {
		return this.#first()?.at;
	}

	/** Age in ms of the one that waits longest, 0 where none does. */
	ageMs(nowMs: number): number {
		const first = this.#first();
		return first ? Math.max(0, nowMs - first.sinceMs) : 0;
	}

	/** `leastPaceMs`: faster than this none gets through, where that is known. */
	isFull(channelId: number, leastPaceMs = 0): boolean {
		const {open, paceMs} = this.#queues.get(channelId) ?? {open: 0, paceMs: 0};
		if (open >= this.#bounds.perChannel || this.#open.size >= this.#bounds.inAll) return true;
		return open * Math.max(paceMs, leastPaceMs) > this.#bounds.longestWaitMs;
	}

	/** A record with `waits`, in the order of the journal. */
	add({record, at}: PlacedRecord, nowMs: number, {hold = true} = {}): void {
		const {arrival, waits, body, keys = []} = record;
		const channelId = waits?.channelId ?? 0;
		const isHeld = hold && this.#heldBytes + body.length <= this.#bounds.heldBytes;
		const queue = this.#queues.get(channelId);
		const waiting: Waiting = {
			arrival,
			channelId,
			at,
			bytes: body.length,
			sinceMs: nowMs,
			record: isHeld ? record : undefined,
			keys: keys.map(key => key.toString('latin1')),
			ahead: queue?.open ?? 0,
		};
		if (isHeld) this.#heldBytes += body.length;
		this.#open.set(arrival, waiting);
		for (const key of waiting.keys) this.#byKey.set(key, arrival);
		if (queue) {
			queue.entries.push(waiting);
			queue.open += 1;
		} else this.#queues.set(channelId, {entries: [waiting], next: 0, open: 1, paceMs: 0});
	}

	/** The channel's next one whose turn it is; it stays open until it is settled. */
	take(channelId: number): Waiting | undefined {
		const queue = this.#queues.get(channelId);
		const waiting = queue?.entries[queue.next];
		if (!queue || !waiting) return undefined;
		queue.next += 1;
		if (queue.next > 1000 && queue.next * 2 > queue.entries.length) {
			queue.entries = queue.entries.slice(queue.next);
			queue.next = 0;
		}
		return this.#open.has(waiting.arrival) ? waiting : this.take(channelId);
	}

	/** Its outcome is on disk, since `nowMs`. */
	settle(arrival: number, nowMs: number): void {
		const waiting = this.#open.get(arrival);
		if (!waiting) return;
		this.#open.delete(arrival);
		if (waiting.record) this.#heldBytes -= waiting.bytes;
		waiting.record = undefined;
		for (const key of waiting.keys) if (this.#byKey.get(key) === arrival) this.#byKey.delete(key);
		const queue = this.#queues.get(waiting.channelId);
		if (!queue) return;
		queue.open -= 1;
		if (waiting.ahead >= LEAST_AHEAD) queue.paceMs = (nowMs - waiting.sinceMs) / waiting.ahead;
		if (queue.open === 0) this.#queues.delete(waiting.channelId);
	}

	has(arrival: number): boolean {
		return this.#open.has(arrival);
	}

	/** The arrival that waits under a deduplication key. */
	underKey(key: Buffer): number | undefined {
		return this.#byKey.get(key.toString('latin1'));
	}

	channels(): readonly number[] {
		return [...this.#queues.keys()];
	}

	#first(): Waiting | undefined {
		for (const waiting of this.#open.values()) return waiting;
		return undefined;
	}
}
