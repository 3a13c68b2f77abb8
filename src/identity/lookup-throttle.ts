import {LRUCache} from 'lru-cache';
import {DomainError} from '../errors.ts';
import {networkOf} from '../lib/networks.ts';

/** Unknown credentials a network may bring at once, and how many more each second. */
const BURST = 100;
const PER_SECOND = 10;
const MAX_NETWORKS = 50_000;

/** Stands before a question to PostgreSQL about a credential that is not in memory. */
export type GuardLookup = <Found>(look: () => Promise<Found | undefined>) => Promise<Found | undefined>;

/** For callers that have been asked about otherwise. */
export const UNGUARDED: GuardLookup = look => look();

interface Credit {
	left: number;
	atMs: number;
}

/**
 * Whoever guesses credentials gets slow, and keeps nobody else from PostgreSQL: what is not found is paid for by its
 * network, what is found costs nothing, and what is known in memory never comes here. Counted by each instance.
 */
export class LookupThrottle {
	readonly #now: () => number;
	readonly #credits = new LRUCache<string, Credit>({max: MAX_NETWORKS});

	/** `now` in ms. */
	constructor(now: () => number = Date.now) {
		this.#now = now;
	}

	/** Error: `credentials_excessive`, before anything is asked; those of `look`. */
	async guard<Found>(
		remoteAddress: string,
		look: () => Promise<Found | undefined>,
	): Promise<Found | undefined> {
		const credit = this.#creditOf(networkOf(remoteAddress));
		if (credit.left < 1) {
			throw new DomainError('credentials_excessive', 'Too many unknown credentials from this address', {
				retryAfterSeconds: 1,
			});
		}
		// Taken before the answer is there: questions side by side must not slip past the limit.
		credit.left--;
		let isRefused = false;
		try {
			const found = await look();
			isRefused = found === undefined;
			return found;
		} finally {
			if (!isRefused) credit.left = Math.min(BURST, credit.left + 1);
		}
	}

	#creditOf(network: string): Credit {
		const now = this.#now();
		let credit = this.#credits.get(network);
		if (!credit) {
			credit = {left: BURST, atMs: now};
			this.#credits.set(network, credit);
		}
		credit.left = Math.min(BURST, credit.left + ((now - credit.atMs) / 1000) * PER_SECOND);
		credit.atMs = now;
		return credit;
	}
}
