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
/** Fields of a slot, each a BigInt64: hash of its owner, failures in a row, resting until (ms), next turn (ns). */
const [OWNER, FAILURES, RESTS_UNTIL, NEXT_TURN] = [0, 1, 2, 3];
const FIELDS = 4;

/** Whether a call may be made: yes, yes as the one that finds out, or no. */
export type Admission = 'open' | 'probe' | 'resting';

/**
 * What all threads know together of each plugin worker: whether it rests after failures (circuit breaker), and when its
 * `max_qps` lets the next call through. In shared memory, lock-free; a slot is found by the hash of its owner's name.
 */
export class WorkerStates {
	readonly buffer: SharedArrayBuffer;
	readonly #fields: BigInt64Array;
	readonly #slots = new LRUCache<string, number>({max: SLOTS});
	readonly #nowNs: () => bigint;

	/** `buffer`: that of another thread's `WorkerStates`; a new one where absent. */
	constructor(buffer?: SharedArrayBuffer, nowNs: () => bigint = process.hrtime.bigint) {
		this.buffer = buffer ?? new SharedArrayBuffer(SLOTS * FIELDS * BigInt64Array.BYTES_PER_ELEMENT);
		this.#fields = new BigInt64Array(this.buffer);
		this.#nowNs = nowNs;
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

	/** The slot of a name, taken by whoever asks first. Where all are taken the last one met is shared. */
	#slotOf(name: string): number {
		const known = this.#slots.get(name);
		if (known !== undefined) return known;
		const hash = createHash('sha256').update(name).digest().readBigInt64LE() || 1n;
		const first = Number(BigInt.asUintN(32, hash)) % SLOTS;
		let slot = first * FIELDS;
		for (let step = 0; step < SLOTS; step++) {
			slot = ((first + step) % SLOTS) * FIELDS;
			const owner = Atomics.compareExchange(this.#fields, slot + OWNER, 0n, hash);
			if (owner === 0n || owner === hash) break;
		}
		this.#slots.set(name, slot);
		return slot;
	}
}
