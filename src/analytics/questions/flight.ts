import type {Answer} from '../../warehouse/warehouse.ts';

/** One attempt that several callers wait for; it ends early when the last of them has left. */
export class Flight {
	readonly #left = new AbortController();
	readonly #landing: Promise<Answer>;
	#passengers = 0;

	constructor(attempt: (signal: AbortSignal) => Promise<Answer>) {
		this.#landing = attempt(this.#left.signal);
		// Whoever waits is told; nobody may be left.
		this.#landing.catch(() => undefined);
	}

	/** Nobody joins what has been given up. */
	get isOpen(): boolean {
		return !this.#left.signal.aborted;
	}

	/** Settles once nothing of it runs any more. */
	async landed(): Promise<void> {
		await this.#landing.catch(() => undefined);
	}

	/** Throws the signal's reason to whoever leaves; the others' attempt goes on. */
	async join(signal: AbortSignal): Promise<Answer> {
		signal.throwIfAborted();
		this.#passengers += 1;
		let leave = (): void => undefined;
		const gone = new Promise<never>((_, reject) => {
			leave = () => reject(signal.reason);
			signal.addEventListener('abort', leave, {once: true});
		});
		try {
			return await Promise.race([this.#landing, gone]);
		} finally {
			signal.removeEventListener('abort', leave);
			this.#passengers -= 1;
			if (this.#passengers === 0) this.#left.abort(signal.reason);
		}
	}
}
