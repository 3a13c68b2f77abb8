import {DomainError} from '../../errors.ts';

export type Lane = 'light' | 'heavy';

export interface SlotLimits {
	/** Questions that run at the same time, by lane. */
	readonly atOnce: Readonly<Record<Lane, number>>;
	/** Of one caller and lane; one slot of each lane is left to others, where there are two. */
	readonly perCaller: number;
	/** Of one caller, in both lanes. */
	readonly maxWaiting: number;
	readonly maxWaitMs: number;
}

interface Waiting {
	readonly start: () => void;
}

interface LaneState {
	free: number;
	/** Of each caller that has any; the one whose turn it is comes first. */
	readonly waiting: Map<string, Waiting[]>;
	readonly running: Map<string, number>;
}

/** So soon a caller who was refused may try again at the earliest, and at the latest, in s. */
const [SOONEST_S, LATEST_S] = [1, 30];

/**
 * Which question runs next. Each caller has a bounded number of slots and a bounded queue; callers who wait take turns,
 * so that nobody waits for another one's whole queue. Error: `queries_excessive`, with when to try again.
 */
export class Slots {
	readonly #limits: SlotLimits;
	readonly #lanes: Readonly<Record<Lane, LaneState>>;
	#meanMs = 1000;

	constructor(limits: SlotLimits) {
		this.#limits = limits;
		const state = (lane: Lane): LaneState => ({
			free: limits.atOnce[lane],
			waiting: new Map(),
			running: new Map(),
		});
		this.#lanes = {light: state('light'), heavy: state('heavy')};
	}

	/** How many run, and how many wait. */
	count(which: 'running' | 'waiting', lane: Lane): number {
		const {free, waiting} = this.#lanes[lane];
		if (which === 'running') return this.#limits.atOnce[lane] - free;
		return [...waiting.values()].reduce((sum, queue) => sum + queue.length, 0);
	}

	/** Resolves when it is the caller's turn, with what gives the slot back. Throws the signal's reason as well. */
	take(caller: string, lane: Lane, signal: AbortSignal): Promise<() => void> {
		signal.throwIfAborted();
		const state = this.#lanes[lane];
		const ahead = this.#waitingOf(caller);
		if (!state.waiting.has(caller) && this.#mayRun(caller, lane))
			return Promise.resolve(this.#occupy(caller, lane));
		const {maxWaiting, maxWaitMs} = this.#limits;
		if (ahead >= maxWaiting) {
			return Promise.reject(this.#refusal(`${ahead} questions of yours wait already`, ahead));
		}
		return new Promise((resolve, reject) => {
			const settle = () => {
				clearTimeout(patience);
				signal.removeEventListener('abort', leave);
			};
			const waiting: Waiting = {
				start: () => {
					settle();
					resolve(this.#occupy(caller, lane));
				},
			};
			const giveUp = (reason: unknown) => {
				settle();
				this.#forget(caller, lane, waiting);
				reject(reason);
			};
			const leave = () => giveUp(signal.reason);
			const patience = setTimeout(() => {
				giveUp(this.#refusal(`no slot became free within ${maxWaitMs / 1000} s`, ahead));
			}, maxWaitMs);
			signal.addEventListener('abort', leave, {once: true});
			const queue = state.waiting.get(caller);
			if (queue) queue.push(waiting);
			else state.waiting.set(caller, [waiting]);
			this.#pump(lane);
		});
	}

	#waitingOf(caller: string): number {
		const {light, heavy} = this.#lanes;
		return (light.waiting.get(caller)?.length ?? 0) + (heavy.waiting.get(caller)?.length ?? 0);
	}

	#mayRun(caller: string, lane: Lane): boolean {
		const {free, running} = this.#lanes[lane];
		const most = Math.min(this.#limits.perCaller, Math.max(1, this.#limits.atOnce[lane] - 1));
		return free > 0 && (running.get(caller) ?? 0) < most;
	}

	#occupy(caller: string, lane: Lane): () => void {
		const state = this.#lanes[lane];
		const since = performance.now();
		state.free -= 1;
		state.running.set(caller, (state.running.get(caller) ?? 0) + 1);
		let given = false;
		return () => {
			if (given) return;
			given = true;
			this.#meanMs += (performance.now() - since - this.#meanMs) / 8;
			state.free += 1;
			const left = state.running.get(caller)! - 1;
			if (left > 0) state.running.set(caller, left);
			else state.running.delete(caller);
			this.#pump(lane);
		};
	}

	/** Whoever is served goes behind all others. */
	#pump(lane: Lane): void {
		const {waiting} = this.#lanes[lane];
		for (let served = true; served; ) {
			served = false;
			for (const [caller, queue] of waiting) {
				if (!this.#mayRun(caller, lane)) continue;
				waiting.delete(caller);
				const next = queue.shift()!;
				if (queue.length > 0) waiting.set(caller, queue);
				next.start();
				served = true;
				break;
			}
		}
	}

	#forget(caller: string, lane: Lane, gone: Waiting): void {
		const {waiting} = this.#lanes[lane];
		const left = (waiting.get(caller) ?? []).filter(each => each !== gone);
		if (left.length > 0) waiting.set(caller, left);
		else waiting.delete(caller);
	}

	#refusal(reason: string, ahead: number): DomainError {
		const seconds = Math.ceil(((ahead + 1) * this.#meanMs) / 1000);
		return new DomainError('queries_excessive', `Too many questions at the same time: ${reason}`, {
			retryAfterSeconds: Math.min(LATEST_S, Math.max(SOONEST_S, seconds)),
		});
	}
}
