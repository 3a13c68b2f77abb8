import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import type {DocumentImport} from './document-imports.ts';

export type NewDocumentImport = Omit<DocumentImport, 'id' | 'creationTs'>;
export type DocumentImportValues = Partial<Pick<DocumentImport, 'name' | 'encoding' | 'priority'>>;

export interface DocumentImportStore {
	create(documentImport: NewDocumentImport): Promise<DocumentImport>;
	find(datamartId: number, id: number): Promise<DocumentImport | undefined>;
	list(
		query: {readonly datamartId: number; readonly keywords?: string | undefined},
		paging: Paging,
	): Promise<Page<DocumentImport>>;
	/** Undefined where there is none. */
	update(datamartId: number, id: number, values: DocumentImportValues): Promise<DocumentImport | undefined>;
	/** Whether there was one. */
	remove(datamartId: number, id: number): Promise<boolean>;
}

interface Row {
	id: number;
	datamart_id: number;
	name: string;
	document_type: DocumentImport['documentType'];
	mime_type: DocumentImport['mimeType'];
	encoding: string;
	priority: DocumentImport['priority'];
	creation_ts: number;
}

function fromRow(row: Row): DocumentImport {
	return {
		id: row.id,
		datamartId: row.datamart_id,
		name: row.name,
		documentType: row.document_type,
		mimeType: row.mime_type,
		encoding: row.encoding,
		priority: row.priority,
		creationTs: row.creation_ts,
	};
}

const there = (datamartId: number, id: number) => ({datamart_id: datamartId, id, removed_ts: null});

export function documentImportStore(database: Database): DocumentImportStore {
	return {
		async create(documentImport) {
			const [row] = await database.run(sql =>
				sql('document_imports')
					.insert({
						datamart_id: documentImport.datamartId,
						name: documentImport.name,
						document_type: documentImport.documentType,
						mime_type: documentImport.mimeType,
						encoding: documentImport.encoding,
						priority: documentImport.priority,
						creation_ts: Date.now(),
					})
					.returning('*'),
			);
			return fromRow(row);
		},
		async find(datamartId, id) {
			const row: Row | undefined = await database.run(sql =>
				sql('document_imports').where(there(datamartId, id)).first(),
			);
			return row && fromRow(row);
		},
		list: ({datamartId, keywords}, paging) =>
			database.run(sql => {
				const query = sql('document_imports').where({datamart_id: datamartId, removed_ts: null}).select('*');
				containing(query, 'name', keywords);
				return selectPage(query, 'id', paging, fromRow);
			}),
		async update(datamartId, id, values) {
			const row: Row | undefined = await database.run(async sql => {
				if (Object.keys(values).length > 0) {
					await sql('document_imports').where(there(datamartId, id)).update(values);
				}
				return sql('document_imports').where(there(datamartId, id)).first();
			});
			return row && fromRow(row);
		},
		async remove(datamartId, id) {
			const removed = await database.run(sql =>
				sql('document_imports').where(there(datamartId, id)).update({removed_ts: Date.now()}),
			);
			return removed > 0;
		},
	};
}
