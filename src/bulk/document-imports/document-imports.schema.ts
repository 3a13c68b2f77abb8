import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {absentWhenNull, NameField} from '../../tenants/fields.schema.ts';
import {DOCUMENT_TYPES, type DocumentImport, PRIORITIES} from './document-imports.ts';

const MIME_TYPES = ['APPLICATION_X_NDJSON'] as const;

const Encoding = z.string().regex(/^utf-?8$/i, 'must be utf-8');

/** Body of POST (specification, "Document import"). Files of all types are ndjson: TEXT_CSV is refused. */
export const DocumentImportRequest = z
	.object({
		document_type: z.enum(DOCUMENT_TYPES),
		mime_type: z.enum(MIME_TYPES),
		encoding: absentWhenNull(Encoding),
		name: NameField,
		priority: absentWhenNull(z.enum(PRIORITIES)),
	})
	.transform(body => ({
		documentType: body.document_type,
		mimeType: body.mime_type,
		encoding: body.encoding ?? 'utf-8',
		name: body.name,
		priority: body.priority ?? ('MEDIUM' as const),
	}));
export type DocumentImportRequest = z.output<typeof DocumentImportRequest>;

/** Body of PUT: what is absent stays. What its executions bring cannot change: another type is another import. */
export const DocumentImportChange = z
	.object({
		document_type: absentWhenNull(z.enum(DOCUMENT_TYPES)),
		mime_type: absentWhenNull(z.enum(MIME_TYPES)),
		encoding: absentWhenNull(Encoding),
		name: absentWhenNull(NameField),
		priority: absentWhenNull(z.enum(PRIORITIES)),
	})
	.transform(body => ({
		documentType: body.document_type,
		...(body.encoding !== undefined && {encoding: body.encoding}),
		...(body.name !== undefined && {name: body.name}),
		...(body.priority !== undefined && {priority: body.priority}),
	}));
export type DocumentImportChange = z.output<typeof DocumentImportChange>;

export const DocumentImportsQuery = z.looseObject({...PagingQuery.shape, keywords: z.string().optional()});

export const DocumentImportAnswer = z.object({
	id: z.string(),
	datamart_id: z.string(),
	datafarm_key: z.string(),
	name: z.string(),
	encoding: z.string(),
	mime_type: z.enum(MIME_TYPES),
	document_type: z.enum(DOCUMENT_TYPES),
	priority: z.enum(PRIORITIES),
	creation_date: z.number(),
});

export function documentImportToWire(
	documentImport: DocumentImport,
	datafarm: string,
): z.input<typeof DocumentImportAnswer> {
	return {
		id: String(documentImport.id),
		datamart_id: String(documentImport.datamartId),
		datafarm_key: datafarm,
		name: documentImport.name,
		encoding: documentImport.encoding,
		mime_type: documentImport.mimeType,
		document_type: documentImport.documentType,
		priority: documentImport.priority,
		creation_date: documentImport.creationTs,
	};
}
