import {writeFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {ActivityReportRequest} from '../../src/analytics/activity-report/activity-report.schema.ts';
import {activityReport} from '../../src/analytics/activity-report/activity-report.ts';
import {ValueLists} from '../../src/analytics/autocomplete/autocomplete.ts';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {funnelReport} from '../../src/analytics/funnel/funnel.ts';
import {SplitWords} from '../../src/analytics/funnel/split-words.ts';
import {FactStretches} from '../../src/analytics/funnel/stretches.ts';
import {countOlder} from '../../src/ingestion/drain/count-older.ts';
import {projectFile} from '../../src/lib/project.ts';
import {type BenchOptions, type BenchResult, median} from '../support/bench.ts';
import {withEmbeddedWarehouse} from '../support/embedded-warehouse.ts';
import {lineGraph} from '../support/line-graph.ts';
import {cpuMsOfAll} from '../support/processes.ts';
import {SEEDED, seedFacts} from '../support/seed-facts.ts';

const PICTURE = fileURLToPath(projectFile('benchmarks/analytics/growth.svg'));
const NO_LIMIT = {deadlineMs: 600_000, maxMemoryBytes: 16 * 1024 ** 3};
/** Millions of facts. */
const SIZES = [1, 5, 20, 50];
const FACTS_AN_ACTIVITY = 1.25;
const STEPS = ['$item_list_view', '$item_view', '$basket_view', '$transaction_confirmed'];

/**
 * What questions cost as facts grow: CPU of service and engine a question, since a busy machine changes it least.
 * `--rows`: no size beyond so many facts. Draws `growth.svg`.
 */
export async function bench({rows = 50_000_000, rounds = 3, say}: BenchOptions): Promise<BenchResult> {
	const wall: Record<`${string}_ms`, number[]> = {};
	const points: Record<string, [number, number][]> = {};
	for (const millions of SIZES.filter(each => each * 1e6 <= rows)) {
		say(`${millions} million facts ...`);
		const told = await atSize(Math.round((millions * 1e6) / FACTS_AN_ACTIVITY), rounds);
		for (const [name, {ms, cpuMs}] of Object.entries(told)) {
			points[name] = [...(points[name] ?? []), [millions, cpuMs]];
			wall[`${name}_${millions}m_ms`] = ms;
			say(`${name.padEnd(10)} ${cpuMs} ms of CPU, ${median(ms)} ms`);
		}
	}
	const series = Object.entries(points).map(([name, each]) => ({name, points: [[0, 0] as const, ...each]}));
	const svg = lineGraph({
		title: 'Questions over 45 days, by how many facts there are',
		xLabel: 'millions of facts',
		yLabel: 'ms of CPU a question',
		series,
	});
	await writeFile(PICTURE, svg);
	const funnel = points.funnel ?? [];
	const [first, last] = [funnel.at(0), funnel.at(-1)];
	return {
		// How much more a fact costs in the largest store than in the smallest.
		ratio: first && last ? Number((last[1] / last[0] / (first[1] / first[0])).toFixed(2)) : Number.NaN,
		points,
		raw: {baseline_ms: [], candidate_ms: [], floor_ms: [], ...wall},
	};
}

async function atSize(activities: number, rounds: number) {
	return withEmbeddedWarehouse(async warehouse => {
		await seedFacts(warehouse, activities);
		await countOlder(warehouse, async ids => new Map(ids.map(id => [id, 'UTC'])));
		const [stretches, words] = [new FactStretches(warehouse), new SplitWords(warehouse)];
		const datamart = {id: SEEDED.datamartId, timeZone: 'UTC'};
		const context = {datamart, warehouse, stretches, words, read: NO_LIMIT};
		const valueLists = new ValueLists(warehouse);
		const funnel = FunnelRequest.parse({
			for: STEPS.map(step => ({
				name: step,
				filter_clause: {filters: [{dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: [step]}]},
			})),
			in: {type: 'DATES', start_date: SEEDED.firstDay, end_date: SEEDED.endDay},
		});
		const report = requestOf(['date_yyyy_mm_dd'], ['sessions', 'users', 'revenue']);
		const values = requestOf(['PRODUCT_ID'], []);
		const questions = {
			funnel: () => funnelReport(context, funnel),
			report: () => activityReport(context, report),
			values: () => activityReport({...context, valueLists}, values),
		};
		const told: Record<string, {ms: number[]; cpuMs: number}> = {};
		for (const [name, ask] of Object.entries(questions)) {
			await ask();
			const ms: number[] = [];
			const before = cpuMsOfAll() ?? Number.NaN;
			for (let round = 0; round < rounds; round++) {
				const start = performance.now();
				await ask();
				ms.push(Math.round(performance.now() - start));
			}
			told[name] = {ms, cpuMs: Math.round(((cpuMsOfAll() ?? Number.NaN) - before) / rounds)};
		}
		return told;
	});
}

function requestOf(dimensions: readonly string[], metrics: readonly string[]): ActivityReportRequest {
	return ActivityReportRequest.parse({
		date_ranges: [{start_date: `${SEEDED.firstDay}T00:00:00`, end_date: `${SEEDED.endDay}T23:59:59`}],
		dimensions: dimensions.map(name => ({name})),
		metrics: metrics.map(expression => ({expression})),
	});
}
