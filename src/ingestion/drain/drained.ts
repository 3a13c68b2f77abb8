import {setTimeout as delay} from 'node:timers/promises';
import {DomainError} from '../../errors.ts';
import type {Checkpoint} from './checkpoint.ts';

interface Waiter {
	readonly arrival: number;
	readonly resolve: () => void;
	readonly reject: (error: Error) => void;
}

/** So long somebody waits for a store that is down. */
const PATIENCE_MS = 30_000;

function notYetQueryable(): DomainError {
	const message = 'the activity is kept, and will be queryable later; do not send it again';
	return new DomainError('not_yet_queryable', message);
}

/** What somebody waits for, for at most 30 s. Error: `not_yet_queryable`. */
export async function patiently<Result>(waitedFor: Promise<Result>): Promise<Result> {
	const end = new AbortController();
	const tooLong = delay(PATIENCE_MS, undefined, {signal: end.signal}).then(() => {
		throw notYetQueryable();
	});
	tooLong.catch(() => undefined);
	try {
		return await Promise.race([waitedFor, tooLong]);
	} finally {
		end.abort();
	}
}

/** How far the drain is, as the accepting side knows it, and who waits for it there. */
export class Drained {
	#checkpoint: Checkpoint;
	#waiters: Waiter[] = [];

	constructor(checkpoint: Checkpoint) {
		this.#checkpoint = checkpoint;
	}

	get checkpoint(): Checkpoint {
		return this.#checkpoint;
	}

	get hasWaiters(): boolean {
		return this.#waiters.length > 0;
	}

	/** Resolves once the activity with this arrival is in every store. Error: `not_yet_queryable` after 30 s. */
	whenQueryable(arrival: number): Promise<void> {
		if (arrival < this.#checkpoint.nextArrival) return Promise.resolve();
		return new Promise((resolve, reject) => {
			const waiter = {
				arrival,
				resolve() {
					clearTimeout(patience);
					resolve();
				},
				reject(error: Error) {
					clearTimeout(patience);
					reject(error);
				},
			};
			const patience = setTimeout(() => {
				this.#waiters = this.#waiters.filter(other => other !== waiter);
				reject(notYetQueryable());
			}, PATIENCE_MS);
			this.#waiters.push(waiter);
		});
	}

	confirm(checkpoint: Checkpoint): void {
		this.#checkpoint = checkpoint;
		const answered = this.#waiters.filter(waiter => waiter.arrival < checkpoint.nextArrival);
		this.#waiters = this.#waiters.filter(waiter => waiter.arrival >= checkpoint.nextArrival);
		for (const waiter of answered) waiter.resolve();
	}

	/** Nobody drains any more: whoever waits is told to come back. What they sent is kept. */
	end(): void {
		const stopped = new DomainError('shutting_down', 'the service is stopping', {retryAfterSeconds: 5});
		for (const waiter of this.#waiters.splice(0)) waiter.reject(stopped);
	}
}
