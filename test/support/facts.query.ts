import {z} from 'zod';
import {FACT_COLUMNS} from '../../src/ingestion/drain/blocks.ts';
import type {WarehouseQuery} from '../../src/warehouse/warehouse.ts';

/** Every fact of a datamart, merges resolved, in order of user point and position. */
export const allFacts: WarehouseQuery<number, Record<string, unknown>> = {
	name: 'test.allFacts',
	lane: 'light',
	row: z.record(z.string(), z.unknown()),
	build: datamartId => ({
		text: `SELECT ${FACT_COLUMNS.filter(column => column !== 'user_point_id').join(', ')},
			dictGetOrDefault('user_point_merges', 'into_user_point_id', user_point_id, user_point_id) AS user_point_id
			FROM fact_rows_v1 WHERE datamart_id = {datamartId:UInt32} ORDER BY user_point_id, position`,
		params: {datamartId},
	}),
};

export const keptActivities: WarehouseQuery<number, {activity: string}> = {
	name: 'test.keptActivities',
	lane: 'light',
	row: z.object({activity: z.string()}),
	build: datamartId => ({
		text: 'SELECT activity FROM activities_v1 WHERE datamart_id = {datamartId:UInt32} ORDER BY arrival',
		params: {datamartId},
	}),
};
