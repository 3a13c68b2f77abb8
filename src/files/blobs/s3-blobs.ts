import type {Readable} from 'node:stream';
import {Readable as ReadableStream} from 'node:stream';
import {DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client} from '@aws-sdk/client-s3';
import {Upload} from '@aws-sdk/lib-storage';
import {DomainError} from '../../errors.ts';
import type {Blobs, Content} from './blobs.ts';

export interface S3Options {
	readonly bucket: string;
	/** Before every key; one bucket may serve several installations. */
	readonly prefix: string;
	/** Absent: Amazon's own. */
	readonly endpoint?: string | undefined;
	readonly region: string;
	/** Absent: what the official client finds by itself (files, roles of the machine). */
	readonly credentials?: {readonly accessKeyId: string; readonly secretAccessKey: string} | undefined;
}

const TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** Blobs as objects of a bucket, on Amazon S3 or anything that speaks its interface. */
export class S3Blobs implements Blobs {
	readonly #client: S3Client;
	readonly #bucket: string;
	readonly #prefix: string;

	constructor({bucket, prefix, endpoint, region, credentials}: S3Options) {
		this.#client = new S3Client({
			region,
			...(endpoint === undefined ? {} : {endpoint, forcePathStyle: true}),
			...(credentials && {credentials}),
			requestHandler: {requestTimeout: TIMEOUT_MS, connectionTimeout: CONNECT_TIMEOUT_MS},
			// Not every compatible store knows the newer checksums in trailers.
			requestChecksumCalculation: 'WHEN_REQUIRED',
			responseChecksumValidation: 'WHEN_REQUIRED',
		});
		this.#bucket = bucket;
		this.#prefix = prefix;
	}

	async put(key: string, content: Content): Promise<void> {
		const where = this.#at(key);
		if (Buffer.isBuffer(content)) {
			await told(() => this.#client.send(new PutObjectCommand({...where, Body: content})));
			return;
		}
		const source = new Source(content);
		// In parts, since the length is not known before the end; 5 MiB each, two on their way.
		const upload = new Upload({
			client: this.#client,
			queueSize: 2,
			params: {...where, Body: ReadableStream.from(source, {objectMode: false})},
		});
		await told(() => upload.done(), source);
	}

	async get(key: string): Promise<Readable | undefined> {
		return told(async () => {
			try {
				const {Body} = await this.#client.send(new GetObjectCommand(this.#at(key)));
				return Body as Readable;
			} catch (error) {
				if ((error as Error).name === 'NoSuchKey') return undefined;
				throw error;
			}
		});
	}

	async remove(key: string): Promise<void> {
		await told(() => this.#client.send(new DeleteObjectCommand(this.#at(key))));
	}

	async close(): Promise<void> {
		this.#client.destroy();
	}

	#at(key: string) {
		return {Bucket: this.#bucket, Key: this.#prefix + key};
	}
}

/** What is read to be stored; remembers whether it was the reading that failed. */
class Source implements AsyncIterable<Uint8Array> {
	readonly #content: AsyncIterable<Uint8Array>;
	failure: unknown;

	constructor(content: AsyncIterable<Uint8Array>) {
		this.#content = content;
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
		try {
			yield* this.#content;
		} catch (error) {
			this.failure = error;
			throw error;
		}
	}
}

/** The bucket's trouble as `store_unavailable`; the source's own as it came. */
async function told<T>(work: () => Promise<T>, source?: Source): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (source?.failure !== undefined) throw source.failure;
		throw new DomainError('store_unavailable', 'The store of files cannot be reached', {
			cause: error,
			retryAfterSeconds: 5,
		});
	}
}
