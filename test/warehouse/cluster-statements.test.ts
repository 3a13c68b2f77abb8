import test, {type TestFn} from 'ava';
import {z} from 'zod';
import {ActivityReportRequest} from '../../src/analytics/activity-report/activity-report.schema.ts';
import {activityReport} from '../../src/analytics/activity-report/activity-report.ts';
import {DIMENSIONS} from '../../src/query/dimensions.ts';
import {CLUSTER_SETTINGS} from '../../src/warehouse/cluster.ts';
import {LOCAL, SHARDED_BY} from '../../src/warehouse/cluster-tables.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import {reportBody} from '../support/activity-report.ts';
import type {Fact} from '../support/facts.ts';
import {DAY, fact, funnelWorld, MINUTE, only, step} from '../support/funnel.ts';

const world = funnelWorld(test as TestFn);
const TABLES = ['fact_rows_v1', 'activities_v1', 'usage_facts_v1', 'activity_traces_v1'];

const PRODUCT_MODE = CLUSTER_SETTINGS.distributed_product_mode;

/**
 * Two shards in one engine: each sees the rows that belong on it and no other, and the plain name is a Distributed table
 * over both. What crosses the network is the engine's own business from here on.
 */
async function onTwoShards(warehouse: Warehouse): Promise<void> {
	for (const table of TABLES) {
		await warehouse.command(`RENAME TABLE ${table} TO ${table}${LOCAL}`);
		await warehouse.command(
			`CREATE VIEW ${table}_shard AS SELECT * FROM ${table}${LOCAL} WHERE ${SHARDED_BY[table]} % 2 = shardNum() - 1`,
		);
		await warehouse.command(
			`CREATE TABLE ${table} AS remote('127.0.0.1,127.0.0.1', currentDatabase(), ${table}_shard)`,
		);
	}
}

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
	const ask = await world.over(crowd());
	const steps = ['view', 'basket', 'buy'];
	const questions: [readonly (string | object)[], object?][] = [
		[steps],
		[steps, {time_to_convert: true}],
		[steps, {sample_factor: 0.5}],
		[steps, {holding_dimension: 'CHANNEL_ID'}],
		[steps, {exclusions: [{after_step: 1, filter_clause: only('EVENT_TYPE', 'leave')}]}],
		[[step('view', {group_by_dimensions: ['CHANNEL_ID']}), 'basket', 'buy']],
		[['view', step('buy', {filter_clause: only('PRODUCT_ID', 'p1', 'q2')})]],
	];
	const askAll = async () => {
		const answers: unknown[] = [];
		for (const [asked, more] of questions) answers.push(await ask(asked, more));
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
			answers.push(await activityReport({...ask.context, warehouse: sendingAlong(warehouse)}, request));
		}
		return answers;
	};
	const one = await askAll();
	const reported = await reportAll();
	t.true(JSON.stringify([one, reported]).length > 3_000);
	await onTwoShards(warehouse);
	t.deepEqual(await askAll(), one);
	t.deepEqual(await reportAll(), reported);
	t.true((await rowOf(warehouse, STRADDLING)) > 2);

	const text = await explained(warehouse);
	t.regex(text, /MergingAggregated[\s\S]*Union[\s\S]*Aggregating[\s\S]*Aggregating/);
});

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
	return {
		...warehouse,
		read: (query, input, options) =>
			warehouse.read(
				{
					...query,
					build(asked) {
						const {text, params} = query.build(asked);
						return {text: `${text}\nSETTINGS distributed_product_mode = '${PRODUCT_MODE}'`, params};
					},
				},
				input,
				options,
			),
	};
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
