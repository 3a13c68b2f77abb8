import type {Page, Paging} from '../../lib/page.ts';
import type {Database, Tx} from '../../postgres/database.ts';
import {selectPage} from '../../postgres/page.ts';
import type {
	ClaimedJob,
	JobExecution,
	JobParameters,
	JobResult,
	JobStatus,
	JobStep,
	JobType,
	NewJobExecution,
	PartKind,
} from './job-executions.ts';

export interface JobQuery {
	readonly datamartId: number;
	readonly jobType: JobType;
	readonly documentImportId?: number;
}

/** How a job ends. */
export interface JobEnd {
	readonly status: Extract<JobStatus, 'SUCCEEDED' | 'FAILED' | 'CANCELED'>;
	readonly result: JobResult | null;
	readonly error: {readonly message: string} | null;
}

/** What a job is to do next: `lost` is to stop at once, somebody else has it or it is over. */
export type Standing = 'goes_on' | 'cancel_requested' | 'lost';

export interface JobExecutionStore {
	/** An id for a row to come. */
	nextId(): Promise<number>;
	create(job: NewJobExecution): Promise<JobExecution>;
	find(id: number): Promise<JobExecution | undefined>;
	/** Newest first. */
	list(query: JobQuery, paging: Paging): Promise<Page<JobExecution>>;
	/** Those before an execution that are over and whose input is kept, newest first; `before` is an execution's id. */
	withInput(query: JobQuery, before: number, limit: number): Promise<JobExecution[]>;
	/** Its input is gone: the result names it no more. */
	inputRemoved(id: number): Promise<void>;
	/** Whether anything of this import is pending or running. */
	isBusy(documentImportId: number): Promise<boolean>;
	/** A pending one is canceled, a running one asked to; undefined where it is over. */
	cancel(id: number): Promise<JobExecution | undefined>;
	/** The oldest job that is free, ours until `leaseMs` from now. Of a datamart and type one runs at a time. */
	claim(instance: number, leaseMs: number): Promise<ClaimedJob | undefined>;
	/** Ours again until `leaseMs` from now. */
	renew(job: ClaimedJob, leaseMs: number): Promise<Standing>;
	/** Notes a step, in `transaction` where that is given, so that what the step did and its note are one. */
	save(job: ClaimedJob, step: JobStep, transaction?: unknown): Promise<Standing>;
	/** What the steps had to say so far, in order. */
	parts(id: number, kind: PartKind): AsyncGenerator<string>;
	/** False where the claim was lost. */
	end(job: ClaimedJob, end: JobEnd): Promise<boolean>;
	/** Lets go of a job that is not over; it is free again in `pauseMs`. */
	release(job: ClaimedJob, pauseMs: number): Promise<void>;
	/** What an earlier process of this instance was working on is free at once. */
	releaseAll(instance: number): Promise<void>;
	/** How many are not over, in all instances, by `<type>,<status>`. */
	countOpen(): Promise<Record<string, number>>;
	/** Ids of all that are not over. */
	open(): Promise<number[]>;
}

interface Row {
	id: number;
	job_type: JobType;
	organisation_id: number;
	datamart_id: number;
	document_import_id: number | null;
	user_id: number | null;
	parameters: JobParameters;
	status: JobStatus;
	creation_ts: number;
	start_ts: number | null;
	end_ts: number | null;
	num_tasks: number;
	completed_tasks: number;
	erroneous_tasks: number;
	retry_count: number;
	cancel_status: 'REQUESTED' | 'DONE' | null;
	result: JobResult | null;
	error: {message: string} | null;
	progress: unknown;
	claim: number;
}

function fromRow(row: Row): JobExecution {
	return {
		id: row.id,
		jobType: row.job_type,
		organisationId: row.organisation_id,
		datamartId: row.datamart_id,
		documentImportId: row.document_import_id,
		userId: row.user_id,
		parameters: row.parameters,
		status: row.status,
		creationTs: row.creation_ts,
		startTs: row.start_ts,
		endTs: row.end_ts,
		numTasks: row.num_tasks,
		completedTasks: row.completed_tasks,
		erroneousTasks: row.erroneous_tasks,
		retryCount: row.retry_count,
		cancelStatus: row.cancel_status,
		result: row.result,
		error: row.error,
	};
}

/** Begun again counts as a retry; an older one of the same datamart and type goes first, even while its lease runs. */
const CLAIM = `
	UPDATE job_executions SET
		retry_count = retry_count + CASE WHEN status = 'RUNNING' THEN 1 ELSE 0 END,
		status = 'RUNNING', start_ts = coalesce(start_ts, :now), claim = claim + 1,
		claimed_by = :instance, lease_until_ts = :until
	WHERE id = (
		SELECT id FROM job_executions AS job
		WHERE status IN ('PENDING', 'RUNNING') AND lease_until_ts <= :now AND NOT EXISTS (
			SELECT 1 FROM job_executions AS older
			WHERE older.status IN ('PENDING', 'RUNNING') AND older.id < job.id
				AND older.datamart_id = job.datamart_id AND older.job_type = job.job_type
		)
		ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
	)
	RETURNING *`;

export function jobExecutionStore(database: Database): JobExecutionStore {
	const ours = ({id, claim}: ClaimedJob) => ({id, claim, status: 'RUNNING'});
	const standing = (rows: readonly {cancel_status: string | null}[]): Standing => {
		const [row] = rows;
		if (!row) return 'lost';
		return row.cancel_status === 'REQUESTED' ? 'cancel_requested' : 'goes_on';
	};
	return {
		async nextId() {
			const {rows} = await database.run(sql => sql.raw("SELECT nextval('job_execution_ids') AS id"));
			return rows[0].id;
		},
		async create(job) {
			const [row] = await database.run(sql =>
				sql('job_executions')
					.insert({
						id: job.id,
						job_type: job.jobType,
						organisation_id: job.organisationId,
						datamart_id: job.datamartId,
						document_import_id: job.documentImportId,
						user_id: job.userId,
						parameters: JSON.stringify(job.parameters),
						status: 'PENDING',
						creation_ts: Date.now(),
						num_tasks: job.numTasks,
					})
					.returning('*'),
			);
			return fromRow(row);
		},
		async find(id) {
			const row: Row | undefined = await database.run(sql => sql('job_executions').where({id}).first());
			return row && fromRow(row);
		},
		list: ({datamartId, jobType, documentImportId}, paging) =>
			database.run(sql => {
				const query = sql('job_executions').where({datamart_id: datamartId, job_type: jobType}).select('*');
				if (documentImportId !== undefined) query.where('document_import_id', documentImportId);
				return selectPage(query, 'id', paging, fromRow, 'desc');
			}),
		withInput: ({datamartId, jobType}, before, limit) =>
			database.run(async sql => {
				const rows: Row[] = await sql('job_executions')
					.where({datamart_id: datamartId, job_type: jobType})
					.where('id', '<', before)
					.whereNotNull('end_ts')
					.whereRaw("(result IS NULL OR result ->> 'inputFileUri' IS NOT NULL)")
					.orderBy('id', 'desc')
					.limit(limit);
				return rows.map(fromRow);
			}),
		async inputRemoved(id) {
			await database.run(sql =>
				sql('job_executions')
					.where({id})
					.update({result: sql.raw(`jsonb_set(result, '{inputFileUri}', 'null')`)}),
			);
		},
		isBusy: documentImportId =>
			database.run(async sql => {
				const row = await sql('job_executions')
					.where('document_import_id', documentImportId)
					.whereIn('status', ['PENDING', 'RUNNING'])
					.first('id');
				return row !== undefined;
			}),
		async cancel(id) {
			const {rows} = await database.run(sql =>
				sql.raw(
					`UPDATE job_executions SET
						cancel_status = CASE WHEN status = 'PENDING' THEN 'DONE' ELSE 'REQUESTED' END,
						end_ts = CASE WHEN status = 'PENDING' THEN CAST(:now AS bigint) END,
						status = CASE WHEN status = 'PENDING' THEN 'CANCELED' ELSE status END
					WHERE id = :id AND status IN ('PENDING', 'RUNNING') RETURNING *`,
					{id, now: Date.now()},
				),
			);
			return rows[0] && fromRow(rows[0]);
		},
		async claim(instance, leaseMs) {
			const now = Date.now();
			const {rows} = await database.run(sql => sql.raw(CLAIM, {now, instance, until: now + leaseMs}));
			const row: Row | undefined = rows[0];
			return row && {...fromRow(row), claim: row.claim, progress: row.progress ?? undefined};
		},
		async renew(job, leaseMs) {
			const rows = await database.run(sql =>
				sql('job_executions')
					.where(ours(job))
					.update({lease_until_ts: Date.now() + leaseMs})
					.returning('cancel_status'),
			);
			return standing(rows);
		},
		async save(job, step, transaction) {
			const {progress, completed, erroneous, errors = '', receipt = ''} = step;
			const write = async (tx: Tx) => {
				const rows = await tx('job_executions')
					.where(ours(job))
					.update({
						progress: JSON.stringify(progress),
						completed_tasks: tx.raw('completed_tasks + ?', [completed]),
						erroneous_tasks: tx.raw('erroneous_tasks + ?', [erroneous]),
					})
					.returning('cancel_status');
				if (rows.length > 0 && errors.length + receipt.length > 0) {
					await tx.raw(
						`INSERT INTO job_execution_parts (execution_id, part, errors, receipt)
						SELECT :id, count(*), :errors, :receipt FROM job_execution_parts WHERE execution_id = :id`,
						{id: job.id, errors, receipt},
					);
				}
				return standing(rows);
			};
			return transaction ? write(transaction as Tx) : database.transaction(write);
		},
		async *parts(id, kind) {
			for (let part = 0; ; part++) {
				const row = await database.run(sql =>
					sql('job_execution_parts').where({execution_id: id, part}).first(kind),
				);
				if (!row) return;
				if (row[kind] !== '') yield row[kind];
			}
		},
		end: (job, {status, result, error}) =>
			database.transaction(async tx => {
				const ended = await tx('job_executions')
					.where(ours(job))
					.update({
						status,
						end_ts: Date.now(),
						result: result && JSON.stringify(result),
						error: error && JSON.stringify(error),
						progress: null,
						claimed_by: null,
						...(status === 'CANCELED' && {cancel_status: 'DONE'}),
					});
				if (ended > 0) await tx('job_execution_parts').where('execution_id', job.id).delete();
				return ended > 0;
			}),
		async release(job, pauseMs) {
			await database.run(sql =>
				sql('job_executions')
					.where(ours(job))
					.update({claimed_by: null, lease_until_ts: Date.now() + pauseMs}),
			);
		},
		async releaseAll(instance) {
			await database.run(sql =>
				sql('job_executions')
					.where({claimed_by: instance, status: 'RUNNING'})
					.update({claimed_by: null, lease_until_ts: 0}),
			);
		},
		countOpen: () =>
			database.run(async sql => {
				const rows: readonly {job_type: JobType; status: JobStatus; jobs: number}[] = await sql(
					'job_executions',
				)
					.whereIn('status', ['PENDING', 'RUNNING'])
					.groupBy('job_type', 'status')
					.select('job_type', 'status', sql.raw('count(*) AS jobs'));
				return Object.fromEntries(rows.map(({job_type, status, jobs}) => [`${job_type},${status}`, jobs]));
			}),
		open: () =>
			database.run(sql =>
				sql('job_executions').whereIn('status', ['PENDING', 'RUNNING']).orderBy('id').pluck('id'),
			),
	};
}
