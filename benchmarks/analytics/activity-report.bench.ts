import {z} from 'zod';
import {ActivityReportRequest} from '../../src/analytics/activity-report/activity-report.schema.ts';
import {activityReport} from '../../src/analytics/activity-report/activity-report.ts';
import {positionAt} from '../../src/query/plan.ts';
import type {WarehouseQuery} from '../../src/warehouse/warehouse.ts';
import {type BenchOptions, type BenchResult, interleaved, median} from '../support/bench.ts';
import {withEmbeddedWarehouse} from '../support/embedded-warehouse.ts';
import {SEEDED, seedFacts} from '../support/seed-facts.ts';

const NO_LIMIT = {deadlineMs: 300_000, maxMemoryBytes: 16 * 1024 ** 3};
const UNTIL_MS = SEEDED.fromMs + SEEDED.days * 86_400_000;

const METRICS = [
	'sessions',
	'users',
	'avg_session_duration',
	'avg_number_of_user_events',
	'conversion_rate',
	'number_of_transactions',
	'revenue',
];

/** The least a report pays: the period's rows by one dimension, counted. */
const floor: WarehouseQuery<undefined, unknown> = {
	name: 'bench.floor',
	lane: 'heavy',
	row: z.unknown(),
	build: () => ({
		text: `SELECT event_type, count() FROM fact_rows_v1
    WHERE datamart_id = {datamart_id:UInt32} AND position >= {from_position:UInt64} AND position < {until_position:UInt64}
    GROUP BY event_type`,
		params: {
			datamart_id: SEEDED.datamartId,
			from_position: positionAt(SEEDED.fromMs),
			until_position: positionAt(UNTIL_MS),
		},
	}),
};

/** Reports over 45 days as the route asks them; `candidate` is a day-by-day table of visits and conversions. */
export async function bench({rows = 1_000_000, rounds = 9, say}: BenchOptions): Promise<BenchResult> {
	return withEmbeddedWarehouse(async warehouse => {
		say(`seeding ${rows} activities ...`);
		await seedFacts(warehouse, rows);
		const context = {datamart: {id: SEEDED.datamartId, timeZone: 'Europe/Paris'}, warehouse, read: NO_LIMIT};
		const report = (dimensions: string[], metrics: string[]) => {
			const request = requestOf(dimensions, metrics);
			return () => activityReport(context, request);
		};
		const times = await interleaved(
			{
				floor_ms: () => warehouse.read(floor, undefined, NO_LIMIT),
				candidate_ms: report(['date_yyyy_mm_dd'], ['sessions', 'users', 'conversion_rate', 'revenue']),
				durations_ms: report(['date_yyyy_mm_dd'], METRICS),
				users_ms: report([], ['users']),
				brands_ms: report(['BRAND'], []),
				products_ms: report(['PRODUCT_ID'], []),
			},
			rounds,
		);
		const base = median(times.floor_ms);
		const ratios = Object.fromEntries(
			Object.entries(times).map(([name, ms]) => {
				const ratio = Number((median(ms) / base).toFixed(2));
				say(`${name.padEnd(14)} ${median(ms).toFixed(0).padStart(7)} ms ${ratio} x floor`);
				return [name.replace(/_ms$/, ''), ratio];
			}),
		);
		return {ratio: ratios.candidate!, ratios, raw: {baseline_ms: times.floor_ms, ...times}};
	});
}

function requestOf(dimensions: readonly string[], metrics: readonly string[]): ActivityReportRequest {
	return ActivityReportRequest.parse({
		date_ranges: [{start_date: `${SEEDED.firstDay}T00:00:00`, end_date: `${SEEDED.endDay}T00:00:00`}],
		dimensions: dimensions.map(name => ({name})),
		metrics: metrics.map(expression => ({expression})),
	});
}
