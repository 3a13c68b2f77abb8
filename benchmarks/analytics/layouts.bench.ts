import {z} from 'zod';
import {ActivityReportRequest} from '../../src/analytics/activity-report/activity-report.schema.ts';
import {activityReport} from '../../src/analytics/activity-report/activity-report.ts';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {funnelReport} from '../../src/analytics/funnel/funnel.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import {type BenchOptions, type BenchResult, median} from '../support/bench.ts';
import {withEmbeddedWarehouse} from '../support/embedded-warehouse.ts';
import {cpuMsOfAll} from '../support/processes.ts';
import {SEEDED, seedFacts} from '../support/seed-facts.ts';

const NO_LIMIT = {deadlineMs: 600_000, maxMemoryBytes: 16 * 1024 ** 3};
const FACTS = 'fact_rows_v1';
const cpuMs = () => cpuMsOfAll() ?? Number.NaN;

/** A way to keep the facts: by which order, with what beside them. */
interface Layout {
	readonly name: string;
	readonly orderBy: string;
	/** Columns kept; all of them where absent. */
	readonly columns?: string;
	readonly projection?: string;
	/** Questions that are not asked of it, since it cannot answer them. */
	readonly onlyFunnels?: true;
}

const LAYOUTS: readonly Layout[] = [
	{name: 'by_user_point', orderBy: 'datamart_id, user_point_id, position'},
	{name: 'by_time', orderBy: 'datamart_id, position'},
	{name: 'by_event', orderBy: 'datamart_id, event_type, user_point_id, position'},
	{
		name: 'by_user_point_and_time',
		orderBy: 'datamart_id, user_point_id, position',
		projection: 'PROJECTION by_time (SELECT * ORDER BY datamart_id, position)',
	},
	{
		name: 'narrow_beside',
		orderBy: 'datamart_id, user_point_id, position',
		columns: 'datamart_id, user_point_id, position, event_type, channel_id, money, units',
		onlyFunnels: true,
	},
];

/**
 * The same facts kept in several ways, and the same questions asked of each. Every way has the parts that eight inserts
 * made. `--rows` counts activities, 1.25 facts each. Writing is the CPU of copying, without that of reading.
 */
export async function bench({rows = 1_000_000, rounds = 5, say}: BenchOptions): Promise<BenchResult> {
	return withEmbeddedWarehouse(async warehouse => {
		say(`seeding ${rows} activities ...`);
		await seedFacts(warehouse, rows);
		const batches = await read(
			warehouse,
			`SELECT DISTINCT batch_id FROM ${FACTS}`,
			z.object({batch_id: z.coerce.number()}),
		);
		await warehouse.command(`CREATE TABLE nothing AS ${FACTS} ENGINE = Null`);
		const copy = async (into: string, columns = '*') => {
			const before = cpuMs();
			for (const {batch_id} of batches) {
				await warehouse.command(
					`INSERT INTO ${into} ${columns === '*' ? '' : `(${columns})`} SELECT ${columns} FROM ${FACTS} WHERE batch_id = ${batch_id}
					SETTINGS max_threads = 1, max_insert_threads = 1, min_insert_block_size_rows = 100000000, min_insert_block_size_bytes = 0`,
				);
			}
			return Math.round(cpuMs() - before);
		};
		const reading = await copy('nothing');
		const figures: Record<string, object> = {};
		const raw: Record<`${string}_ms`, number[]> = {};
		for (const layout of LAYOUTS) {
			await create(warehouse, layout);
			const writing = (await copy(layout.name, layout.columns)) - (layout.columns ? 0 : reading);
			const asked = await ask(onTable(warehouse, layout.name), layout, rounds);
			for (const [question, {ms}] of Object.entries(asked)) raw[`${layout.name}_${question}_ms`] = ms;
			figures[layout.name] = {
				bytes: await bytesOf(warehouse, layout.name),
				writing_cpu_ms: writing,
				...Object.fromEntries(
					Object.entries(asked).map(([question, each]) => [
						question,
						{ms: median(each.ms), cpu_ms: each.cpuMs, rows_read: each.rowsRead},
					]),
				),
			};
			say(`${layout.name} ${JSON.stringify(figures[layout.name])}`);
			await warehouse.command(`DROP TABLE ${layout.name} SYNC`);
		}
		const [candidate, baseline] = [raw.by_user_point_funnel_ms!, raw.by_time_funnel_ms!];
		return {
			ratio: Number((median(candidate) / median(baseline)).toFixed(3)),
			figures,
			raw: {baseline_ms: baseline, candidate_ms: candidate, floor_ms: candidate, ...raw},
		};
	});
}

async function create(warehouse: Warehouse, {name, orderBy, columns, projection}: Layout): Promise<void> {
	await warehouse.command(
		`CREATE TABLE ${name} ENGINE = MergeTree PARTITION BY toYYYYMM(fromUnixTimestamp64Milli(toInt64(bitShiftRight(position, 22)), 'UTC'))
		ORDER BY (${orderBy}) AS SELECT ${columns ?? '*'} FROM ${FACTS} LIMIT 0`,
	);
	if (projection) await warehouse.command(`ALTER TABLE ${name} ADD ${projection}`);
	await warehouse.command(`SYSTEM STOP MERGES ${name}`);
}

/** Questions of the product, put to another table. */
function onTable(warehouse: Warehouse, table: string): Warehouse {
	return {
		write: warehouse.write,
		command: warehouse.command,
		ping: warehouse.ping,
		close: warehouse.close,
		read: (query, input, options) =>
			warehouse.read(
				{
					...query,
					build: given => {
						const {text, params} = query.build(given);
						return {text: text.replaceAll(FACTS, table), params};
					},
				},
				input,
				options,
			),
	};
}

const STEPS = ['$item_list_view', '$item_view', '$basket_view', '$transaction_confirmed'];

async function ask(warehouse: Warehouse, layout: Layout, rounds: number) {
	let rowsRead = 0;
	const onCost = (cost: {rowsRead: number}) => {
		rowsRead = cost.rowsRead;
	};
	const context = {
		datamart: {id: SEEDED.datamartId, timeZone: 'UTC'},
		warehouse,
		read: {...NO_LIMIT, onCost},
		resolveMerges: false,
	};
	const funnel = (end_date: string = SEEDED.endDay) => {
		const request = FunnelRequest.parse({
			for: STEPS.map(step => ({
				name: step,
				filter_clause: {filters: [{dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: [step]}]},
			})),
			in: {type: 'DATES', start_date: SEEDED.firstDay, end_date},
		});
		return () => funnelReport(context, request);
	};
	const report = (dimensions: string[], metrics: string[], last: string = SEEDED.endDay) => {
		const request = ActivityReportRequest.parse({
			date_ranges: [{start_date: `${SEEDED.firstDay}T00:00:00`, end_date: `${last}T00:00:00`}],
			dimensions: dimensions.map(name => ({name})),
			metrics: metrics.map(expression => ({expression})),
		});
		return () => activityReport(context, request);
	};
	const timeline = () =>
		warehouse.read(
			{
				name: 'bench.timeline',
				lane: 'light',
				row: z.unknown(),
				build: () => ({
					text: `SELECT position, event_type FROM ${FACTS} WHERE datamart_id = ${SEEDED.datamartId} AND user_point_id = 4242 ORDER BY position DESC LIMIT 50`,
					params: {},
				}),
			},
			undefined,
			context.read,
		);
	const questions: Record<string, () => Promise<unknown>> = {
		funnel: funnel(),
		funnel_of_two_days: funnel('2026-09-10'),
		...(!layout.onlyFunnels && {
			report_by_day: report(['date_yyyy_mm_dd'], ['sessions', 'users', 'revenue']),
			report_of_two_days: report(['channel_id'], ['sessions', 'users'], '2026-09-10'),
			values: report(['BRAND'], []),
		}),
		timeline,
	};
	const told: Record<string, {ms: number[]; cpuMs: number; rowsRead: number}> = {};
	for (const [name, work] of Object.entries(questions)) {
		await work();
		const ms: number[] = [];
		const before = cpuMs();
		for (let round = 0; round < rounds; round++) {
			const start = performance.now();
			await work();
			ms.push(Math.round((performance.now() - start) * 10) / 10);
		}
		told[name] = {ms, cpuMs: Math.round((cpuMs() - before) / rounds), rowsRead};
	}
	return told;
}

async function bytesOf(warehouse: Warehouse, table: string): Promise<number> {
	const text = `SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND table = '${table}'`;
	return (await read(warehouse, text, z.object({bytes: z.coerce.number()})))[0]!.bytes;
}

async function read<Row>(warehouse: Warehouse, text: string, row: z.ZodType<Row>): Promise<readonly Row[]> {
	const query = {name: 'bench.read', lane: 'heavy', row, build: () => ({text, params: {}})} as const;
	return (await warehouse.read(query, undefined, NO_LIMIT)).rows;
}
