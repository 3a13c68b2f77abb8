import type {Warehouse} from '../../src/warehouse/warehouse.ts';

const DAY_MS = 86_400_000;

/** Two years of usage in one community: 8 organisations, 20 datamarts, batches of two kinds and queries of eight. */
export const USAGE = {
	organisationIds: [1, 2, 3, 4, 5, 6, 7, 8],
	fromMs: Date.UTC(2024, 10, 25),
	days: 720,
} as const;

/**
 * Evenly spread; which datamart and which kind follow from a hash of the number. The newest months are written last, so
 * that parts lie as after two years of small writes that have been merged.
 */
export async function seedUsage(warehouse: Warehouse, facts: number): Promise<void> {
	const {fromMs, days} = USAGE;
	await warehouse.command(
		`INSERT INTO usage_facts_v1 (community_id, organisation_id, datamart_id, user_id, at, source, sub_source, collection,
			resource_id, execution_id, scan_cost, read_cost, write_cost, count, instance, batch_id, position)
		SELECT
			1,
			1 + (cityHash64(number, 1) % 20) % 8,
			1 + cityHash64(number, 1) % 20,
			if(brings, 0, 1 + cityHash64(number, 2) % 30),
			fromUnixTimestamp64Milli({fromMs:Int64} + toInt64(number * {periodMs:UInt64} / {facts:UInt64}), 'UTC'),
			['INGESTION', 'INGESTION', 'API', 'API', 'DASHBOARD', 'DASHBOARD', 'DASHBOARD', 'DATA_STUDIO', 'DATA_STUDIO', 'AUTOMATION'][1 + kind],
			['', '', '', '', 'HOME_DASHBOARD', 'SEGMENT_DASHBOARD', 'STANDARD_SEGMENT_BUILDER_DASHBOARD', 'OTQL_EXPLORER', 'GRAPH_EXPLORER', 'AUTOMATION_BUILDER'][1 + kind],
			if(brings, 'UserActivity', ''),
			if(brings, '', ['funnel.steps', 'activityReport.rows', 'timelines.activities'][1 + cityHash64(number, 4) % 3]),
			if(brings, concat('1-', toString(number)), toString(generateUUIDv4())),
			if(brings, 0, cityHash64(number, 5) % 20000000),
			if(brings, 0, cityHash64(number, 6) % 1000000000),
			if(brings, cityHash64(number, 7) % 8000000, 0),
			if(brings, cityHash64(number, 8) % 20000, 0),
			1, number, number
		FROM (SELECT number, cityHash64(number, 3) % 10 AS kind, kind < 2 AS brings FROM numbers({facts:UInt64}))
		SETTINGS max_partitions_per_insert_block = 0, max_insert_threads = 1`,
		{fromMs, periodMs: days * DAY_MS, facts},
	);
}
