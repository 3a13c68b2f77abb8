import test, {type TestFn} from 'ava';
import {z} from 'zod';
import {ActivityReportRequest} from '../../src/analytics/activity-report/activity-report.schema.ts';
import {activityReport} from '../../src/analytics/activity-report/activity-report.ts';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {funnelReport} from '../../src/analytics/funnel/funnel.ts';
import {DIMENSIONS} from '../../src/query/dimensions.ts';
import {CLUSTER_SETTINGS} from '../../src/warehouse/cluster.ts';
import {LOCAL, SHARDED_BY} from '../../src/warehouse/cluster-tables.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import {reportBody} from '../support/activity-report.ts';
import {withSettings} from '../support/asked-otherwise.ts';
import type {Fact} from '../support/facts.ts';
import {body, DAY, fact, funnelWorld, MINUTE, only, step} from '../support/funnel.ts';
import {distributed, followedOnShards} from '../support/shards.ts';

const world = funnelWorld(test as TestFn);
const TABLES = ['fact_rows_v1', 'activities_v1', 'usage_facts_v1', 'activity_traces_v1'];

const PRODUCT_MODE = CLUSTER_SETTINGS.distributed_product_mode;

/** 60 user points, every fifth merged into the one before it, over three steps and two channels. */
function crowd(): Fact[] {
	return Array.from({length: 600}, (_, i) =>
		fact(['view', 'basket', 'buy', 'leave'][(i * 7 + (i >> 4)) % 4]!, {
			user: 1 + ((i * 13) % 60),
			after: ((i * 37) % 9_000) * MINUTE - 3 * DAY,
			money: (i % 11) * 10_000,
			units: i % 3,
			dimensions: {
				EVENT_TYPE: [['view', 'basket', 'buy', 'leave'][(i * 7 + (i >> 4)) % 4]!],
				CHANNEL_ID: [String(i % 2)],
				PRODUCT_ID: [`p${i % 5}`, `q${i % 3}`],
			},
		}),
	);
}

test('two shards answer every kind of funnel as one server does, people merged across shards included', async t => {
	const {warehouse} = world.store;
	const merged = Array.from({length: 12}, (_, i) => `${5 * i + 5}\t${5 * i + 4}\t${i + 1}\n`);
	await warehouse.write({
		table: 'user_point_merges_v1',
		columns: ['user_point_id', 'into_user_point_id', 'merge_sequence'],
		rows: merged.length,
		payload: Buffer.from(merged.join('')),
	});
	await warehouse.command('SYSTEM RELOAD DICTIONARY user_point_merges');
	const {context} = await world.over(crowd());
	const askAll = async (asked: Warehouse) => {
		const answers: unknown[] = [];
		for (const [steps, more] of QUESTIONS) {
			const request = FunnelRequest.parse(body(steps, more));
			answers.push(await funnelReport({...context, warehouse: asked}, request));
		}
		return answers;
	};
	const reports: [string[], string[]][] = [
		[['CHANNEL_ID'], ['users', 'sessions', 'revenue', 'avg_session_duration']],
		[
			['PRODUCT_ID', 'EVENT_TYPE'],
			['users', 'sessions'],
		],
		// Its rows of other days are looked for in a join, and there in a table within IN.
		[[COUNTED], ['sessions']],
		[[], ['users', 'conversion_rate']],
	];
	const reportAll = async () => {
		const answers: unknown[] = [];
		for (const [dimensions, metrics] of reports) {
			const request = ActivityReportRequest.parse(reportBody(dimensions, metrics));
			answers.push(await activityReport({...context, warehouse: sendingAlong(warehouse)}, request));
		}
		return answers;
	};
	const one = await askAll(warehouse);
	const reported = await reportAll();
	t.true(JSON.stringify([one, reported]).length > 3_000);
	for (const table of TABLES) await distributed(warehouse, table);
	t.deepEqual(await askAll(warehouse), one);
	t.deepEqual(await reportAll(), reported);
	const told: string[] = [];
	t.deepEqual(await askAll(followedOnShards(warehouse, told)), one);
	t.is(told.length, QUESTIONS.length - 2);
	// Nobody lies on two shards but those who were merged: without merges nothing but sums is told.
	for (const text of told) t.regex(text, /dictHas\('merged_people', user_point\)/);
	t.true((await rowOf(warehouse, STRADDLING)) > 2);

	const text = await explained(warehouse);
	t.regex(text, /MergingAggregated[\s\S]*Union[\s\S]*Aggregating[\s\S]*Aggregating/);
});

const STEPS = ['view', 'basket', 'buy'];
const anywhere = (event: string, more: object = {}) => ({
	name: event,
	filter_clause: {
		operator: 'OR',
		filters: [...only('EVENT_TYPE', event).filters, ...only('BRAND', 'x').filters],
	},
	...more,
});

const LONG = Array.from({length: 20}, (_, at) =>
	step(STEPS[at % 3]!, at === 2 ? {group_by_dimensions: ['CHANNEL_ID', 'PRODUCT_ID']} : {}),
);

/** Every way a chain is followed, and every kind of split; the last two want every person's own state. */
const QUESTIONS: readonly [readonly (string | object)[], object?][] = [
	[STEPS],
	[STEPS.map(event => anywhere(event))],
	[['view']],
	[['nothing of the kind', 'buy']],
	[STEPS, {sample_factor: 0.5}],
	[['view', step('basket', {max_days_after_previous_step: 1}), 'buy']],
	[STEPS, {exclusions: [{after_step: 1, filter_clause: only('EVENT_TYPE', 'leave')}]}],
	[[step('view', {group_by_dimensions: ['CHANNEL_ID']}), 'basket', 'buy']],
	[[anywhere('view', {group_by_dimensions: ['CHANNEL_ID', 'PRODUCT_ID']}), 'basket', 'buy']],
	[[step('view', {group_by_dimensions: ['PRODUCT_ID']}), step('buy', {max_days_after_previous_step: 2})]],
	[['view', step('basket', {group_by_dimensions: ['DATE_YYYY_MM_DD', 'CHANNEL_ID']}), 'buy']],
	[[step('view', {group_by_dimensions: ['CHANNEL_ID']}), step('buy', {group_by_dimensions: ['PRODUCT_ID']})]],
	[['view', step('buy', {group_by_dimensions: ['PRODUCT_ID']})], {limit: 2}],
	[['view', step('buy', {filter_clause: only('PRODUCT_ID', 'p1', 'q2')})]],
	// Branches evaluated late would be so once for every way through the levels: gigabytes.
	[LONG],
	[STEPS, {time_to_convert: true}],
	[STEPS, {holding_dimension: 'CHANNEL_ID'}],
];

/** A dimension that is counted over all rows of the row's activity. */
const COUNTED = DIMENSIONS.find(({kind}) => kind === 'counted')!.name;

/** People whose merged user points have rows on both shards. */
const STRADDLING = `SELECT count() AS n FROM (
	SELECT dictGetOrDefault('user_point_merges', 'into_user_point_id', user_point_id, user_point_id) AS person
	FROM fact_rows_v1${LOCAL} GROUP BY person HAVING uniqExact(${SHARDED_BY.fact_rows_v1} % 2) = 2)`;

async function rowOf(warehouse: Warehouse, text: string): Promise<number> {
	const row = z.object({n: z.coerce.number()});
	const build = () => ({text, params: {}});
	return (await warehouse.read({name: 'test.number', lane: 'light', row, build}, undefined)).rows[0]!.n;
}

/** With the setting that a cluster's service sends: the embedded engine takes it in the statement alone. */
function sendingAlong(warehouse: Warehouse): Warehouse {
	return withSettings(warehouse, {distributed_product_mode: `'${PRODUCT_MODE}'`});
}

/** How a person's rows are grouped: on each shard first, its partial states merged where the question was asked. */
async function explained(warehouse: Warehouse): Promise<string> {
	const row = z.object({explain: z.string()});
	const text = `EXPLAIN SELECT dictGetOrDefault('user_point_merges', 'into_user_point_id', user_point_id, user_point_id) AS person,
		groupArray(position) FROM fact_rows_v1 WHERE datamart_id = 1 GROUP BY person`;
	const build = () => ({text: `SELECT explain FROM (${text})`, params: {}});
	const {rows} = await warehouse.read({name: 'test.explain', lane: 'light', row, build}, undefined);
	return rows.map(each => each.explain).join('\n');
}
