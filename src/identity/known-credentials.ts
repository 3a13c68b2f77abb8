import {LRUCache} from 'lru-cache';
import {DomainError} from '../errors.ts';

const MAX_KNOWN = 50_000;

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
 * (ADR 0005). What is not found is not remembered.
 */
export class KnownCredentials<Credential extends object> {
	readonly #read: (name: string) => Promise<Credential | undefined>;
	readonly #known = new LRUCache<string, Remembered<Credential>>({max: MAX_KNOWN});
	readonly #asking = new Map<string, Asked<Credential>>();
	#epoch = 0;

	constructor(read: (name: string) => Promise<Credential | undefined>) {
		this.#read = read;
	}

	/** By what a request brings. Error: `store_unavailable` for one not known yet while PostgreSQL is away. */
	async find(name: string): Promise<Credential | undefined> {
		const known = this.#known.get(name);
		return known?.epoch === this.#epoch ? known.credential : this.#ask(name);
	}

	/** Credentials, users or roles changed: each is read again as it comes by. */
	refresh(): void {
		this.#epoch++;
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

	async #load(name: string, epoch: number): Promise<Credential | undefined> {
		try {
			const credential = await this.#read(name);
			if (epoch === this.#epoch) {
				if (credential) this.#known.set(name, {credential, epoch});
				else this.#known.delete(name);
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
