import type {Readable} from 'node:stream';
import {buffer} from 'node:stream/consumers';
import {DomainError, invalidField, notFound} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {BlobKeeper} from '../blobs/blob-keeper.ts';
import type {Content} from '../blobs/blobs.ts';
import {type DataFilePlace, dataFileUri, parseDataFileUri} from './data-file-uri.ts';
import type {DataFileStore} from './data-files.store.ts';
import type {FileKind} from './file-kinds.ts';

export {type DataFilePlace, dataFileUri} from './data-file-uri.ts';

export interface DataFile extends DataFilePlace {
	/** As whoever sent it calls it. */
	readonly name: string | null;
	readonly contentType: string | null;
	readonly bytes: number;
	/** Of the content, hexadecimal. */
	readonly sha256: string;
	readonly creationTs: number;
	readonly lastModifiedTs: number;
}

export interface DataFileContent {
	readonly file: DataFile;
	/** To be read or destroyed. */
	readonly content: Readable;
}

export interface AboutDataFile {
	readonly name?: string | undefined;
	readonly contentType?: string | undefined;
	/** In bytes; default 100 MiB. */
	readonly maxBytes?: number | undefined;
}

export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** The folder of what jobs read and write: anybody's to read within the organisation, and only the service's to change. */
export const JOBS_FOLDER = 'job_executions';

/** How often a file that is replaced while it is opened is looked up again. */
const TRIES = 5;

/** Files of organisations, whole or not there. Everything throws `store_unavailable` while a store is away. */
export class DataFiles {
	readonly #store: DataFileStore;
	readonly #keeper: BlobKeeper;
	readonly #brands: readonly string[];

	constructor(services: {
		readonly store: DataFileStore;
		readonly keeper: BlobKeeper;
		/** Schemes that mean the same as `svc`. */
		readonly brands: readonly string[];
	}) {
		this.#store = services.store;
		this.#keeper = services.keeper;
		this.#brands = services.brands;
	}

	/** Where a job keeps a file: `svc://data_file/tenants/<org>/job_executions/<execution>/<name>`. */
	placeOfJob(organisationId: number, executionId: number | string, name: string): DataFilePlace {
		return {organisationId, path: `${JOBS_FOLDER}/${executionId}/${name}`};
	}

	uriOf(place: DataFilePlace): string {
		return dataFileUri(place);
	}

	/** Errors: `field_invalid`, naming `pointer` (`?uri`). */
	locate(uri: string, pointer?: string): DataFilePlace {
		return parseDataFileUri(uri, this.#brands, pointer);
	}

	/** In place of what stands there; a stream is never held whole. Errors: `body_too_large`, the stream's own. */
	put(place: DataFilePlace, content: Content, about: AboutDataFile = {}): Promise<DataFile> {
		const {name = null, contentType = null, maxBytes = MAX_FILE_BYTES} = about;
		return this.#keeper.write(content, maxBytes, blob => this.#store.put(place, {name, contentType}, blob));
	}

	async find(place: DataFilePlace): Promise<DataFile | undefined> {
		return (await this.#store.find(place))?.file;
	}

	/** Its content from the beginning. Errors: `data_file_not_found`. */
	async open(place: DataFilePlace): Promise<DataFileContent> {
		for (let i = 0; i < TRIES; i++) {
			const stored = await this.#store.find(place);
			if (!stored) throw notFound('data_file_not_found');
			const content = await this.#keeper.read(stored.blobKey);
			// Gone between the two looks: another content took its place.
			if (content) return {file: stored.file, content};
		}
		throw new DomainError('store_unavailable', 'The content of a file is not there', {retryAfterSeconds: 5});
	}

	/** By path; those whose path begins with `prefix`. */
	list(organisationId: number, prefix: string, paging: Paging): Promise<Page<DataFile>> {
		return this.#store.list(organisationId, prefix, paging);
	}

	/** Its bytes, for what is small enough to be held whole. Errors: `data_file_not_found`. */
	async read(place: DataFilePlace): Promise<Buffer> {
		const {content} = await this.open(place);
		return buffer(content);
	}

	/** Its bytes too, unless their store is away: then they go as soon as it is back. False where there was none. */
	async remove(place: DataFilePlace): Promise<boolean> {
		const key = await this.#store.remove(place);
		if (key === undefined) return false;
		await this.#keeper.clear([key]);
		return true;
	}
}

/** Whether it stands in the folder of jobs. */
export function isOfJobs({path}: DataFilePlace): boolean {
	return path.startsWith(`${JOBS_FOLDER}/`);
}

/** Errors: `data_file_reserved` where only the service itself may change what stands there. */
export function assertWritable(place: DataFilePlace): DataFilePlace {
	if (!isOfJobs(place)) return place;
	throw invalidField('?uri', `files of ${JOBS_FOLDER} are the service's own`, 'data_file_reserved');
}

/** A file as somebody sends it; one of a known kind is looked into first and changes nothing where it is faulty. */
export async function putUpload(
	dataFiles: DataFiles,
	place: DataFilePlace,
	kind: FileKind | undefined,
	{content, ...about}: AboutDataFile & {readonly content: AsyncIterable<Buffer>},
): Promise<DataFile> {
	if (!kind) return dataFiles.put(place, content, about);
	const bytes = await whole(content, kind.maxBytes);
	kind.check(bytes);
	return dataFiles.put(place, bytes, about);
}

async function whole(content: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
	const pieces: Buffer[] = [];
	let length = 0;
	for await (const piece of content) {
		length += piece.length;
		if (length > maxBytes) {
			throw new DomainError('body_too_large', `a file of this kind has at most ${maxBytes} bytes`);
		}
		pieces.push(piece);
	}
	return Buffer.concat(pieces);
}
