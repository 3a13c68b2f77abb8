import {createHash} from 'node:crypto';
import {setTimeout as delay} from 'node:timers/promises';
import {LRUCache} from 'lru-cache';
import {DomainError} from '../../errors.ts';
import {networkOf} from '../../lib/networks.ts';

/** Failures an address has free: a person who mistypes never meets more. */
const FREE_OF_ADDRESS = 10;
/** An address beyond them waits this long, then twice as long after each further failure. */
const FIRST_BLOCK_MS = 1_000;
const LONGEST_BLOCK_MS = 15 * 60_000;
/** Of an account at an address that its owner uses: somebody beside them must not keep them out. */
const FAMILIAR_BLOCK_MS = 30_000;
/** Attempts of one address that may be under way at once, as long as it has failures free. */
const AT_ONCE = 64;
/** Failures of an account, from anywhere, before answers to strangers come late. */
const FREE_OF_ACCOUNT = 5;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 4_000;
/** Answers held back at once; beyond them strangers are asked to come again. */
const MAX_HELD = 500;
/** Failures are forgotten after this long without a new one. */
const MEMORY_MS = 60 * 60_000;
/** Bounded: some hundred bytes each. */
const MAX_REMEMBERED = 20_000;
const FAMILIAR_MS = 30 * 24 * 3_600_000;

interface Failures {
	count: number;
	/** Attempts whose end is not known yet. */
	pending: number;
	lastMs: number;
	blockedUntilMs: number;
	readonly longestBlockMs: number;
}

const NONE = {count: 0, pending: 0, blockedUntilMs: 0, longestBlockMs: LONGEST_BLOCK_MS};

export interface LoginThrottleOptions {
	readonly now?: () => number;
	readonly sleep?: (ms: number) => Promise<unknown>;
}

/**
 * Guessing gets slow, the owner gets in. An address that keeps failing is refused for longer and longer (429).
 * An account is never refused: after failures from anywhere its answers come up to 4 s late, and not at all late for an
 * address it was logged in from before, which the block of a shared address does not meet either. Counted by each
 * instance, in memory; addresses that no account has count like those that one has.
 */
export class LoginThrottle {
	readonly #now: () => number;
	readonly #sleep: (ms: number) => Promise<unknown>;
	readonly #addresses = new LRUCache<string, Failures>({max: MAX_REMEMBERED});
	readonly #accounts = new LRUCache<string, Failures>({max: MAX_REMEMBERED});
	/** An account at an address that has logged in: its failures are counted apart from all others. */
	readonly #familiar = new LRUCache<string, Failures>({max: MAX_REMEMBERED});
	#held = 0;

	constructor({now = Date.now, sleep = delay}: LoginThrottleOptions = {}) {
		this.#now = now;
		this.#sleep = sleep;
	}

	/** Runs the attempt, early or late, and counts its end: undefined is a failure. Errors: `logins_excessive`. */
	async attempt<T>(
		email: string,
		remoteAddress: string,
		work: () => Promise<T | undefined>,
	): Promise<T | undefined> {
		const account = keyOf(email);
		const address = networkOf(remoteAddress);
		const pair = `${account} ${address}`;
		const own = this.#familiar.get(pair);
		const isFamiliar = own !== undefined && own.lastMs + FAMILIAR_MS > this.#now();
		const counted = isFamiliar
			? [own]
			: [this.#failures(this.#addresses, address), this.#failures(this.#accounts, account)];
		this.#assertFree(counted[0]!);
		for (const failures of counted) failures.pending++;
		try {
			if (!isFamiliar) await this.#holdBack(counted[1]!);
			const result = await work();
			if (result === undefined) for (const failures of counted) this.#fail(failures);
			else this.#welcome(pair, isFamiliar ? own : undefined);
			return result;
		} finally {
			for (const failures of counted) failures.pending--;
		}
	}

	#welcome(pair: string, own: Failures | undefined): void {
		const lastMs = this.#now();
		if (own) Object.assign(own, {count: 0, lastMs, blockedUntilMs: 0});
		else this.#familiar.set(pair, {...NONE, lastMs, longestBlockMs: FAMILIAR_BLOCK_MS});
	}

	#failures(kept: LRUCache<string, Failures>, key: string): Failures {
		let failures = kept.get(key);
		if (!failures || (failures.pending === 0 && failures.lastMs + MEMORY_MS <= this.#now())) {
			failures = {...NONE, lastMs: this.#now()};
			kept.set(key, failures);
		}
		return failures;
	}

	/** Attempts sent together count before they end: they must not slip past the limit side by side. */
	#assertFree({count, pending, blockedUntilMs}: Failures): void {
		const wait = blockedUntilMs - this.#now();
		const allowed = count < FREE_OF_ADDRESS ? AT_ONCE : 1;
		if (wait <= 0 && pending < allowed) return;
		throw new DomainError('logins_excessive', 'Too many failed logins from this address', {
			retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)),
		});
	}

	async #holdBack({count}: Failures): Promise<void> {
		if (count < FREE_OF_ACCOUNT) return;
		if (this.#held >= MAX_HELD) {
			throw new DomainError('logins_excessive', 'Too many logins at once', {retryAfterSeconds: 5});
		}
		this.#held++;
		try {
			await this.#sleep(
				Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(count - FREE_OF_ACCOUNT, 10)),
			);
		} finally {
			this.#held--;
		}
	}

	#fail(failures: Failures): void {
		failures.count++;
		failures.lastMs = this.#now();
		const beyond = failures.count - FREE_OF_ADDRESS;
		if (beyond < 0) return;
		failures.blockedUntilMs =
			this.#now() + Math.min(failures.longestBlockMs, FIRST_BLOCK_MS * 2 ** Math.min(beyond, 20));
	}
}

/** However long the text that was sent, what is kept of it is short. */
function keyOf(email: string): string {
	return createHash('sha256').update(email.trim().toLowerCase()).digest('base64url').slice(0, 22);
}
