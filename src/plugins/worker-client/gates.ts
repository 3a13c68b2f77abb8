import {WorkerError} from './worker-error.ts';

interface Gate {
	inside: number;
	/** In the order they came; each is told when a place is its own. */
	readonly waiting: Set<() => void>;
	/** The last turn that was asked for; never rejects. */
	turn: Promise<unknown>;
}

export interface Patience {
	/** What would wait longer fails; absent: as long as it takes. */
	readonly patienceMs?: number | undefined;
	readonly signal?: AbortSignal | undefined;
}

/**
 * Calls under way to each plugin worker from one thread: at most so many, however many channels share it. The others wait
 * here, in the order they came, and their deadline has not begun.
 */
export class Gates {
	readonly #gates = new Map<string, Gate>();
	readonly #most: number;

	constructor(most: number) {
		this.#most = most;
	}

	/** Resolves once there is a place; `leave` must follow. Errors: `overloaded`, `aborted`. */
	async enter(name: string, {patienceMs, signal}: Patience): Promise<void> {
		if (signal?.aborted) throw new WorkerError('aborted');
		const gate = this.#gates.get(name) ?? {inside: 0, waiting: new Set(), turn: Promise.resolve()};
		this.#gates.set(name, gate);
		if (gate.inside < this.#most) {
			gate.inside += 1;
			return;
		}
		await new Promise<void>((resolve, reject) => {
			const end = (then: () => void) => () => {
				gate.waiting.delete(enter);
				clearTimeout(timer);
				signal?.removeEventListener('abort', abort);
				then();
			};
			const enter = end(resolve);
			const abort = end(() => reject(new WorkerError('aborted')));
			const expire = end(() => reject(new WorkerError('overloaded')));
			const timer = patienceMs === undefined ? undefined : setTimeout(expire, patienceMs);
			signal?.addEventListener('abort', abort);
			gate.waiting.add(enter);
		});
	}

	leave(name: string): void {
		const gate = this.#gates.get(name);
		if (!gate) return;
		const [next] = gate.waiting;
		// Whoever is next takes over the place.
		if (next) next();
		else gate.inside -= 1;
		if (gate.inside === 0) this.#gates.delete(name);
	}

	/** One after the other among those inside. */
	inTurn<T>(name: string, wait: () => Promise<T>): Promise<T> {
		const gate = this.#gates.get(name);
		if (!gate) return wait();
		const turn = gate.turn.then(wait);
		gate.turn = turn.catch(() => undefined);
		return turn;
	}
}
