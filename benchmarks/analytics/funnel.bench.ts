import {z} from 'zod';
import {funnelSteps} from '../../src/analytics/funnel/funnel.query.ts';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {funnelReport} from '../../src/analytics/funnel/funnel.ts';
import {SplitWords} from '../../src/analytics/funnel/split-words.ts';
import type {FunnelQuestion} from '../../src/analytics/funnel/statement.query.ts';
import {FactStretches} from '../../src/analytics/funnel/stretches.ts';
import {countOlder} from '../../src/ingestion/drain/count-older.ts';
import {positionAt, type Stretches} from '../../src/query/plan.ts';
import type {Warehouse, WarehouseQuery} from '../../src/warehouse/warehouse.ts';
import {childrenOf} from '../../test/support/process.ts';
import {type BenchOptions, type BenchResult, interleaved, median} from '../support/bench.ts';
import {withEmbeddedWarehouse} from '../support/embedded-warehouse.ts';
import {usageOf} from '../support/processes.ts';
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
		await countOlder(warehouse, async ids => new Map(ids.map(id => [id, 'UTC'])));
		const [seeded] = (await warehouse.read(floor, undefined, NO_LIMIT)).rows;
		const parts = await countParts(warehouse);
		say(`${seeded?.facts} facts of ${seeded?.user_points} user points in ${parts} parts; ${rounds} rounds`);

		const plain = funnelRequest(STEPS.map(eventIs));
		const windows = funnelRequest(STEPS.map(eventIs), {max_days_after_previous_step: 2});
		const split = funnelRequest(STEPS.map(eventIs), {}, {at: 0, by: ['channel_id']});
		const lateSplit = funnelRequest(STEPS.map(eventIs), {}, {at: 2, by: ['channel_id']});
		const manySteps = funnelRequest(manyConditions());
		const held = {...plain, holding: FunnelRequest.parse({...WIRE, holding_dimension: 'brand'}).holding};
		const timed = {...plain, timeToConvert: true};
		const stretches = new FactStretches(warehouse);
		const ofSeeded = await stretches.of(SEEDED.datamartId, {fromMs: SEEDED.fromMs, untilMs: UNTIL_MS});
		const datamart = {id: SEEDED.datamartId, timeZone: 'UTC'};
		const context = {datamart, warehouse, stretches, words: new SplitWords(warehouse), read: NO_LIMIT};
		const cpu = new EngineCpu();
		const times = await interleaved(
			cpu.metered({
				floor_ms: () => warehouse.read(floor, undefined, NO_LIMIT),
				candidate_ms: () => funnelReport(context, plain),
				unmerged_ms: () => funnelReport({...context, resolveMerges: false}, plain),
				counts_ms: () => warehouse.read(funnelSteps, countsOnly(plain, ofSeeded), NO_LIMIT),
				windows_ms: () => funnelReport({...context, resolveMerges: false}, windows),
				split_ms: () => funnelReport(context, split),
				late_split_ms: () => funnelReport(context, lateSplit),
				thirty_two_ms: () => funnelReport(context, manySteps),
				held_ms: () => funnelReport(context, held),
				timed_ms: () => funnelReport(context, timed),
				one_scan_ms: () => funnelReport({datamart, warehouse, read: NO_LIMIT}, plain),
				window_funnel_ms: () => warehouse.read(windowFunnel, undefined, NO_LIMIT),
			}),
			rounds,
		);
		const base = median(times.floor_ms);
		const cpuMs = cpu.medians(rounds);
		const ratios = Object.fromEntries(
			Object.entries(times).map(([name, ms]) => [
				name.replace(/_ms$/, ''),
				Number((median(ms) / base).toFixed(2)),
			]),
		);
		const {global} = await funnelReport(context, plain);
		for (const [name, ms] of Object.entries(times)) {
			say(
				`${name.replace(/_ms$/, '').padEnd(14)} ${median(ms).toFixed(0).padStart(7)} ms ${(median(ms) / base).toFixed(2).padStart(6)} x floor   engine CPU ${cpuMs[name]} ms ${((cpuMs[name] ?? 0) / (cpuMs.floor_ms ?? 1)).toFixed(2).padStart(6)} x floor`,
			);
		}
		const of = (one: keyof typeof times, other: keyof typeof times) =>
			Number((median(times[one]) / median(times[other])).toFixed(2));
		const cpuOf = (one: keyof typeof times, other: keyof typeof times) =>
			Number(((cpuMs[one] ?? 0) / (cpuMs[other] ?? 1)).toFixed(2));
		return {
			ratio: Number((median(times.candidate_ms) / base).toFixed(3)),
			facts: Number(seeded?.facts),
			user_points: Number(seeded?.user_points),
			parts,
			ratios,
			of_window_funnel: of('candidate_ms', 'window_funnel_ms'),
			counts_of_window_funnel: of('counts_ms', 'window_funnel_ms'),
			split_of_candidate: of('split_ms', 'candidate_ms'),
			late_split_of_candidate: of('late_split_ms', 'candidate_ms'),
			thirty_two_of_four: of('thirty_two_ms', 'candidate_ms'),
			// The same of the engine's CPU, which a busy machine changes less.
			cpu: {
				of_floor: Object.fromEntries(
					Object.keys(times).map(name => [
						name.replace(/_ms$/, ''),
						cpuOf(name as keyof typeof times, 'floor_ms'),
					]),
				),
				of_window_funnel: cpuOf('candidate_ms', 'window_funnel_ms'),
				counts_of_window_funnel: cpuOf('counts_ms', 'window_funnel_ms'),
				split_of_candidate: cpuOf('split_ms', 'candidate_ms'),
				late_split_of_candidate: cpuOf('late_split_ms', 'candidate_ms'),
				thirty_two_of_four: cpuOf('thirty_two_ms', 'candidate_ms'),
			},
			answer: global,
			raw: {baseline_ms: times.floor_ms, ...times},
		};
	});
}

const PERIOD = {type: 'DATES', start_date: SEEDED.firstDay, end_date: SEEDED.endDay};

type Conditions = Readonly<Record<string, string>>;

function eventIs(name: string): Conditions {
	return {EVENT_TYPE: name};
}

/** 32 conditions: what happened, where, and on what. */
function manyConditions(): Conditions[] {
	return STEPS.flatMap(event =>
		['0', '1', '2', '3'].flatMap(channel =>
			['SMARTPHONE', 'TABLET'].map(device => ({
				EVENT_TYPE: event,
				CHANNEL_ID: channel,
				DEVICE_FORM_FACTOR: device,
			})),
		),
	);
}

interface Split {
	readonly at: number;
	readonly by: readonly string[];
}

function funnelRequest(steps: readonly Conditions[], more: object = {}, split?: Split): FunnelRequest {
	return FunnelRequest.parse(wireRequest(steps, more, split));
}

function wireRequest(steps: readonly Conditions[], more: object = {}, split?: Split) {
	return {
		for: steps.map((conditions, nth) => ({
			name: Object.values(conditions).join(' '),
			filter_clause: {
				filters: Object.entries(conditions).map(([dimension_name, value]) => ({
					dimension_name,
					operator: 'EXACT',
					expressions: [value],
				})),
			},
			...(nth === split?.at && {group_by_dimensions: split.by}),
			...more,
		})),
		in: PERIOD,
	};
}

const WIRE = wireRequest(STEPS.map(eventIs));

/** What the engine, a child of this process, spends on each contender. */
class EngineCpu {
	readonly #spent = new Map<string, number[]>();

	metered<Contenders extends Readonly<Record<string, () => Promise<unknown>>>>(
		contenders: Contenders,
	): Contenders {
		const metered = Object.entries(contenders).map(([name, run]) => [
			name,
			async () => {
				const before = this.#now();
				await run();
				this.#spent.set(name, [...(this.#spent.get(name) ?? []), this.#now() - before]);
			},
		]);
		return Object.fromEntries(metered) as Contenders;
	}

	/** Of the last rounds, in ms. */
	medians(rounds: number): Readonly<Record<string, number>> {
		return Object.fromEntries([...this.#spent].map(([name, ms]) => [name, median(ms.slice(-rounds))]));
	}

	#now(): number {
		return childrenOf(process.pid).reduce((sum, pid) => sum + (usageOf(pid)?.cpuMs ?? 0), 0);
	}
}

function countsOnly(request: FunnelRequest, stretches: Stretches | undefined): FunnelQuestion {
	const range = {fromMs: SEEDED.fromMs, untilMs: UNTIL_MS};
	return {
		scope: {
			datamartId: SEEDED.datamartId,
			timeZone: 'UTC',
			range,
			nowMs: UNTIL_MS,
			resolveMerges: false,
			stretches,
		},
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
