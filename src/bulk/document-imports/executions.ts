import {DomainError, notFound} from '../../errors.ts';
import type {JobPool} from '../../jobs/pool.ts';
import type {Datamart, TenantView} from '../../tenants/directory.ts';
import type {InputFiles, Received} from '../job-executions/input-files.ts';
import type {JobExecutionStore} from '../job-executions/job-executions.store.ts';
import type {JobExecution, LineFault} from '../job-executions/job-executions.ts';
import {assertSupported, type DocumentImport} from './document-imports.ts';
import {describeFlaw, type ImportTask, type ReadPortion} from './import-lines.ts';
import {START} from './json-values.ts';

export interface ExecutionContext {
	readonly jobs: JobExecutionStore;
	readonly files: InputFiles;
	readonly pool: Pick<JobPool<ImportTask, ReadPortion>, 'run'>;
	readonly directory: TenantView;
	/** There is something to do. */
	readonly wake: () => void;
}

/** Of a file: more than 100 MB of commands can have, and what its error file may grow to. */
const MAX_LINES = 5_000_000;

/** A file as it came. */
export interface Document {
	readonly content: AsyncIterable<Buffer>;
	readonly name: string | null;
	readonly userId: number | null;
}

/**
 * Takes a file: received to disk, checked as a whole, and kept before it is answered. Errors: `body_missing`,
 * `body_too_large`, `records_excessive`, `encoding_invalid`, `json_malformed` (an array, values joined by commas, no JSON object at all): then
 * nothing is kept. Single bad lines are told of by the job.
 */
export async function startExecution(
	context: ExecutionContext,
	datamart: Datamart,
	documentImport: DocumentImport,
	document: Document,
): Promise<JobExecution> {
	assertSupported(datamart, documentImport.documentType);
	const {files, jobs} = context;
	const received = await files.receive(document.content);
	try {
		const numTasks = await checkDocument(context, datamart, received);
		const job = {
			id: await jobs.nextId(),
			jobType: 'DOCUMENT_IMPORT',
			organisationId: datamart.organisationId,
			datamartId: datamart.id,
			documentImportId: documentImport.id,
			userId: document.userId,
			numTasks,
		} as const;
		const fileUri = await files.keep(received, job, document.name);
		try {
			const parameters = {
				documentType: documentImport.documentType,
				fileUri,
				fileName: document.name,
				fileBytes: received.bytes,
			};
			const created = await jobs.create({...job, parameters});
			context.wake();
			return created;
		} catch (error) {
			await files.remove(job);
			throw error;
		}
	} finally {
		await files.drop(received);
	}
}

/** How many lines there are to do. */
async function checkDocument(
	{pool, directory}: ExecutionContext,
	datamart: Datamart,
	{file}: Received,
): Promise<number> {
	const compartments = directory.compartmentsOf(datamart.id);
	let values = 0;
	let bad = 0;
	let first: LineFault | undefined;
	let isLast = false;
	for (let from = START; !isLast; ) {
		const portion = await pool.run({reader: 'CHECK', file, from, datamart, compartments});
		if (portion.wrong) throw malformed(portion.wrong.line, describeFlaw(portion.wrong.flaw));
		values += portion.good;
		bad += portion.faults.length;
		first ??= portion.faults[0];
		({next: from, isLast} = portion);
		if (values + bad > MAX_LINES) {
			throw new DomainError('records_excessive', `the file has more than ${MAX_LINES} lines`);
		}
	}
	if (values > 0) return values + bad;
	if (first) throw malformed(first.line, first.message);
	throw new DomainError('body_missing', 'the file holds nothing');
}

function malformed(line: number, message: string): DomainError {
	return new DomainError('json_malformed', `line ${line} ${message}`, {
		faults: [{pointer: `/${line - 1}`, message}],
	});
}

/** Error: `job_execution_not_found`, another import's among them. */
export async function getExecution(
	{jobs}: Pick<ExecutionContext, 'jobs'>,
	documentImport: DocumentImport,
	id: number | undefined,
): Promise<JobExecution> {
	const job = id === undefined ? undefined : await jobs.find(id);
	if (!job || job.documentImportId !== documentImport.id) throw notFound('job_execution_not_found');
	return job;
}
