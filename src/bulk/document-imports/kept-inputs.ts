import {DomainError} from '../../errors.ts';
import {compartmentsOf} from '../../ingestion/identifier-associations/identifier-associations.ts';
import type {IdentifierDeletion} from '../../ingestion/identifier-deletion/identifier-deletion.ts';
import type {JobPool} from '../../jobs/pool.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {InputFiles} from '../job-executions/input-files.ts';
import type {JobExecutionStore} from '../job-executions/job-executions.store.ts';
import type {JobExecution} from '../job-executions/job-executions.ts';
import type {DocumentType} from './document-imports.ts';
import type {SearchedPortion, SearchTask, Stretch} from './identifiers-in-file.ts';
import type {ImportScope} from './import-job.ts';
import {START} from './json-values.ts';

export interface KeptInputsServices {
	readonly jobs: Pick<JobExecutionStore, 'withInput' | 'inputRemoved'>;
	readonly files: Pick<InputFiles, 'take' | 'release' | 'remove' | 'replace'>;
	readonly pool: Pick<JobPool<SearchTask, SearchedPortion>, 'run'>;
	readonly deletion: Pick<IdentifierDeletion, 'deletedMs'>;
	readonly directory: TenantView;
}

/** Older ones are removed by the next deletion instead of being looked through by every one. */
const KEPT_MS = 30 * 86_400_000;
const PAGE = 50;
const [SPACE, NEWLINE] = [0x20, 0x0a];

/**
 * The files that earlier imports of a datamart left hold identifiers too: where they name deleted ones, their lines are
 * blanked, so that line numbers hold and the rest can still be read (docs/adr/0038).
 */
export class KeptInputs {
	readonly #services: KeptInputsServices;

	constructor(services: KeptInputsServices) {
		this.#services = services;
	}

	/** Done again after a crash it comes to the same. Errors: the signal's, `store_unavailable`. */
	async clear({job, datamart, signal}: ImportScope, nowMs = Date.now()): Promise<void> {
		const {jobs} = this.#services;
		const asked = {datamartId: datamart.id, jobType: 'DOCUMENT_IMPORT'} as const;
		let page: JobExecution[];
		let before = job.id;
		do {
			page = await jobs.withInput(asked, before, PAGE);
			for (const each of page) {
				signal.throwIfAborted();
				before = each.id;
				if ((each.endTs ?? nowMs) < nowMs - KEPT_MS) await this.#remove(each);
				else await this.#clearOne(each, signal);
			}
		} while (page.length === PAGE);
	}

	async #remove(job: JobExecution): Promise<void> {
		await this.#services.files.remove(job);
		await this.#services.jobs.inputRemoved(job.id);
	}

	async #clearOne(job: JobExecution, signal: AbortSignal): Promise<void> {
		const {files} = this.#services;
		try {
			const gone = await this.#search(job, await files.take(job), signal);
			if (gone.length > 0) await files.replace(job, content => blanked(content, gone));
		} catch (error) {
			if (!(error instanceof DomainError && error.code === 'data_file_not_found')) throw error;
		} finally {
			await files.release(job);
		}
	}

	/** What has to go, in order. */
	async #search(job: JobExecution, file: string, signal: AbortSignal): Promise<Stretch[]> {
		const {pool, deletion, directory} = this.#services;
		const documentType = job.parameters.documentType as DocumentType;
		const compartments = compartmentsOf(directory, {id: job.datamartId});
		const gone: Stretch[] = [];
		let isLast = false;
		for (let from = START; !isLast; ) {
			signal.throwIfAborted();
			const portion = await pool.run({reader: 'SEARCH', file, from, documentType, compartments});
			const keys = new Set(portion.values.flatMap(value => value.keys));
			const deleted = await deletion.deletedMs(job.datamartId, [...keys]);
			// What was deleted before the file came means somebody new in it.
			const isGone = (key: string) => (deleted.get(key) ?? 0) >= job.creationTs;
			const named = portion.values.filter(value => value.keys.some(isGone));
			gone.push(...[...named, ...portion.unreadable].sort((a, b) => a.from - b.from));
			({next: from, isLast} = portion);
		}
		return gone;
	}
}

/** The content with spaces in those stretches, which are in order; its lines stay where they were. */
export async function* blanked(
	content: AsyncIterable<Buffer>,
	stretches: readonly Stretch[],
): AsyncGenerator<Buffer> {
	let offset = 0;
	let next = 0;
	for await (const piece of content) {
		const bytes = Buffer.from(piece);
		const end = offset + bytes.length;
		while (next < stretches.length && stretches[next]!.from < end) {
			const {from, until} = stretches[next]!;
			for (let at = Math.max(from, offset); at < Math.min(until, end); at++) {
				if (bytes[at - offset] !== NEWLINE) bytes[at - offset] = SPACE;
			}
			if (until > end) break;
			next++;
		}
		yield bytes;
		offset = end;
	}
}
