import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import {buildersExcessive, MAX_BUILDERS, type SegmentBuilder} from './segment-builders.ts';

type Key = Pick<SegmentBuilder, 'id' | 'datamartId'>;

export interface SegmentBuilderQuery {
	readonly datamartId: number;
	readonly keywords?: string | undefined;
}

export interface SegmentBuilderStore {
	/** Error: `segment_builders_excessive`, however many are made at once. */
	create(builder: Omit<SegmentBuilder, 'id'>): Promise<SegmentBuilder>;
	find(key: Key): Promise<SegmentBuilder | undefined>;
	list(query: SegmentBuilderQuery, paging: Paging): Promise<Page<SegmentBuilder>>;
	/** Undefined when there is no such builder. */
	update(
		key: Key,
		change: {readonly name?: string | undefined; readonly featureIds?: readonly number[] | undefined},
	): Promise<SegmentBuilder | undefined>;
	/** Whether there was one. */
	remove(key: Key): Promise<boolean>;
}

interface Row {
	id: number;
	datamart_id: number;
	name: string;
	feature_ids: number[];
}

function fromRow(row: Row): SegmentBuilder {
	return {id: row.id, datamartId: row.datamart_id, name: row.name, featureIds: row.feature_ids};
}

const at = ({id, datamartId}: Key) => ({id, datamart_id: datamartId});

export function segmentBuilderStore(database: Database): SegmentBuilderStore {
	const find = async (key: Key): Promise<SegmentBuilder | undefined> => {
		const row: Row | undefined = await database.run(sql => sql('segment_builders').where(at(key)).first());
		return row && fromRow(row);
	};
	return {
		create: ({datamartId, name, featureIds}) =>
			database.transaction(async tx => {
				// Those who make one at once take turns, so that none counts without the other.
				await tx('datamarts').where({id: datamartId}).forNoKeyUpdate().select('id');
				const [counted] = await tx('segment_builders').where('datamart_id', datamartId).count({total: '*'});
				if (Number(counted?.total) >= MAX_BUILDERS) throw buildersExcessive();
				const [row] = await tx('segment_builders')
					.insert({
						datamart_id: datamartId,
						name,
						feature_ids: JSON.stringify(featureIds),
						creation_ts: Date.now(),
					})
					.returning('*');
				return fromRow(row);
			}),
		find,
		list: ({datamartId, keywords}, paging) =>
			database.run(sql => {
				const query = sql('segment_builders').where('datamart_id', datamartId).select('*');
				containing(query, 'name', keywords);
				return selectPage(query, 'id', paging, fromRow);
			}),
		async update(key, {name, featureIds}) {
			const values = {
				...(name !== undefined && {name}),
				...(featureIds !== undefined && {feature_ids: JSON.stringify(featureIds)}),
			};
			if (Object.keys(values).length > 0) {
				await database.run(async sql => {
					await sql('segment_builders').where(at(key)).update(values);
				});
			}
			return find(key);
		},
		remove: key => database.run(async sql => (await sql('segment_builders').where(at(key)).delete()) > 0),
	};
}
