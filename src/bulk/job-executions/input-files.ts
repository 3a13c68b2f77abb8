import {randomUUID} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {mkdir, open, readdir, rename, rm, stat} from 'node:fs/promises';
import path from 'node:path';
import {DomainError} from '../../errors.ts';
import {type DataFiles, MAX_FILE_BYTES} from '../../files/data-files/data-files.ts';
import type {JobExecution, PartKind} from './job-executions.ts';
import {Utf8Check} from './utf8-check.ts';

/** A file that was received, and is nobody's yet. */
export interface Received {
	readonly file: string;
	readonly bytes: number;
}

type Job = Pick<JobExecution, 'id' | 'organisationId' | 'jobType'>;

const NAMES = {errors: 'errors.ndjson', receipt: 'receipt.ndjson'} as const;
const INPUTS = {
	DOCUMENT_IMPORT: {name: 'input.ndjson', contentType: 'application/x-ndjson'},
	REFERENCE_TABLE: {name: 'input.csv', contentType: 'text/csv'},
} as const;

/**
 * The files jobs read. What clients and other instances see is a data file; what the threads read by offset is a copy in
 * a directory of this process, made while it is received and again where it is missing.
 */
export class InputFiles {
	readonly #directory: string;
	readonly #dataFiles: DataFiles;

	private constructor(directory: string, dataFiles: DataFiles) {
		this.#directory = directory;
		this.#dataFiles = dataFiles;
	}

	/** Copies of jobs that are over are removed, with whatever a crash left half received. */
	static async open(
		directory: string,
		dataFiles: DataFiles,
		openJobs: readonly number[],
	): Promise<InputFiles> {
		await mkdir(directory, {recursive: true, mode: 0o700});
		const wanted = new Set(openJobs.map(String));
		for (const name of await readdir(directory)) {
			if (!wanted.has(name)) await rm(path.join(directory, name), {force: true});
		}
		return new InputFiles(directory, dataFiles);
	}

	/**
	 * Receives a file to disk, piece by piece. Errors: `body_missing` where it is empty, `body_too_large`, `encoding_invalid`
	 * where it is not UTF-8, those of the content. Nothing is left then.
	 */
	async receive(content: AsyncIterable<Buffer>, maxBytes = MAX_FILE_BYTES): Promise<Received> {
		const file = path.join(this.#directory, `received-${randomUUID()}`);
		const handle = await open(file, 'wx', 0o600);
		const text = new Utf8Check();
		let bytes = 0;
		try {
			for await (const piece of content) {
				bytes += piece.length;
				if (bytes > maxBytes) {
					throw new DomainError('body_too_large', `the file is longer than ${maxBytes} bytes`);
				}
				text.push(piece);
				await handle.write(piece);
			}
			text.end();
			if (bytes === 0) throw new DomainError('body_missing', 'the file is empty');
		} catch (error) {
			await handle.close();
			await rm(file, {force: true});
			throw error;
		}
		await handle.close();
		return {file, bytes};
	}

	/** Forgets a received file. */
	async drop({file}: Received): Promise<void> {
		await rm(file, {force: true});
	}

	/** Makes a received file the input of a job to come; answers its URI. */
	async keep(received: Received, job: Job, name: string | null): Promise<string> {
		const place = this.#inputOf(job);
		const {contentType} = INPUTS[job.jobType];
		await this.#dataFiles.put(place, createReadStream(received.file), {name: name ?? undefined, contentType});
		await rename(received.file, this.#copyOf(job));
		return this.#dataFiles.uriOf(place);
	}

	/** A path to read the input from. Errors: `data_file_not_found`, `store_unavailable`. */
	async take(job: JobExecution): Promise<string> {
		const copy = this.#copyOf(job);
		const there = await stat(copy).catch(() => undefined);
		// After a crash the copy may be a name without its bytes.
		if (there?.size === job.parameters.fileBytes && job.retryCount === 0) return copy;
		const {content} = await this.#dataFiles.open(this.#inputOf(job));
		const handle = await open(copy, 'w', 0o600);
		try {
			for await (const piece of content) await handle.write(piece);
		} finally {
			await handle.close();
		}
		return copy;
	}

	/** Lets go of the copy; the data file stays. */
	async release(job: Job): Promise<void> {
		await rm(this.#copyOf(job), {force: true});
	}

	/** Removes the input everywhere: its URI is unknown from then on. */
	async remove(job: Job): Promise<void> {
		await this.release(job);
		await this.#dataFiles.remove(this.#inputOf(job));
	}

	/** In place of the input, its content as `change` hands it on: readers see the former one or the new one, whole. */
	async replace(
		job: JobExecution,
		change: (content: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
	): Promise<void> {
		const place = this.#inputOf(job);
		const {content} = await this.#dataFiles.open(place);
		await this.#dataFiles.put(place, change(content), {
			name: job.parameters.fileName ?? undefined,
			contentType: INPUTS[job.jobType].contentType,
		});
	}

	/** Keeps what a job has to say of its lines; answers where and its digest, or undefined where that is nothing. */
	async write(
		job: Job,
		kind: PartKind,
		lines: AsyncGenerator<string>,
	): Promise<{readonly uri: string; readonly sha256: string} | undefined> {
		const first = await lines.next();
		if (first.done) return undefined;
		const place = this.#dataFiles.placeOfJob(job.organisationId, job.id, NAMES[kind]);
		async function* all(): AsyncGenerator<Buffer> {
			yield Buffer.from(first.value);
			for await (const each of lines) yield Buffer.from(each);
		}
		const {sha256} = await this.#dataFiles.put(place, all(), {
			name: NAMES[kind],
			contentType: 'application/x-ndjson',
			maxBytes: Number.POSITIVE_INFINITY,
		});
		return {uri: this.#dataFiles.uriOf(place), sha256};
	}

	/** What `write` kept. Errors: `data_file_not_found`, `store_unavailable`. */
	async openPart({organisationId, id}: Job, kind: PartKind): Promise<AsyncIterable<Buffer>> {
		return (await this.#dataFiles.open(this.#dataFiles.placeOfJob(organisationId, id, NAMES[kind]))).content;
	}

	#copyOf({id}: Job): string {
		return path.join(this.#directory, String(id));
	}

	#inputOf({organisationId, id, jobType}: Job) {
		return this.#dataFiles.placeOfJob(organisationId, id, INPUTS[jobType].name);
	}
}
