import {z} from 'zod';
import {ActivityReportRequest} from '../../src/analytics/activity-report/activity-report.schema.ts';
import {activityReport} from '../../src/analytics/activity-report/activity-report.ts';
import {ValueLists} from '../../src/analytics/autocomplete/autocomplete.ts';
import type {CountedBatch, CountsFeed} from '../../src/analytics/autocomplete/counted.ts';
import {LiveLists} from '../../src/analytics/autocomplete/live-lists.ts';
import {VALUE_TABLE} from '../../src/analytics/autocomplete/value-table.ts';
import {countOlder} from '../../src/ingestion/drain/count-older.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import {type BenchOptions, type BenchResult, median, percentile} from '../support/bench.ts';
import {withEmbeddedWarehouse} from '../support/embedded-warehouse.ts';
import {cpuMsOfAll} from '../support/processes.ts';
import {SEEDED, seedFacts} from '../support/seed-facts.ts';

const NO_LIMIT = {deadlineMs: 600_000, maxMemoryBytes: 16 * 1024 ** 3};
const TIME_ZONE = 'Europe/Paris';
/** Of service and engine: what a busy machine changes least. */
const cpuMs = () => cpuMsOfAll() ?? Number.NaN;

/** What the seeded facts leave empty: few values, 100,000 and, of every tenth fact, one of 2,000,000. */
const ENRICHED = [
	`goal_id = toString(cityHash64(position, 21) % 1000)`,
	// Some values are met a hundred times as often as others.
	`device_model = concat('model ', toString(toUInt32(100000 * pow(cityHash64(position, 22) % 1000003 / 1000003, 2))))`,
	`product_id = if(cityHash64(position, 23) % 10 = 0, [concat('sku-', toString(cityHash64(position, 24) % 2000000))], product_id)`,
];

const LISTS = {
	type: 'TYPE',
	event_type: 'EVENT_TYPE',
	brand: 'BRAND',
	goal_of_1000: 'GOAL_ID',
	model_of_100000: 'DEVICE_MODEL',
	product_of_2000000: 'PRODUCT_ID',
} as const;

/** Asked so often of memory, a batch of so many facts before each. */
const LIVE_ROUNDS = 300;
const LIVE_BATCH = 500;

/**
 * First pages of lists of values over 45 days, from the table of values (candidate), from the facts (baseline), and from
 * memory while batches are counted. `--rows` counts activities, 1.25 facts each.
 */
export async function bench({rows = 1_000_000, rounds = 9, say}: BenchOptions): Promise<BenchResult> {
	return withEmbeddedWarehouse(async warehouse => {
		say(`seeding ${rows} activities ...`);
		await seedFacts(warehouse, rows);
		await enrich(warehouse);
		const counting = await costOf(() =>
			countOlder(warehouse, async ids => new Map(ids.map(id => [id, TIME_ZONE]))),
		);
		const sizes = await sizesOf(warehouse);
		say(`counted into the table in ${counting.cpuMs} ms of CPU; ${JSON.stringify(sizes)}`);

		const valueLists = new ValueLists(warehouse);
		const drain = toldFeed();
		const liveLists = new ValueLists(warehouse, new LiveLists({warehouse, feed: drain.feed}));
		const context = {datamart: {id: SEEDED.datamartId, timeZone: TIME_ZONE}, warehouse, read: NO_LIMIT};
		const raw: Record<`${string}_ms`, number[]> = {};
		const figures: Record<string, object> = {};
		for (const [name, dimension] of Object.entries(LISTS)) {
			for (const [kind, keyword] of [
				[name, ''],
				[`${name}_like`, '7'],
			] as const) {
				const request = requestOf(dimension, keyword);
				// What the facts cost is known after few rounds, and they are slow.
				const facts = await measured(Math.min(3, rounds), () => activityReport(context, request));
				const table = await measured(rounds * 4, () => activityReport({...context, valueLists}, request));
				if (JSON.stringify(facts.answer) !== JSON.stringify(table.answer)) throw new Error(`${kind} differs`);
				raw[`${kind}_facts_ms`] = facts.ms;
				raw[`${kind}_table_ms`] = table.ms;
				let isLive = false;
				const onKnown = () => {
					isLive = true;
				};
				const read = {...NO_LIMIT, onKnown};
				const live = await liveMs({
					async ask() {
						isLive = false;
						const answer = await activityReport({...context, valueLists: liveLists, read}, request);
						if (JSON.stringify(answer) !== JSON.stringify(table.answer)) throw new Error(`${kind} in memory`);
						return isLive;
					},
					tell: () => drain.tell(dimension, table.answer),
				});
				if (live) raw[`${kind}_live_ms`] = live;
				figures[kind] = {
					facts_ms: median(facts.ms),
					table_ms: median(table.ms),
					table_p99_ms: percentile(table.ms, 0.99),
					...(live && {live_ms: median(live), live_p99_ms: percentile(live, 0.99)}),
					ratio: Number((median(table.ms) / median(facts.ms)).toFixed(3)),
					facts_cpu_ms: facts.cpuMs,
					table_cpu_ms: table.cpuMs,
				};
				say(`${kind.padEnd(24)} ${JSON.stringify(figures[kind])}`);
			}
		}
		const [baseline, candidate] = [raw.model_of_100000_facts_ms!, raw.model_of_100000_table_ms!];
		return {
			ratio: Number((median(candidate) / median(baseline)).toFixed(3)),
			counting,
			sizes,
			figures,
			raw: {baseline_ms: baseline, candidate_ms: candidate, floor_ms: baseline, ...raw},
		};
	});
}

/** A drain that counts facts of values that are there already, none of each: the answer stays what it is. */
function toldFeed() {
	const listeners: ((batch: CountedBatch) => void)[] = [];
	const feed: CountsFeed = {
		instance: 1,
		watch: async () => {},
		onCounted: listener => listeners.push(listener),
	};
	let batchId = 2 ** 40;
	return {
		feed,
		tell(dimension: string, {rows}: {readonly rows: readonly (readonly unknown[])[]}) {
			const count = rows.length === 0 ? 0 : LIVE_BATCH;
			const values = Array.from({length: count}, (_, at) => String(rows[at % rows.length]![0]));
			const [localDay, part] = [Math.floor(SEEDED.fromMs / 86_400_000) + 5, 202609];
			const facts = values.map(() => 0);
			const counted = {datamartId: SEEDED.datamartId, dimension, localDay, part, values, facts};
			batchId += 1;
			for (const listener of listeners) listener({batchId, counted: [counted]});
		},
	};
}

/** Undefined where the list stays with the table. */
async function liveMs({ask, tell}: {ask: () => Promise<boolean>; tell: () => void}) {
	for (let asked = 0; !(await ask()); asked++) if (asked === 30) return undefined;
	const ms: number[] = [];
	for (let round = 0; round < LIVE_ROUNDS; round++) {
		tell();
		// As between two key presses: what a batch leaves to collect is not paid by whoever asks.
		await new Promise(resolve => setTimeout(resolve, 10));
		const start = performance.now();
		await ask();
		ms.push(Math.round((performance.now() - start) * 100) / 100);
	}
	return ms;
}

/** An update of the whole table, once: what is measured is reading. */
async function enrich(warehouse: Warehouse): Promise<void> {
	await warehouse.command('SYSTEM START MERGES fact_rows_v1');
	await warehouse.command(
		`ALTER TABLE fact_rows_v1 UPDATE ${ENRICHED.join(', ')} WHERE true SETTINGS mutations_sync = 1`,
	);
	await warehouse.command('SYSTEM STOP MERGES fact_rows_v1');
}

async function measured<Answer>(rounds: number, work: () => Promise<Answer>) {
	const answer = await work();
	const ms: number[] = [];
	const cpuBefore = cpuMs();
	for (let round = 0; round < rounds; round++) {
		const start = performance.now();
		await work();
		ms.push(Math.round((performance.now() - start) * 10) / 10);
	}
	return {answer, ms, cpuMs: Math.round((cpuMs() - cpuBefore) / rounds)};
}

async function costOf(work: () => Promise<void>) {
	const [cpuBefore, start] = [cpuMs(), performance.now()];
	await work();
	return {cpuMs: Math.round(cpuMs() - cpuBefore), ms: Math.round(performance.now() - start)};
}

async function sizesOf(warehouse: Warehouse) {
	const query = {
		name: 'bench.sizes',
		lane: 'heavy',
		row: z.object({table: z.string(), rows: z.coerce.number(), bytes: z.coerce.number()}),
		build: () => ({
			text: `SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
				WHERE active AND table IN ('fact_rows_v1', '${VALUE_TABLE}') GROUP BY table ORDER BY table`,
			params: {},
		}),
	} as const;
	return (await warehouse.read(query, undefined, NO_LIMIT)).rows;
}

function requestOf(name: string, keyword: string): ActivityReportRequest {
	return ActivityReportRequest.parse({
		date_ranges: [{start_date: `${SEEDED.firstDay}T00:00:00`, end_date: `${SEEDED.endDay}T23:59:59`}],
		dimensions: [{name}],
		metrics: [],
		dimension_filter_clauses: {
			operator: 'OR',
			filters: [{dimension_name: name, operator: 'LIKE', expressions: [keyword], case_sensitive: false}],
		},
	});
}
