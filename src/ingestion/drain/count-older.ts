import {areOlderFactsCounted} from '../../analytics/autocomplete/autocomplete.ts';
import {COMPLETE, LISTED, SPANS, VALUE_TABLE} from '../../analytics/autocomplete/value-table.ts';
import {LocalDays} from '../../lib/local-days.ts';
import {TIE_BITS} from '../../query/plan.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {FACT_TABLE} from './blocks.ts';
import {partsOfFacts} from './drain.query.ts';
import type {ZonesOf} from './value-writer.ts';

const DAY_MS = 86_400_000;

/**
 * Facts that are older than the table of values, counted into it: once in the life of a store, before anything else is
 * written there. A crash in between leaves no mark of the end, and the next start begins anew.
 */
export async function countOlder(warehouse: Warehouse, zonesOf: ZonesOf): Promise<void> {
	if (await areOlderFactsCounted(warehouse)) return;
	await warehouse.command(`TRUNCATE TABLE ${VALUE_TABLE}`);
	const {rows: parts} = await warehouse.read(partsOfFacts, {});
	const zones = await zonesOf([...new Set(parts.map(each => each.datamart_id))]);
	for (const part of new Set(parts.map(each => each.part))) {
		const byZone = new Map<string, number[]>();
		for (const {datamart_id} of parts.filter(each => each.part === part)) {
			const zone = zones.get(datamart_id)!;
			byZone.set(zone, [...(byZone.get(zone) ?? []), datamart_id]);
		}
		for (const [zone, datamartIds] of byZone) {
			for (const dimension of LISTED) await countDimension(warehouse, dimension, {part, zone, datamartIds});
		}
		await mark(warehouse, part);
	}
	await warehouse.command(
		`INSERT INTO ${VALUE_TABLE} (datamart_id, dimension, span, local_day, value, part, facts, last_batch)
		SELECT 0, '', 0, 0, {complete:String}, 0, 0, 0`,
		{complete: COMPLETE},
	);
}

interface Where {
	readonly part: string;
	readonly zone: string;
	readonly datamartIds: readonly number[];
}

/** `value-rows.ts` in SQL. */
async function countDimension(
	warehouse: Warehouse,
	{name, column, kind}: (typeof LISTED)[number],
	{part, zone, datamartIds}: Where,
): Promise<void> {
	const {offsets} = new LocalDays(zone);
	const value = kind === 'multi' ? `arrayJoin(arrayDistinct(${column}))` : `toString(${column})`;
	const instant = `toInt64(bitShiftRight(position, ${TIE_BITS}))`;
	const offset = `transform(roundDown(${instant}, {starts:Array(Int64)}), {starts:Array(Int64)}, {ahead:Array(Int64)}, toInt64(0))`;
	await warehouse.command(
		`INSERT INTO ${VALUE_TABLE} (datamart_id, dimension, span, local_day, value, part, facts)
		SELECT datamart_id, {dimension:String}, arrayJoin([${SPANS.join(', ')}]) AS span, day - day % span, value, toUInt32({part:String}), facts
		FROM (
			SELECT datamart_id, intDiv(${instant} + ${offset} + ${DAY_MS}, ${DAY_MS}) AS day, ${value} AS value, count() AS facts
			FROM ${FACT_TABLE}
			WHERE _partition_id = {part:String} AND datamart_id IN {datamarts:Array(UInt32)}
			GROUP BY datamart_id, day, value
		)
		WHERE value != ''
		SETTINGS max_bytes_before_external_group_by = 1000000000`,
		{
			dimension: name,
			part,
			datamarts: datamartIds,
			starts: offsets.map(({fromMs}) => fromMs),
			ahead: offsets.map(({offsetMs}) => offsetMs),
		},
	);
}

/** The batch in doubt that a start may find has its counts wherever it had its facts. */
async function mark(warehouse: Warehouse, part: string): Promise<void> {
	await warehouse.command(
		`INSERT INTO ${VALUE_TABLE} (datamart_id, dimension, span, local_day, value, part, facts, last_batch)
		SELECT 0, '', 0, 0, toString(instance), toUInt32({part:String}), 0, max(batch_id)
		FROM ${FACT_TABLE} WHERE _partition_id = {part:String} GROUP BY instance`,
		{part},
	);
}
