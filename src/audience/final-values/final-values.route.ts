import {cancelExecution} from '../../bulk/job-executions/cancel-execution.ts';
import {
	JobAction,
	JobExecutionAnswer,
	jobExecutionToWire,
} from '../../bulk/job-executions/job-executions.schema.ts';
import type {JobExecution} from '../../bulk/job-executions/job-executions.ts';
import {invalidField, notFound} from '../../errors.ts';
import {ok} from '../../http/envelope.ts';
import {okPage, PagingQuery, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {uploadOf} from '../../http/upload.ts';
import {parseId} from '../../lib/ids.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Datamart} from '../../tenants/directory.ts';
import {getSchema} from '../datamart-schemas/datamart-schemas.ts';
import {FieldValueAnswer, FieldValuesQuery, ValuesAnswer, ValuesQuery} from './final-values.schema.ts';
import {searchValues, valuesOfField} from './final-values.ts';
import {type FinalValuesJobServices, importFinalValues, type Jobs} from './final-values-job.ts';

/** What the routes ask of jobs beside what the import does. */
export interface ListedJobs extends Jobs {
	list(
		query: {readonly datamartId: number; readonly jobType: 'REFERENCE_TABLE'},
		paging: Paging,
	): Promise<Page<JobExecution>>;
	cancel(id: number): Promise<JobExecution | undefined>;
}

export interface FinalValueServices extends FinalValuesJobServices {
	readonly jobs: ListedJobs;
	readonly leave: (job: JobExecution) => Promise<unknown>;
}

const JOBS = '/v1/datamarts/:datamartId/reference_table_job_executions';
const JOB = `${JOBS}/:executionId`;
const FIELD = '/v1/datamarts/:datamartId/graphdb_runtime_schemas/:schemaId/field/:index/:fieldPath';

/** 32 MiB of file, and what a form puts around it. */
const MAX_BODY_BYTES = 33 * 1024 * 1024;

type Asked = Pick<RouteRequest<unknown, unknown>, 'datamart' | 'params'>;

export function finalValueRoutes(services: FinalValueServices): Route[] {
	return [...jobRoutes(services), ...valueRoutes(services)];
}

/** Error: `job_execution_not_found`, another datamart's and another kind's among them. */
async function jobOf({jobs}: FinalValueServices, {datamart, params}: Asked): Promise<JobExecution> {
	const id = parseId(params.executionId ?? '');
	const job = id === undefined ? undefined : await jobs.find(id);
	if (job?.jobType === 'REFERENCE_TABLE' && isOf(datamart, job)) return job;
	throw notFound('job_execution_not_found');
}

function isOf({id}: Datamart, {datamartId}: JobExecution): boolean {
	return datamartId === id;
}

function jobRoutes(services: FinalValueServices): Route[] {
	return [
		route({
			method: 'POST',
			path: JOBS,
			summary: 'Import final values from a CSV file; they replace the former ones if every line is good',
			action: 'final_values:write',
			audit: 'final_values_imported',
			body: 'stream',
			maxBodyBytes: MAX_BODY_BYTES,
			answer: JobExecutionAnswer,
			errors: ['body_missing', 'encoding_invalid', 'csv_header_invalid', 'records_excessive'],
			async handle({datamart, principal, headers, stream}) {
				const {content, name, contentType} = await uploadOf(headers, stream);
				if (contentType && /json/i.test(contentType)) {
					throw invalidField('Content-Type', 'must be text/csv');
				}
				const job = await importFinalValues(services, datamart, {
					content,
					name: name ?? null,
					userId: principal.kind === 'user' ? principal.userId : null,
				});
				return ok(jobExecutionToWire(job));
			},
		}),
		route({
			method: 'GET',
			path: JOBS,
			summary: 'Imports of final values, newest first',
			action: 'final_values:read',
			query: PagingQuery,
			answer: {page: JobExecutionAnswer},
			async handle({datamart, query}) {
				const paging = toPaging(query);
				const asked = {datamartId: datamart.id, jobType: 'REFERENCE_TABLE'} as const;
				const page = await services.jobs.list(asked, paging);
				return okPage({...page, items: page.items.map(jobExecutionToWire)}, paging);
			},
		}),
		route({
			method: 'GET',
			path: JOB,
			summary: 'One import of final values',
			action: 'final_values:read',
			answer: JobExecutionAnswer,
			errors: ['job_execution_not_found'],
			handle: async request => ok(jobExecutionToWire(await jobOf(services, request))),
		}),
		route({
			method: 'POST',
			path: `${JOB}/action`,
			summary: 'Cancel an import of final values: the former ones are kept',
			action: 'final_values:write',
			audit: 'job_execution_canceled',
			body: JobAction,
			answer: JobExecutionAnswer,
			errors: ['job_execution_not_found', 'job_execution_ended'],
			handle: async request =>
				ok(jobExecutionToWire(await cancelExecution(services, await jobOf(services, request)))),
		}),
	];
}

function valueRoutes(services: FinalValueServices): Route[] {
	return [
		route({
			method: 'GET',
			path: '/v1/datamarts/:datamartId/reference_table_values',
			summary: 'Final values that contain `keywords`, ignoring case, each once',
			action: 'final_values:read',
			query: ValuesQuery,
			answer: ValuesAnswer,
			async handle({datamart, query, read}) {
				const {items} = await searchValues({...services, read}, datamart, query.keywords, toPaging(query));
				return ok({values: items});
			},
		}),
		route({
			method: 'GET',
			path: `${FIELD}/reference_tables/records`,
			summary: 'Final values of one field: field/index=USER_INDEX/object_tree_field_path=profiles.country',
			action: 'final_values:read',
			query: FieldValuesQuery,
			answer: {page: FieldValueAnswer},
			errors: ['datamart_schema_not_found', 'route_not_found'],
			async handle({datamart, params, query, read}) {
				const schema = await getSchema(services.schemas, datamart, parseId(params.schemaId ?? ''));
				const [, field] = /^object_tree_field_path=(.+)$/.exec(params.fieldPath ?? '') ?? [];
				if (field === undefined || !params.index?.startsWith('index=')) throw notFound('route_not_found');
				const paging = toPaging(query);
				const asked = {field, schemaText: schema.text, keywords: query.keywords};
				const page = await valuesOfField({...services, read}, datamart, asked, paging);
				return okPage({...page, items: page.items.map(value => ({value, display_value: value}))}, paging);
			},
		}),
	];
}
