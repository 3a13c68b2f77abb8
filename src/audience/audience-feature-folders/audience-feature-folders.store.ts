import {invalidField} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database, Tx} from '../../postgres/database.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import {type AudienceFeatureFolder, foldersExcessive, MAX_FOLDERS} from './audience-feature-folders.ts';

type Key = Pick<AudienceFeatureFolder, 'id' | 'datamartId'>;
type Placed = Pick<AudienceFeatureFolder, 'name' | 'parentId'>;

export interface FolderStore {
	/** Throws `folders_excessive`, and `field_invalid` naming `/parent_id` where it is no folder of the datamart. */
	create(folder: Placed & Pick<Key, 'datamartId'>): Promise<AudienceFeatureFolder>;
	find(key: Key): Promise<AudienceFeatureFolder | undefined>;
	list(
		query: {readonly datamartId: number; readonly keywords: string | undefined},
		paging: Paging,
	): Promise<Page<AudienceFeatureFolder>>;
	/** Undefined where there is none. Throws `field_invalid` naming `/parent_id`, also where that is within the folder. */
	update(key: Key, folder: Placed): Promise<AudienceFeatureFolder | undefined>;
	/** Its folders and features move to the one above. Whether there was one. */
	remove(key: Key): Promise<boolean>;
}

interface Row {
	id: number;
	datamart_id: number;
	name: string;
	parent_id: number | null;
	child_ids: number[];
	feature_ids: number[];
}

function fromRow(row: Row): AudienceFeatureFolder {
	return {
		id: row.id,
		datamartId: row.datamart_id,
		name: row.name,
		parentId: row.parent_id,
		childIds: row.child_ids,
		featureIds: row.feature_ids,
	};
}

const TABLE = 'audience_feature_folders';
const WITH_CONTENTS = `${TABLE}.*,
	to_jsonb(array(SELECT id FROM ${TABLE} AS child WHERE child.parent_id = ${TABLE}.id ORDER BY id)) AS child_ids,
	to_jsonb(array(SELECT id FROM audience_features AS f WHERE f.folder_id = ${TABLE}.id ORDER BY id)) AS feature_ids`;

const at = ({id, datamartId}: Key) => ({id, datamart_id: datamartId});

/** Those who change the folders of a datamart take turns: none counts, or looks for its way up, beside the other. */
async function takeTurn(tx: Tx, datamartId: number): Promise<void> {
	await tx('datamarts').where({id: datamartId}).forNoKeyUpdate().select('id');
}

export function folderStore(database: Database): FolderStore {
	const find = async (sql: Tx | Parameters<Parameters<Database['run']>[0]>[0], key: Key) => {
		const row: Row | undefined = await sql(TABLE).where(at(key)).first(sql.raw(WITH_CONTENTS));
		return row && fromRow(row);
	};
	return {
		create: ({datamartId, name, parentId}) =>
			database.transaction(async tx => {
				await takeTurn(tx, datamartId);
				const [counted] = await tx(TABLE).where('datamart_id', datamartId).count({total: '*'});
				if (Number(counted?.total) >= MAX_FOLDERS) throw foldersExcessive();
				await assertParent(tx, {id: 0, datamartId}, parentId);
				const [row] = await tx(TABLE)
					.insert({datamart_id: datamartId, name, parent_id: parentId, creation_ts: Date.now()})
					.returning('id');
				return (await find(tx, {id: row.id, datamartId}))!;
			}),
		find: key => database.run(sql => find(sql, key)),
		list: ({datamartId, keywords}, paging) =>
			database.run(sql => {
				const query = sql(TABLE).where('datamart_id', datamartId).select(sql.raw(WITH_CONTENTS));
				containing(query, 'name', keywords);
				return selectPage(query, 'id', paging, fromRow);
			}),
		update: (key, {name, parentId}) =>
			database.transaction(async tx => {
				await takeTurn(tx, key.datamartId);
				await assertParent(tx, key, parentId);
				await tx(TABLE).where(at(key)).update({name, parent_id: parentId});
				return find(tx, key);
			}),
		remove: key =>
			database.transaction(async tx => {
				await takeTurn(tx, key.datamartId);
				const row = await tx(TABLE).where(at(key)).first('parent_id');
				if (!row) return false;
				await tx(TABLE).where('parent_id', key.id).update({parent_id: row.parent_id});
				await tx('audience_features').where('folder_id', key.id).update({folder_id: row.parent_id});
				await tx(TABLE).where(at(key)).delete();
				return true;
			}),
	};
}

/** From the parent up to the top no folder is the folder itself. */
async function assertParent(tx: Tx, {id, datamartId}: Key, parentId: number | null): Promise<void> {
	for (let above = parentId; above !== null; ) {
		if (above === id) throw invalidField('/parent_id', 'is the folder itself or one within it');
		const row = await tx(TABLE).where({id: above, datamart_id: datamartId}).first('parent_id');
		if (!row) throw invalidField('/parent_id', 'is no folder of the datamart');
		above = row.parent_id;
	}
}
