import {createHash} from 'node:crypto';
import type {Readable} from 'node:stream';
import {setTimeout as delay} from 'node:timers/promises';
import type {Logger} from 'pino';
import {DomainError} from '../../errors.ts';
import type {BlobLedger} from './blobs.store.ts';
import {type Blobs, type Content, newBlobKey} from './blobs.ts';

/** Content that is durable and that nothing refers to yet. */
export interface WrittenBlob {
	readonly key: string;
	readonly bytes: number;
	/** Hexadecimal. */
	readonly sha256: string;
}

const SWEEP_MS = 10 * 60_000;
/** No write takes so long: what is still being written then was left by a crash. */
const ABANDONED_MS = 24 * 3_600_000;
const SWEEP_LIMIT = 1_000;
const CLOSE_MS = 2_000;

/**
 * Writes blobs first and lets a row refer to them afterwards, so that a file is whole or not there; clears what nothing
 * refers to, at once and again every 10 minutes where that failed or the process ended in between.
 */
export class BlobKeeper {
	readonly #blobs: Blobs;
	readonly #ledger: BlobLedger;
	readonly #log: Logger;
	readonly #timer: NodeJS.Timeout;
	readonly #clearing = new Set<Promise<void>>();
	#closed = false;

	constructor(services: {readonly blobs: Blobs; readonly ledger: BlobLedger; readonly log: Logger}) {
		this.#blobs = services.blobs;
		this.#ledger = services.ledger;
		this.#log = services.log;
		this.#timer = setInterval(() => void this.sweep(), SWEEP_MS).unref();
	}

	/**
	 * `keep` writes the row that refers to the blob (`keepBlob` in the same transaction) and answers what it likes, with
	 * the keys it dropped. Errors: `body_too_large`, `store_unavailable`, those of the content and of `keep`.
	 */
	async write<T>(
		content: Content,
		maxBytes: number,
		keep: (blob: WrittenBlob) => Promise<{readonly kept: T; readonly dropped: readonly string[]}>,
	): Promise<T> {
		const key = newBlobKey();
		const measured = new Measured(content, maxBytes);
		await this.#ledger.begin(key);
		try {
			await this.#blobs.put(key, measured.content);
			const {kept, dropped} = await keep({key, ...measured.sums});
			void this.clear(dropped);
			return kept;
		} catch (error) {
			void this.#quietly(async () => {
				// The answer of `keep` may have been lost on its way, and the row be there.
				if (await this.#ledger.abandon(key)) await this.#remove([key]);
			});
			throw error;
		}
	}

	/** Error: `store_unavailable`. */
	async read(key: string): Promise<Readable | undefined> {
		return this.#blobs.get(key);
	}

	/** Resolves once the bytes of dropped keys are gone, or put off to the next sweep because a store is away. */
	clear(keys: readonly string[]): Promise<void> {
		return this.#quietly(() => this.#remove(keys));
	}

	/** Removes what nothing refers to any more, whoever left it. */
	sweep(): Promise<void> {
		return this.#quietly(async () => {
			let keys: readonly string[];
			do {
				keys = await this.#ledger.dropped(Date.now() - ABANDONED_MS, SWEEP_LIMIT);
				await this.#remove(keys);
			} while (keys.length > 0 && !this.#closed);
		});
	}

	/** Once all that is being cleared is through. */
	async settled(): Promise<void> {
		await Promise.all(this.#clearing);
	}

	async close(): Promise<void> {
		this.#closed = true;
		clearInterval(this.#timer);
		// A store that is away must not hold the end up: what is left is swept at the next start.
		await Promise.race([this.settled(), delay(CLOSE_MS, undefined, {ref: false})]);
		await this.#blobs.close();
	}

	async #remove(keys: readonly string[]): Promise<void> {
		for (const key of keys) {
			if (this.#closed) return;
			await this.#blobs.remove(key);
			await this.#ledger.forget(key);
		}
	}

	#quietly(work: () => Promise<void>): Promise<void> {
		const clearing = work()
			.catch(error => this.#log.warn({error}, 'files that are no longer needed are removed later'))
			.finally(() => this.#clearing.delete(clearing));
		this.#clearing.add(clearing);
		return clearing;
	}
}

/** Content on its way, with its length and digest; ends with `body_too_large` beyond the limit. */
class Measured {
	readonly content: Content;
	readonly #hash = createHash('sha256');
	#bytes = 0;

	constructor(content: Content, maxBytes: number) {
		if (Buffer.isBuffer(content)) {
			this.#take(content, maxBytes);
			this.content = content;
		} else {
			this.content = this.#through(content, maxBytes);
		}
	}

	/** Asked once, at the end. */
	get sums(): {readonly bytes: number; readonly sha256: string} {
		return {bytes: this.#bytes, sha256: this.#hash.digest('hex')};
	}

	async *#through(content: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
		for await (const piece of content) {
			this.#take(piece, maxBytes);
			yield piece;
		}
	}

	#take(piece: Uint8Array, maxBytes: number): void {
		this.#bytes += piece.length;
		if (this.#bytes > maxBytes) {
			throw new DomainError('body_too_large', `the content is longer than ${maxBytes} bytes`);
		}
		this.#hash.update(piece);
	}
}
