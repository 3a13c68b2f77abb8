import {createHash} from 'node:crypto';
import {LRUCache} from 'lru-cache';

/** So many failures in a row and a plugin worker is left alone. */
const FAILURES_TO_REST = 5;
const FIRST_REST_MS = 5_000;
const LAST_REST_MS = 60_000;
/** So long one call may find out whether a resting plugin worker is back, before another one may. */
const PROBE_MS = 10_000;
/** A turn further away than this is not waited for. */
const LONGEST_TURN_MS = 30_000;

const SLOTS = 4096;
/** Fields of a slot, each a BigInt64: hash of its owner, failures in a row, resting until (ms), next turn (ns), last use (ms). */
const [OWNER, FAILURES, RESTS_UNTIL, NEXT_TURN, USED] = [0, 1, 2, 3, 4];
const FIELDS = 5;
/** A name stands in one of so many slots behind the one its hash says. */
const WINDOW = 256;
/** One that nobody asked for so long may be taken over; those that exist are greeted every minute. */
const IDLE_MS = 10 * 60_000;

/** Whether a call may be made: yes, yes as the one that finds out, or no. */
export type Admission = 'open' | 'probe' | 'resting';

/**
 * What all threads know together of each plugin worker: whether it rests after failures (circuit breaker), and when its
 * `max_qps` lets the next call through. In shared memory, lock-free; a slot is found by the hash of its owner's name, and
 * goes to another one once its owner has not been called for ten minutes.
 */
export class WorkerStates {
	readonly buffer: SharedArrayBuffer;
	readonly #fields: BigInt64Array;
	readonly #known = new LRUCache<string, {readonly hash: bigint; slot: number}>({max: SLOTS});
	readonly #nowNs: () => bigint;

	/** `buffer`: that of another thread's `WorkerStates`; a new one where absent. */
	constructor(buffer?: SharedArrayBuffer, nowNs: () => bigint = process.hrtime.bigint) {
		this.buffer = buffer ?? new SharedArrayBuffer(SLOTS * FIELDS * BigInt64Array.BYTES_PER_ELEMENT);
		this.#fields = new BigInt64Array(this.buffer);
		this.#nowNs = nowNs;
	}

	/** Whether it is left alone at the moment; asking changes nothing. */
	rests(name: string): boolean {
		return Atomics.load(this.#fields, this.#slotOf(name) + RESTS_UNTIL) > this.#nowMs();
	}

	/** Whether the plugin worker of this name may be called now. */
	admit(name: string): Admission {
		const at = this.#slotOf(name) + RESTS_UNTIL;
		const until = Atomics.load(this.#fields, at);
		if (until === 0n) return 'open';
		const now = this.#nowMs();
		if (now < until) return 'resting';
		// Of all who ask at this moment one moves the end on, and goes and sees.
		return Atomics.compareExchange(this.#fields, at, until, now + BigInt(PROBE_MS)) === until
			? 'probe'
			: 'resting';
	}

	/** It answered: whatever it said, it is there. */
	succeeded(name: string): void {
		const slot = this.#slotOf(name);
		if (Atomics.load(this.#fields, slot + FAILURES) === 0n) return;
		Atomics.store(this.#fields, slot + FAILURES, 0n);
		Atomics.store(this.#fields, slot + RESTS_UNTIL, 0n);
	}

	/** It could not be reached, was too slow or said that it cannot. Calls that were under way count once. */
	failed(name: string, admission: Admission): void {
		const slot = this.#slotOf(name);
		const now = this.#nowMs();
		if (admission !== 'probe' && Atomics.load(this.#fields, slot + RESTS_UNTIL) > now) return;
		const failures = Number(Atomics.add(this.#fields, slot + FAILURES, 1n)) + 1;
		if (failures < FAILURES_TO_REST) return;
		const restMs = Math.min(LAST_REST_MS, FIRST_REST_MS * 2 ** Math.min(10, failures - FAILURES_TO_REST));
		Atomics.store(this.#fields, slot + RESTS_UNTIL, now + BigInt(restMs));
	}

	/** Takes the next turn that `maxQps` has left: how many ms until then; undefined where that is too far away. */
	takeTurn(name: string, maxQps: number): number | undefined {
		const at = this.#slotOf(name) + NEXT_TURN;
		const interval = BigInt(Math.max(1, Math.round(1e9 / maxQps)));
		for (;;) {
			const now = this.#nowNs();
			const next = Atomics.load(this.#fields, at);
			const waitMs = Math.max(0, Number(next - now) / 1e6);
			if (waitMs > LONGEST_TURN_MS) return undefined;
			const after = (waitMs > 0 ? next : now) + interval;
			if (Atomics.compareExchange(this.#fields, at, next, after) === next) return waitMs;
		}
	}

	/** How many plugin workers are left alone at the moment. */
	get resting(): number {
		const now = this.#nowMs();
		let resting = 0;
		for (let slot = 0; slot < this.#fields.length; slot += FIELDS) {
			if (Atomics.load(this.#fields, slot + RESTS_UNTIL) > now) resting += 1;
		}
		return resting;
	}

	#nowMs(): bigint {
		return this.#nowNs() / 1_000_000n;
	}

	/** The slot of a name, taken by whoever asks first. */
	#slotOf(name: string): number {
		let known = this.#known.get(name);
		if (!known) {
			known = {hash: hashOf(name), slot: -1};
			this.#known.set(name, known);
		}
		if (known.slot < 0 || Atomics.load(this.#fields, known.slot + OWNER) !== known.hash) {
			known.slot = this.#take(known.hash);
		}
		Atomics.store(this.#fields, known.slot + USED, this.#nowMs());
		return known.slot;
	}

	/** Where it stands already, or the first slot of its window that is free. Where all are taken the last one is shared. */
	#take(hash: bigint): number {
		const first = Number(BigInt.asUintN(32, hash)) % SLOTS;
		const window = Array.from({length: WINDOW}, (_, step) => ((first + step) % SLOTS) * FIELDS);
		for (;;) {
			const own = window.find(slot => Atomics.load(this.#fields, slot + OWNER) === hash);
			if (own !== undefined) return own;
			const free = window.find(slot => this.#isFree(slot));
			if (free === undefined) return window.at(-1)!;
			const owner = Atomics.load(this.#fields, free + OWNER);
			// Somebody else's use in between renews it: the look around begins again.
			if (!this.#isFree(free)) continue;
			if (Atomics.compareExchange(this.#fields, free + OWNER, owner, hash) !== owner) continue;
			for (const field of [FAILURES, RESTS_UNTIL, NEXT_TURN]) Atomics.store(this.#fields, free + field, 0n);
			return free;
		}
	}

	#isFree(slot: number): boolean {
		if (Atomics.load(this.#fields, slot + OWNER) === 0n) return true;
		return Atomics.load(this.#fields, slot + USED) + BigInt(IDLE_MS) < this.#nowMs();
	}
}

function hashOf(name: string): bigint {
	return createHash('sha256').update(name).digest().readBigInt64LE() || 1n;
}
