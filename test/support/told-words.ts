import {LISTED, SPANS, VALUE_TABLE} from '../../src/analytics/autocomplete/value-table.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';

/** Tells the table of values which words a datamart's facts have, all but every eighth: newer ones are not there yet. */
export async function tellWords(
	warehouse: Warehouse,
	datamartId: number,
	told = 'cityHash64(word.2) % 8 > 0',
): Promise<void> {
	const words = LISTED.filter(each => each.kind === 'single').map(
		({name, column}) => `('${name}', toString(${column}))`,
	);
	await warehouse.command(
		`INSERT INTO ${VALUE_TABLE} (datamart_id, dimension, span, local_day, value, part, facts)
		SELECT datamart_id, word.1, ${SPANS[0]}, day - day % ${SPANS[0]}, word.2, toYYYYMM(ts), count()
		FROM (
			SELECT datamart_id, ts, intDiv(bitShiftRight(position, 22), 86400000) + 1 AS day, arrayJoin([${words.join(', ')}]) AS word
			FROM fact_rows_v1 WHERE datamart_id = {datamart_id:UInt32}
		)
		WHERE word.2 != '' AND ${told}
		GROUP BY ALL
		SETTINGS max_partitions_per_insert_block = 0`,
		{datamart_id: datamartId},
	);
}
