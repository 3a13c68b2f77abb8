import {DomainError, invalidField, notFound} from '../../errors.ts';
import type {Datamart} from '../../tenants/directory.ts';
import type {JobExecutionStore} from '../job-executions/job-executions.store.ts';
import type {DocumentImportChange, DocumentImportRequest} from './document-imports.schema.ts';
import type {DocumentImportStore} from './document-imports.store.ts';

export const DOCUMENT_TYPES = [
	'USER_ACTIVITY',
	'USER_SEGMENT',
	'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS',
	'USER_IDENTIFIERS_DELETION',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const PRIORITIES = ['HIGH', 'MEDIUM', 'LOW'] as const;

/** What kind of file its executions bring. */
export interface DocumentImport {
	readonly id: number;
	readonly datamartId: number;
	readonly name: string;
	readonly documentType: DocumentType;
	readonly mimeType: 'APPLICATION_X_NDJSON';
	readonly encoding: string;
	readonly priority: (typeof PRIORITIES)[number];
	readonly creationTs: number;
}

export interface DocumentImportContext {
	readonly imports: DocumentImportStore;
	readonly jobs: JobExecutionStore;
}

export function createDocumentImport(
	{imports}: Pick<DocumentImportContext, 'imports'>,
	datamart: Datamart,
	request: DocumentImportRequest,
): Promise<DocumentImport> {
	assertSupported(datamart, request.documentType);
	return imports.create({...request, datamartId: datamart.id});
}

/** Error: `document_import_not_found`, another datamart's among them. */
export async function getDocumentImport(
	{imports}: Pick<DocumentImportContext, 'imports'>,
	datamart: Datamart,
	id: number | undefined,
): Promise<DocumentImport> {
	const found = id === undefined ? undefined : await imports.find(datamart.id, id);
	if (!found) throw notFound('document_import_not_found');
	return found;
}

/** Errors: `document_import_not_found`, `field_invalid` where the type would change. */
export async function changeDocumentImport(
	context: Pick<DocumentImportContext, 'imports'>,
	datamart: Datamart,
	id: number | undefined,
	{documentType, ...change}: DocumentImportChange,
): Promise<DocumentImport> {
	const present = await getDocumentImport(context, datamart, id);
	if (documentType !== undefined && documentType !== present.documentType) {
		throw invalidField('/document_type', `cannot change: it is ${present.documentType}`);
	}
	const changed = await context.imports.update(datamart.id, present.id, change);
	if (!changed) throw notFound('document_import_not_found');
	return changed;
}

/** Its executions and what they prove are kept. Errors: `document_import_not_found`, `document_import_busy`. */
export async function removeDocumentImport(
	{imports, jobs}: DocumentImportContext,
	datamart: Datamart,
	id: number | undefined,
): Promise<void> {
	const present = await getDocumentImport({imports}, datamart, id);
	if (await jobs.isBusy(present.id)) {
		throw new DomainError(
			'document_import_busy',
			'an execution of it is pending or running: cancel it first',
		);
	}
	if (!(await imports.remove(datamart.id, present.id))) throw notFound('document_import_not_found');
}

const OLDEST_FOR_DELETION = 201901;

/** Specification, "Identifier deletion by bulk import": user point system v201901 or later. */
export function assertSupported(datamart: Datamart, documentType: DocumentType): void {
	if (documentType !== 'USER_IDENTIFIERS_DELETION') return;
	const version = Number(/^v(\d{6})$/.exec(datamart.userPointSystemVersion)?.[1] ?? 0);
	if (version >= OLDEST_FOR_DELETION) return;
	throw invalidField(
		'/document_type',
		`needs a datamart of user point system v${OLDEST_FOR_DELETION} or later; this one is ${datamart.userPointSystemVersion}`,
	);
}
