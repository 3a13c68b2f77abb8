import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import type {WrittenBlob} from '../blobs/blob-keeper.ts';
import {dropBlob, keepBlob} from '../blobs/blobs.store.ts';
import type {Asset} from './assets.ts';

export interface AssetQuery {
	readonly organisationId: number;
	/** In the original name. */
	readonly keywords?: string | undefined;
}

export interface AssetStore {
	create(
		asset: Pick<Asset, 'organisationId' | 'originalName' | 'mimeType'>,
		blob: WrittenBlob,
	): Promise<Asset>;
	find(id: number): Promise<Asset | undefined>;
	/** Of its content. */
	keyOf(id: number): Promise<string | undefined>;
	list(query: AssetQuery, paging: Paging): Promise<Page<Asset>>;
	/** The key of its content; undefined where there is no such asset. */
	remove(id: number): Promise<string | undefined>;
	/** Those of the ids that are another organisation's. */
	foreign(organisationId: number, ids: readonly number[]): Promise<ReadonlySet<number>>;
}

interface Row {
	id: number;
	organisation_id: number;
	original_name: string;
	mime_type: string;
	bytes: number;
	sha256: string;
	blob_key: string;
	creation_ts: number;
}

function fromRow(row: Row): Asset {
	return {
		id: row.id,
		organisationId: row.organisation_id,
		originalName: row.original_name,
		mimeType: row.mime_type,
		bytes: row.bytes,
		sha256: row.sha256,
		creationTs: row.creation_ts,
	};
}

export function assetStore(database: Database): AssetStore {
	const find = (id: number): Promise<Row | undefined> =>
		database.run(sql => sql('assets').where({id}).first());
	return {
		create: ({organisationId, originalName, mimeType}, blob) =>
			database.transaction(async tx => {
				await keepBlob(tx, blob.key);
				const [row] = await tx('assets')
					.insert({
						organisation_id: organisationId,
						original_name: originalName,
						mime_type: mimeType,
						bytes: blob.bytes,
						sha256: blob.sha256,
						blob_key: blob.key,
						creation_ts: Date.now(),
					})
					.returning('*');
				return fromRow(row);
			}),
		async find(id) {
			const row = await find(id);
			return row && fromRow(row);
		},
		async keyOf(id) {
			return (await find(id))?.blob_key;
		},
		list: ({organisationId, keywords}, paging) =>
			database.run(sql => {
				const query = sql('assets').where('organisation_id', organisationId).select('*');
				containing(query, 'original_name', keywords);
				return selectPage(query, 'id', paging, fromRow);
			}),
		remove: id =>
			database.transaction(async tx => {
				const [row] = await tx('assets').where({id}).delete().returning('blob_key');
				if (row) await dropBlob(tx, row.blob_key);
				return row?.blob_key;
			}),
		async foreign(organisationId, ids) {
			const rows: {id: number}[] = await database.run(sql =>
				sql('assets')
					.whereNot('organisation_id', organisationId)
					.whereIn('id', [...ids])
					.select('id'),
			);
			return new Set(rows.map(({id}) => id));
		},
	};
}
