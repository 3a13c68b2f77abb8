import type {InputFiles} from '../../bulk/job-executions/input-files.ts';
import {
	type ClaimedJob,
	faultLine,
	type JobExecution,
	type JobResult,
} from '../../bulk/job-executions/job-executions.ts';
import {type JobContext, type JobKind, leaveIfAsked} from '../../bulk/job-executions/job-runner.ts';
import {DomainError, notFound} from '../../errors.ts';
import type {JobPool} from '../../jobs/pool.ts';
import type {Datamart, TenantView} from '../../tenants/directory.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import type {DatamartSchemaStore} from '../datamart-schemas/datamart-schemas.store.ts';
import {readSchema, schemaOf} from '../datamart-schemas/datamart-schemas.ts';
import {
	type CsvHeader,
	type CsvPlace,
	type CsvValues,
	FINAL_VALUE_COLUMNS,
	type HeaderTask,
	MAX_LINES,
	type ValuesTask,
} from './csv-lines.ts';
import type {FinalValueVersionStore} from './final-values.store.ts';

/** What jobs of the bulk area are kept in, as far as this kind of job needs it. */
export interface Jobs {
	nextId(): Promise<number>;
	create(job: NewJob): Promise<JobExecution>;
	find(id: number): Promise<JobExecution | undefined>;
	parts(id: number, kind: 'errors'): AsyncGenerator<string>;
}
type NewJob = Pick<
	JobExecution,
	| 'id'
	| 'jobType'
	| 'organisationId'
	| 'datamartId'
	| 'documentImportId'
	| 'userId'
	| 'parameters'
	| 'numTasks'
>;

export type CsvPool = Pick<JobPool<HeaderTask | ValuesTask, CsvHeader | CsvValues>, 'run'>;

export interface FinalValuesJobServices {
	readonly jobs: Jobs;
	readonly files: InputFiles;
	readonly pool: CsvPool;
	readonly schemas: DatamartSchemaStore;
	readonly versions: FinalValueVersionStore;
	readonly warehouse: Warehouse;
	readonly directory: TenantView;
	readonly wake: () => void;
}

const TABLE = 'final_values_v1';
/** Of a file: 100,000 lines of some hundred bytes. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Of one step: a larger one holds up who waits for a 200 (docs/adr/0028), a smaller one makes more parts of the table. */
const LINES_AT_ONCE = 5_000;

/**
 * Takes a file; answers the execution, pending. Errors: `body_missing` (nothing, or a header alone), `body_too_large`,
 * `encoding_invalid`, `csv_header_invalid`, `records_excessive`: nothing is kept then. What the lines say is told by the
 * execution.
 */
export async function importFinalValues(
	{jobs, files, pool, wake}: FinalValuesJobServices,
	datamart: Datamart,
	file: {
		readonly content: AsyncIterable<Buffer>;
		readonly name: string | null;
		readonly userId: number | null;
	},
): Promise<JobExecution> {
	const received = await files.receive(file.content, MAX_BYTES);
	try {
		const header = (await pool.run({kind: 'header', file: received.file})) as CsvHeader;
		assertHeader(header);
		const job = {
			id: await jobs.nextId(),
			jobType: 'REFERENCE_TABLE',
			organisationId: datamart.organisationId,
			datamartId: datamart.id,
			documentImportId: null,
			userId: file.userId,
			numTasks: header.lines,
		} as const;
		const fileUri = await files.keep(received, job, file.name);
		const parameters = {fileUri, fileName: file.name, fileBytes: received.bytes};
		try {
			const created = await jobs.create({...job, parameters});
			wake();
			return created;
		} catch (error) {
			await files.remove(job);
			throw error;
		}
	} finally {
		await files.drop(received);
	}
}

function assertHeader({fault, lines}: CsvHeader): void {
	if (fault) {
		const message = `the header ${fault}: level1,level2,...,final_value`;
		throw new DomainError('csv_header_invalid', message, {faults: [{pointer: '/0', message: fault}]});
	}
	if (lines === 0) throw new DomainError('body_missing', 'the file has no lines behind its header');
	if (lines > MAX_LINES) {
		throw new DomainError('records_excessive', `the file has more than ${MAX_LINES} lines behind its header`);
	}
}

interface Progress {
	readonly place: CsvPlace;
	readonly levels: number;
	readonly isRead: boolean;
}

/**
 * Final values as a kind of job. Lines are written under the execution's own number, and searched once the datamart is
 * switched to it: a file holds whole or not at all.
 */
export class FinalValuesJob implements JobKind {
	readonly #services: FinalValuesJobServices;

	constructor(services: FinalValuesJobServices) {
		this.#services = services;
	}

	async run(job: ClaimedJob, context: JobContext): Promise<JobResult> {
		const {jobs, files, pool, versions, warehouse} = this.#services;
		const file = await files.take(job);
		let progress = job.progress as Progress | undefined;
		if (!progress) {
			const {values, levels} = (await pool.run({kind: 'header', file})) as CsvHeader;
			progress = {place: values, levels, isRead: false};
		}
		const schema = await this.#schemaOf(job);
		while (!progress.isRead) {
			leaveIfAsked(context.signal);
			const {place, levels}: Progress = progress;
			const portion = (await pool.run({
				kind: 'values',
				file,
				from: place,
				levels,
				maxRecords: LINES_AT_ONCE,
				schema,
				datamartId: job.datamartId,
				executionId: job.id,
			})) as CsvValues;
			// A portion that is written again after a crash is searched as one: values are told once.
			await warehouse.write({
				table: TABLE,
				columns: FINAL_VALUE_COLUMNS,
				rows: portion.good,
				payload: Buffer.from(portion.payload),
			});
			progress = {place: portion.next, levels, isRead: portion.isLast};
			const errors = portion.faults.map(faultLine).join('');
			await context.save({progress, completed: portion.good, erroneous: portion.faults.length, errors});
		}
		const {erroneousTasks = 0} = (await jobs.find(job.id)) ?? {};
		if (erroneousTasks > 0) {
			throw new DomainError(
				'final_values_invalid',
				`${erroneousTasks} of the lines are bad, see the error file; the former values are kept`,
			);
		}
		await versions.switchTo(job.datamartId, job.id);
		// Executions of one datamart run one after the other: those before it are over.
		await this.#forget(job, '<');
		return this.#resultOf(job, true);
	}

	async leave(job: JobExecution): Promise<JobResult> {
		await this.#forget(job, '=');
		return this.#resultOf(job, false);
	}

	async #schemaOf({datamartId}: JobExecution) {
		const datamart = this.#services.directory.datamart(datamartId);
		if (!datamart) throw notFound('datamart_not_found');
		return readSchema((await schemaOf(this.#services.schemas, datamart)).text);
	}

	/** Rows of the execution itself, or of those before it: nobody reads them. */
	async #forget({datamartId, id}: JobExecution, which: '=' | '<'): Promise<void> {
		await this.#services.warehouse.command(
			`ALTER TABLE ${TABLE} DELETE WHERE datamart_id = {datamartId:UInt32} AND execution_id ${which} {id:UInt64}`,
			{datamartId, id},
		);
	}

	async #resultOf(job: JobExecution, isApplied: boolean): Promise<JobResult> {
		const {jobs, files} = this.#services;
		const errors = await files.write(job, 'errors', jobs.parts(job.id, 'errors'));
		const {completedTasks = 0, erroneousTasks = 0} = (await jobs.find(job.id)) ?? {};
		await files.release(job);
		return {
			totalSuccess: isApplied ? completedTasks : 0,
			totalFailure: erroneousTasks,
			inputFileName: job.parameters.fileName,
			inputFileUri: job.parameters.fileUri,
			errorFileUri: errors?.uri ?? null,
		};
	}
}
