import type {Database} from '../../postgres/database.ts';
import type {DatamartSchema} from './datamart-schemas.ts';

export interface DatamartSchemaStore {
	/** The datamart's schema; with this text where it has none. */
	getOrCreate(datamartId: number, text: string): Promise<DatamartSchema>;
	update(id: number, text: string): Promise<DatamartSchema>;
}

interface Row {
	id: number;
	datamart_id: number;
	text: string;
	creation_ts: number;
	last_modified_ts: number;
}

function fromRow(row: Row): DatamartSchema {
	return {
		id: row.id,
		datamartId: row.datamart_id,
		text: row.text,
		creationTs: row.creation_ts,
		lastModifiedTs: row.last_modified_ts,
	};
}

export function datamartSchemaStore(database: Database): DatamartSchemaStore {
	return {
		async getOrCreate(datamartId, text) {
			const present = () =>
				database.run(sql => sql('datamart_schemas').where('datamart_id', datamartId).first());
			const found: Row | undefined = await present();
			if (found) return fromRow(found);
			const now = Date.now();
			await database.run(sql =>
				sql('datamart_schemas')
					.insert({datamart_id: datamartId, text, creation_ts: now, last_modified_ts: now})
					.onConflict('datamart_id')
					.ignore(),
			);
			return fromRow(await present());
		},
		async update(id, text) {
			const [row] = await database.run(sql =>
				sql('datamart_schemas').where({id}).update({text, last_modified_ts: Date.now()}).returning('*'),
			);
			return fromRow(row);
		},
	};
}
