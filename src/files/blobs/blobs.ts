import {randomBytes} from 'node:crypto';
import type {Readable} from 'node:stream';

/** What a blob is written from. */
export type Content = Buffer | AsyncIterable<Uint8Array>;

/** Where bytes are kept: a disk, or a bucket. A key is used once; nothing is ever written over. */
export interface Blobs {
	/** Durable once it resolves; what is left of one that failed is removed by `remove`. Errors: `store_unavailable`. */
	put(key: string, content: Content): Promise<void>;
	/** Undefined where there is none. Errors: `store_unavailable`. */
	get(key: string): Promise<Readable | undefined>;
	/** One that is not there is gone already. */
	remove(key: string): Promise<void>;
	close(): Promise<void>;
}

/** 128 random bits: no name of a user's ever becomes a name on a disk. */
export function newBlobKey(): string {
	return randomBytes(16).toString('hex');
}
