import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {selectPage} from '../../postgres/page.ts';
import type {WrittenBlob} from '../blobs/blob-keeper.ts';
import {dropBlob, keepBlob} from '../blobs/blobs.store.ts';
import type {DataFilePlace} from './data-file-uri.ts';
import type {DataFile} from './data-files.ts';

/** A file with the key of its content. */
export interface StoredDataFile {
	readonly file: DataFile;
	readonly blobKey: string;
}

export interface DataFileStore {
	/** Puts a file in its place; answers it and the key of what stood there before. */
	put(
		place: DataFilePlace,
		about: {readonly name: string | null; readonly contentType: string | null},
		blob: WrittenBlob,
	): Promise<{readonly kept: DataFile; readonly dropped: readonly string[]}>;
	find(place: DataFilePlace): Promise<StoredDataFile | undefined>;
	/** By path; those whose path begins so. */
	list(organisationId: number, prefix: string, paging: Paging): Promise<Page<DataFile>>;
	/** The key of its content; undefined where there is no such file. */
	remove(place: DataFilePlace): Promise<string | undefined>;
}

interface Row {
	organisation_id: number;
	path: string;
	name: string | null;
	content_type: string | null;
	bytes: number;
	sha256: string;
	blob_key: string;
	creation_ts: number;
	last_modified_ts: number;
}

function fromRow(row: Row): DataFile {
	return {
		organisationId: row.organisation_id,
		path: row.path,
		name: row.name,
		contentType: row.content_type,
		bytes: row.bytes,
		sha256: row.sha256,
		creationTs: row.creation_ts,
		lastModifiedTs: row.last_modified_ts,
	};
}

const at = ({organisationId, path}: DataFilePlace) => ({organisation_id: organisationId, path});

export function dataFileStore(database: Database): DataFileStore {
	return {
		put: (place, {name, contentType}, blob) =>
			database.transaction(async tx => {
				await keepBlob(tx, blob.key);
				const now = Date.now();
				const values = {
					name,
					content_type: contentType,
					bytes: blob.bytes,
					sha256: blob.sha256,
					blob_key: blob.key,
					last_modified_ts: now,
				};
				// First the row itself, so that two who write to one place take turns on it.
				await tx('data_files')
					.insert({...at(place), ...values, creation_ts: now})
					.onConflict(['organisation_id', 'path'])
					.ignore();
				const before: Row = await tx('data_files').where(at(place)).forUpdate().first();
				const dropped = before.blob_key === blob.key ? [] : [before.blob_key];
				const [row] = await tx('data_files').where(at(place)).update(values).returning('*');
				for (const key of dropped) await dropBlob(tx, key);
				return {kept: fromRow(row), dropped};
			}),
		async find(place) {
			const row: Row | undefined = await database.run(sql => sql('data_files').where(at(place)).first());
			return row && {file: fromRow(row), blobKey: row.blob_key};
		},
		list: (organisationId, prefix, paging) =>
			database.run(sql => {
				const query = sql('data_files').where('organisation_id', organisationId).select('*');
				if (prefix) query.whereRaw('starts_with(path, ?)', [prefix]);
				return selectPage(query, 'path', paging, fromRow);
			}),
		remove: place =>
			database.transaction(async tx => {
				const [row] = await tx('data_files').where(at(place)).delete().returning('blob_key');
				if (row) await dropBlob(tx, row.blob_key);
				return row?.blob_key;
			}),
	};
}
