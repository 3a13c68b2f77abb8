import {z} from 'zod';
import type {WarehouseQuery} from '../../src/warehouse/warehouse.ts';

interface InDatamart {
	readonly datamartId: number;
}

const params = ({datamartId}: InDatamart) => ({datamartId});
const number = z.coerce.number();

/** Each number of the harness among kept activities: how often, when, and whose. */
export const storedActivities: WarehouseQuery<InDatamart, z.output<typeof StoredActivity>> = {
	name: 'crash.storedActivities',
	lane: 'heavy',
	row: z.lazy(() => StoredActivity),
	build: input => ({
		text: `SELECT JSONExtractUInt(activity, 'harness_seq') AS seq, count() AS times,
				min(instance) AS instance, min(arrival) AS arrival,
				groupUniqArray(dictGetOrDefault('user_point_merges', 'into_user_point_id', user_point_id, user_point_id)) AS points
			FROM activities_v1 WHERE datamart_id = {datamartId:UInt32} AND JSONHas(activity, 'harness_seq') GROUP BY seq`,
		params: params(input),
	}),
};

const StoredActivity = z.object({
	seq: number,
	times: number,
	instance: number,
	arrival: number,
	points: z.array(number),
});

/** The same of fact rows, which carry the number in their one item; `rows` counts them, `parts` the distinct ones. */
export const storedFacts: WarehouseQuery<InDatamart, z.output<typeof StoredFacts>> = {
	name: 'crash.storedFacts',
	lane: 'heavy',
	row: z.lazy(() => StoredFacts),
	build: input => ({
		text: `SELECT toUInt64(splitByChar('.', product_id[1])[1]) AS seq, count() AS rows, uniqExact(product_id[1]) AS parts,
				groupUniqArray(dictGetOrDefault('user_point_merges', 'into_user_point_id', user_point_id, user_point_id)) AS points
			FROM fact_rows_v1 WHERE datamart_id = {datamartId:UInt32} AND event_type = 'promise' GROUP BY seq`,
		params: params(input),
	}),
};

const StoredFacts = z.object({seq: number, rows: number, parts: number, points: z.array(number)});
export type StoredFacts = z.output<typeof StoredFacts>;
export type StoredActivity = z.output<typeof StoredActivity>;
