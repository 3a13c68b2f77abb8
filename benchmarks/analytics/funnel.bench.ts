import {z} from 'zod';
import {funnelSteps} from '../../src/analytics/funnel/funnel.query.ts';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {funnelReport} from '../../src/analytics/funnel/funnel.ts';
import type {FunnelQuestion} from '../../src/analytics/funnel/statement.query.ts';
import {positionAt} from '../../src/query/plan.ts';
import type {Warehouse, WarehouseQuery} from '../../src/warehouse/warehouse.ts';
import {type BenchOptions, type BenchResult, interleaved, median} from '../support/bench.ts';
import {withEmbeddedWarehouse} from '../support/embedded-warehouse.ts';
import {SEEDED, seedFacts} from '../support/seed-facts.ts';

const STEPS = ['$item_list_view', '$item_view', '$basket_view', '$transaction_confirmed'];
const UNTIL_MS = SEEDED.fromMs + SEEDED.days * 86_400_000;
const PERIOD_ROWS = `fact_rows_v1
    WHERE datamart_id = {datamart_id:UInt32} AND user_point_id > 0
      AND position >= {from_position:UInt64} AND position < {until_position:UInt64}`;
const NO_LIMIT = {deadlineMs: 300_000, maxMemoryBytes: 16 * 1024 ** 3};

/** The least any funnel pays: every row of the period, grouped by user point. */
const floor = periodQuery(
	'bench.floor',
	`SELECT count() AS user_points, sum(facts) AS facts FROM (SELECT user_point_id, count() AS facts FROM ${PERIOD_ROWS} GROUP BY user_point_id)`,
);

/** What everyone uses: the level alone, by ms, no times, no amounts. */
const windowFunnel = periodQuery(
	'bench.windowFunnel',
	`SELECT level, count() AS user_points FROM (
    SELECT user_point_id, windowFunnel(${SEEDED.days * 86_400_000})(toUInt64(bitShiftRight(position, 22)), ${STEPS.map(step => `event_type = '${step}'`).join(', ')}) AS level
    FROM ${PERIOD_ROWS} GROUP BY user_point_id) GROUP BY level ORDER BY level`,
);

/**
 * A funnel of four steps over 45 days with times, units and money, as the route asks it, against the floor.
 * `rows` is the number of activities; there are 1.25 facts to each.
 */
export async function bench({rows = 1_000_000, rounds = 15, say}: BenchOptions): Promise<BenchResult> {
	return withEmbeddedWarehouse(async warehouse => {
		say(`seeding ${rows} activities ...`);
		await seedFacts(warehouse, rows);
		const [seeded] = (await warehouse.read(floor, undefined, NO_LIMIT)).rows;
		const parts = await countParts(warehouse);
		say(`${seeded?.facts} facts of ${seeded?.user_points} user points in ${parts} parts; ${rounds} rounds`);

		const plain = funnelRequest();
		const windows = funnelRequest(2);
		const context = {datamart: {id: SEEDED.datamartId, timeZone: 'UTC'}, warehouse, read: NO_LIMIT};
		const times = await interleaved(
			{
				floor_ms: () => warehouse.read(floor, undefined, NO_LIMIT),
				candidate_ms: () => funnelReport(context, plain),
				unmerged_ms: () => funnelReport({...context, resolveMerges: false}, plain),
				counts_ms: () => warehouse.read(funnelSteps, countsOnly(plain), NO_LIMIT),
				windows_ms: () => funnelReport({...context, resolveMerges: false}, windows),
				window_funnel_ms: () => warehouse.read(windowFunnel, undefined, NO_LIMIT),
			},
			rounds,
		);
		const base = median(times.floor_ms);
		const ratios = Object.fromEntries(
			Object.entries(times).map(([name, ms]) => [
				name.replace(/_ms$/, ''),
				Number((median(ms) / base).toFixed(2)),
			]),
		);
		const {global} = await funnelReport(context, plain);
		for (const [name, ms] of Object.entries(times)) {
			say(
				`${name.replace(/_ms$/, '').padEnd(14)} ${median(ms).toFixed(0).padStart(7)} ms ${(median(ms) / base).toFixed(2).padStart(6)} x floor`,
			);
		}
		return {
			ratio: Number((median(times.candidate_ms) / base).toFixed(3)),
			facts: Number(seeded?.facts),
			user_points: Number(seeded?.user_points),
			parts,
			ratios,
			of_window_funnel: Number((median(times.candidate_ms) / median(times.window_funnel_ms)).toFixed(2)),
			answer: global,
			raw: {baseline_ms: times.floor_ms, ...times},
		};
	});
}

function funnelRequest(maxDays?: number): FunnelRequest {
	return FunnelRequest.parse({
		for: STEPS.map(name => ({
			name,
			filter_clause: {filters: [{dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: [name]}]},
			max_days_after_previous_step: maxDays,
		})),
		in: {type: 'DATES', start_date: SEEDED.firstDay, end_date: SEEDED.endDay},
	});
}

function countsOnly(request: FunnelRequest): FunnelQuestion {
	const range = {fromMs: SEEDED.fromMs, untilMs: UNTIL_MS};
	return {
		scope: {datamartId: SEEDED.datamartId, timeZone: 'UTC', range, nowMs: UNTIL_MS, resolveMerges: false},
		request,
		amounts: false,
		dayStarts: [],
		maxGroups: 1,
	};
}

type Row = Record<string, string | number>;

function periodQuery(name: string, text: string): WarehouseQuery<undefined, Row> {
	const params = {
		datamart_id: SEEDED.datamartId,
		from_position: positionAt(SEEDED.fromMs),
		until_position: positionAt(UNTIL_MS),
	};
	return {
		name,
		lane: 'heavy',
		row: z.record(z.string(), z.union([z.string(), z.number()])),
		build: () => ({text, params}),
	};
}

async function countParts(warehouse: Warehouse): Promise<number> {
	const query: WarehouseQuery<undefined, Row> = {
		...periodQuery('bench.parts', ''),
		build: () => ({
			text: "SELECT count() AS parts FROM system.parts WHERE active AND table = 'fact_rows_v1'",
			params: {},
		}),
	};
	return Number((await warehouse.read(query, undefined)).rows[0]?.parts);
}
