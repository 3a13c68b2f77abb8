import {WorkerError} from './worker-error.ts';

export interface AnswerRoomLimits {
	readonly bytes: number;
	/** Of it for one plugin worker, so that none takes it all. */
	readonly bytesPerWorker: number;
}

export const ANSWER_ROOM: AnswerRoomLimits = {bytes: 128 * 1024 * 1024, bytesPerWorker: 32 * 1024 * 1024};

/** A piece of the room. */
export interface Place {
	/** No more than this of it is needed. */
	shrink(bytes: number): void;
	leave(): void;
}

interface Asking {
	readonly name: string;
	readonly bytes: number;
	readonly resolve: (place: Place) => void;
}

/**
 * Memory of one thread for large answers, all together: who has no room reads on later. A place is taken whole before
 * more is read, so that nobody holds a part of an answer and waits for the rest of those that hold theirs.
 */
export class AnswerRoom {
	readonly #limits: AnswerRoomLimits;
	readonly #taken = new Map<string, number>();
	readonly #asking = new Set<Asking>();
	#takenInAll = 0;

	constructor(limits: AnswerRoomLimits = ANSWER_ROOM) {
		this.#limits = limits;
	}

	/** Bytes that are taken. */
	get taken(): number {
		return this.#takenInAll;
	}

	/** Resolves once there is room for the answer of the plugin worker of this name. Error: `overloaded` at `signal`. */
	take(name: string, bytes: number, signal: AbortSignal): Promise<Place> {
		const most = Math.min(bytes, this.#limits.bytes, this.#limits.bytesPerWorker);
		if (this.#fits(name, most)) return Promise.resolve(this.#give(name, most));
		return new Promise((resolve, reject) => {
			const giveUp = () => {
				this.#asking.delete(asking);
				reject(new WorkerError('overloaded', {detail: 'there is no room for more large answers'}));
			};
			const asking: Asking = {
				name,
				bytes: most,
				resolve: place => {
					signal.removeEventListener('abort', giveUp);
					resolve(place);
				},
			};
			this.#asking.add(asking);
			signal.addEventListener('abort', giveUp, {once: true});
			if (signal.aborted) giveUp();
		});
	}

	#fits(name: string, bytes: number): boolean {
		const {bytes: inAll, bytesPerWorker} = this.#limits;
		return this.#takenInAll + bytes <= inAll && (this.#taken.get(name) ?? 0) + bytes <= bytesPerWorker;
	}

	#give(name: string, bytes: number): Place {
		let held = bytes;
		this.#add(name, bytes);
		const shrink = (to: number) => {
			const free = held - Math.min(held, to);
			if (free === 0) return;
			held -= free;
			this.#add(name, -free);
			this.#letIn();
		};
		return {shrink, leave: () => shrink(0)};
	}

	#add(name: string, bytes: number): void {
		this.#takenInAll += bytes;
		const taken = (this.#taken.get(name) ?? 0) + bytes;
		if (taken === 0) this.#taken.delete(name);
		else this.#taken.set(name, taken);
	}

	#letIn(): void {
		for (const asking of this.#asking) {
			if (!this.#fits(asking.name, asking.bytes)) continue;
			this.#asking.delete(asking);
			asking.resolve(this.#give(asking.name, asking.bytes));
		}
	}
}
