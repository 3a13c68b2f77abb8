import {LRUCache} from 'lru-cache';
import {DomainError} from '../errors.ts';
import {type GuardLookup, UNGUARDED} from './lookup-throttle.ts';

const MAX_KNOWN = 50_000;
const MAX_MISSES = 10_000;

interface Remembered<Credential> {
	readonly credential: Credential;
	/** Which state of credentials, users and roles it was read from. */
	readonly epoch: number;
}

interface Asked<Credential> {
	readonly epoch: number;
	readonly answer: Promise<Credential | undefined>;
}

/**
 * Credentials that were found once, in memory: a known one costs no question, and serves on while PostgreSQL is away
 * (ADR 0005). Misses are remembered only where a name is random, so that it cannot come to exist later.
 */
export class KnownCredentials<Credential extends object> {
	readonly #read: (name: string) => Promise<Credential | undefined>;
	readonly #known = new LRUCache<string, Remembered<Credential>>({max: MAX_KNOWN});
	readonly #asking = new Map<string, Asked<Credential>>();
	readonly #misses: LRUCache<string, true> | undefined;
	#epoch = 0;

	constructor(read: (name: string) => Promise<Credential | undefined>, {areRandom}: {areRandom: boolean}) {
		this.#read = read;
		this.#misses = areRandom ? new LRUCache({max: MAX_MISSES}) : undefined;
	}

	/**
	 * By what a request brings; `guard` stands before what was never seen here. Errors: `store_unavailable` for one not
	 * known yet while PostgreSQL is away, those of the guard.
	 */
	async find(name: string, guard: GuardLookup = UNGUARDED): Promise<Credential | undefined> {
		const known = this.#known.get(name);
		if (known?.epoch === this.#epoch) return known.credential;
		if (known) return this.#ask(name);
		return this.#misses?.has(name) ? undefined : guard(() => this.#ask(name));
	}

	/** Credentials, users or roles changed: each is read again as it comes by. */
	refresh(): void {
		this.#epoch++;
		this.#misses?.clear();
	}

	/** Revoked here: these do not even serve while PostgreSQL is away. */
	forget(isRevoked: (credential: Credential) => boolean): void {
		this.refresh();
		for (const [name, {credential}] of [...this.#known.entries()]) {
			if (isRevoked(credential)) this.#known.delete(name);
		}
	}

	/** Requests that come together ask once, but nobody joins a question from before the last change. */
	#ask(name: string): Promise<Credential | undefined> {
		const epoch = this.#epoch;
		const asked = this.#asking.get(name);
		if (asked?.epoch === epoch) return asked.answer;
		const answer = this.#load(name, epoch).finally(() => {
			if (this.#asking.get(name)?.answer === answer) this.#asking.delete(name);
		});
		this.#asking.set(name, {epoch, answer});
		return answer;
	}

	#miss(name: string): void {
		this.#known.delete(name);
		this.#misses?.set(name, true);
	}

	async #load(name: string, epoch: number): Promise<Credential | undefined> {
		try {
			const credential = await this.#read(name);
			if (epoch === this.#epoch) {
				if (credential) this.#known.set(name, {credential, epoch});
				else this.#miss(name);
			}
			return credential;
		} catch (error) {
			// Looked up again: it may have been revoked here while we asked.
			const former = this.#known.get(name);
			if (former && error instanceof DomainError && error.code === 'store_unavailable') {
				return former.credential;
			}
			throw error;
		}
	}
}
