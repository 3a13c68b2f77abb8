import {invalidField} from '../../errors.ts';
import {Nothing, ok} from '../../http/envelope.ts';
import {okPage, PagingQuery, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {uploadOf} from '../../http/upload.ts';
import {parseId} from '../../lib/ids.ts';
import {cancelExecution} from '../job-executions/cancel-execution.ts';
import {JobAction, JobExecutionAnswer, jobExecutionToWire} from '../job-executions/job-executions.schema.ts';
import type {JobExecution} from '../job-executions/job-executions.ts';
import {
	DocumentImportAnswer,
	DocumentImportChange,
	DocumentImportRequest,
	DocumentImportsQuery,
	documentImportToWire,
} from './document-imports.schema.ts';
import {
	changeDocumentImport,
	createDocumentImport,
	type DocumentImportContext,
	getDocumentImport,
	removeDocumentImport,
} from './document-imports.ts';
import {type ExecutionContext, getExecution, startExecution} from './executions.ts';

export interface DocumentImportServices extends DocumentImportContext, ExecutionContext {
	/** Puts the files of a job in order that never began. */
	readonly leave: (job: JobExecution) => Promise<unknown>;
}

const LIST = '/v1/datamarts/:datamartId/document_imports';
const ONE = `${LIST}/:documentImportId`;
const EXECUTIONS = `${ONE}/executions`;
const EXECUTION = `${EXECUTIONS}/:executionId`;

/** Published examples also say `documents_imports` (field guide, section 5). */
const alsoAs = (path: string) => [path.replace('/document_imports', '/documents_imports')];

/** 100 MB of file, and what a form puts around it. */
const MAX_BODY_BYTES = 101 * 1024 * 1024;

type Asked = Pick<RouteRequest<unknown, unknown>, 'datamart' | 'params'>;

export function documentImportRoutes(services: DocumentImportServices): Route[] {
	return [...importRoutes(services), ...executionRoutes(services)];
}

const importIdOf = ({params}: Asked) => parseId(params.documentImportId ?? '');

function importRoutes(services: DocumentImportServices): Route[] {
	return [
		route({
			method: 'GET',
			path: LIST,
			aliases: alsoAs(LIST),
			summary: 'Document imports of a datamart',
			action: 'document_imports:read',
			query: DocumentImportsQuery,
			answer: {page: DocumentImportAnswer},
			async handle({datamart, query}) {
				const paging = toPaging(query);
				const asked = {datamartId: datamart.id, keywords: query.keywords};
				const page = await services.imports.list(asked, paging);
				const items = page.items.map(each => documentImportToWire(each, datamart.datafarm));
				return okPage({...page, items}, paging);
			},
		}),
		route({
			method: 'POST',
			path: LIST,
			aliases: alsoAs(LIST),
			summary: 'Create a document import: what kind of file its executions bring',
			action: 'document_imports:write',
			audit: 'document_import_created',
			body: DocumentImportRequest,
			answer: DocumentImportAnswer,
			async handle({datamart, body}) {
				return ok(
					documentImportToWire(await createDocumentImport(services, datamart, body), datamart.datafarm),
				);
			},
		}),
		route({
			method: 'GET',
			path: ONE,
			aliases: alsoAs(ONE),
			summary: 'One document import',
			action: 'document_imports:read',
			answer: DocumentImportAnswer,
			errors: ['document_import_not_found'],
			async handle(request) {
				const found = await getDocumentImport(services, request.datamart, importIdOf(request));
				return ok(documentImportToWire(found, request.datamart.datafarm));
			},
		}),
		route({
			method: 'PUT',
			path: ONE,
			aliases: alsoAs(ONE),
			summary: 'Change a document import’s name, priority or encoding',
			action: 'document_imports:write',
			audit: 'document_import_changed',
			body: DocumentImportChange,
			answer: DocumentImportAnswer,
			errors: ['document_import_not_found'],
			async handle(request) {
				const {datamart, body} = request;
				const changed = await changeDocumentImport(services, datamart, importIdOf(request), body);
				return ok(documentImportToWire(changed, datamart.datafarm));
			},
		}),
		route({
			method: 'DELETE',
			path: ONE,
			aliases: alsoAs(ONE),
			summary: 'Remove a document import; what its executions did stays',
			action: 'document_imports:write',
			answer: Nothing,
			audit: 'document_import_removed',
			errors: ['document_import_not_found', 'document_import_busy'],
			async handle(request) {
				await removeDocumentImport(services, request.datamart, importIdOf(request));
				return ok({});
			},
		}),
	];
}

function executionRoutes(services: DocumentImportServices): Route[] {
	const importOf = (request: Asked) => getDocumentImport(services, request.datamart, importIdOf(request));
	const executionOf = async (request: Asked) =>
		getExecution(services, await importOf(request), parseId(request.params.executionId ?? ''));
	return [
		route({
			method: 'GET',
			path: EXECUTIONS,
			aliases: alsoAs(EXECUTIONS),
			summary: 'Executions of a document import, newest first',
			action: 'document_imports:read',
			query: PagingQuery,
			answer: {page: JobExecutionAnswer},
			errors: ['document_import_not_found'],
			async handle(request) {
				const paging = toPaging(request.query);
				const {id: documentImportId, datamartId} = await importOf(request);
				const asked = {datamartId, jobType: 'DOCUMENT_IMPORT', documentImportId} as const;
				const page = await services.jobs.list(asked, paging);
				return okPage({...page, items: page.items.map(jobExecutionToWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path: EXECUTIONS,
			aliases: alsoAs(EXECUTIONS),
			summary: 'Import a file of at most 100 MB: ndjson as the body, or as the part `file` of a form',
			action: 'document_imports:write',
			audit: 'document_import_executed',
			body: 'stream',
			accepts: {'application/x-ndjson': 'bytes', 'multipart/form-data': 'bytes'},
			maxBodyBytes: MAX_BODY_BYTES,
			answer: JobExecutionAnswer,
			errors: ['document_import_not_found', 'json_malformed', 'body_missing', 'encoding_invalid'],
			async handle(request) {
				const {datamart, principal, headers, stream} = request;
				const documentImport = await importOf(request);
				const {content, name, contentType, fields} = await uploadOf(headers, stream);
				for (const type of [contentType, fields.type]) refuseCsv(type);
				const job = await startExecution(services, datamart, documentImport, {
					content,
					name: name ?? null,
					userId: principal.kind === 'user' ? principal.userId : null,
				});
				return ok(jobExecutionToWire(job));
			},
		}),
		route({
			method: 'GET',
			path: EXECUTION,
			aliases: alsoAs(EXECUTION),
			summary: 'One execution of a document import, with its progress and in the end its result',
			action: 'document_imports:read',
			answer: JobExecutionAnswer,
			errors: ['document_import_not_found', 'job_execution_not_found'],
			async handle(request) {
				return ok(jobExecutionToWire(await executionOf(request)));
			},
		}),
		route({
			method: 'POST',
			path: `${EXECUTION}/action`,
			aliases: alsoAs(`${EXECUTION}/action`),
			summary: 'Cancel an execution: a pending one at once, a running one at its next step',
			action: 'document_imports:write',
			audit: 'job_execution_canceled',
			body: JobAction,
			answer: JobExecutionAnswer,
			errors: ['document_import_not_found', 'job_execution_not_found', 'job_execution_ended'],
			async handle(request) {
				return ok(jobExecutionToWire(await cancelExecution(services, await executionOf(request))));
			},
		}),
	];
}

/** Files are ndjson whatever they are called, unless they are called something else that we know. */
function refuseCsv(type: string | undefined): void {
	if (type && /csv/i.test(type)) {
		throw invalidField('Content-Type', 'must be application/x-ndjson: one JSON object a line');
	}
}
