import {createReadStream} from 'node:fs';
import {mkdir, open, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import type {Readable} from 'node:stream';
import {DomainError} from '../../errors.ts';
import {syncDirectory} from '../../lib/files.ts';
import type {Blobs, Content} from './blobs.ts';

const KEY = /^[0-9a-f]{32}$/;
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Blobs in a directory of this machine, spread over 256 folders. */
export class LocalBlobs implements Blobs {
	readonly #directory: string;

	private constructor(directory: string) {
		this.#directory = directory;
	}

	static async open(directory: string): Promise<LocalBlobs> {
		await mkdir(directory, {recursive: true, mode: 0o700});
		await syncDirectory(path.dirname(directory));
		return new LocalBlobs(directory);
	}

	async put(key: string, content: Content): Promise<void> {
		const file = this.#fileOf(key);
		const folder = path.dirname(file);
		try {
			if (await mkdir(folder, {recursive: true, mode: 0o700})) await syncDirectory(this.#directory);
			const handle = await open(file, 'wx', 0o600);
			try {
				await writeFile(handle, content);
				await handle.datasync();
			} finally {
				await handle.close();
			}
			await syncDirectory(folder);
		} catch (error) {
			if (!FULL.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
			throw new DomainError('store_unavailable', 'The disk for files is full', {
				cause: error,
				retryAfterSeconds: 30,
			});
		}
	}

	async get(key: string): Promise<Readable | undefined> {
		try {
			// Opened here: whoever reads keeps the bytes, even when the file is replaced and removed meanwhile.
			const handle = await open(this.#fileOf(key), 'r');
			return createReadStream('', {fd: handle});
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
			throw error;
		}
	}

	async remove(key: string): Promise<void> {
		await rm(this.#fileOf(key), {force: true});
	}

	async close(): Promise<void> {}

	#fileOf(key: string): string {
		if (!KEY.test(key)) throw new Error('no key of a blob');
		return path.join(this.#directory, key.slice(0, 2), key);
	}
}
