import {byPosition, type ChainQuestion, type FindChain, reportedChain} from './chains.ts';
import {tenThousandths} from './decimal.ts';
import type {FactRow} from './facts.ts';
import {clauseMatcher, type ValuesOf} from './filters.ts';
import {addDays, localDay, midnight, subtractMonths} from './local-time.ts';
import {isSampled} from './samples.ts';
import {roundHalfUp, type Times, timesOf} from './times.ts';
import type {WireFunnelRequest, WirePeriod, WireStep} from './wire.ts';

export interface StepNumbers {
	readonly name: string;
	readonly count: number;
	/** Whole seconds. */
	readonly interaction_duration: number;
	/** Units; absent on the first step. */
	readonly conversion?: number;
	/** Money; absent on the first step. */
	readonly amount?: number;
	/** Whole seconds since the first row of the chain. */
	readonly time_to_convert?: Times;
}

export interface FunnelNumbers {
	readonly total: number;
	readonly steps: readonly StepNumbers[];
}

export interface GroupEntry {
	readonly dimension_names: readonly string[];
	readonly dimension_values: readonly (string | null)[];
	readonly dimension_name?: string;
	readonly dimension_value?: string | null;
	readonly dimension_decorator?: string;
	readonly funnel: FunnelNumbers;
}

export interface FunnelAnswer {
	readonly global: FunnelNumbers;
	readonly grouped_by: readonly GroupEntry[];
	readonly sampling?: {readonly sample_factor: number; readonly user_points: number};
	/** The reported chain of every user point with a row in the period; empty for those that never entered. */
	readonly chains: ReadonlyMap<number, readonly FactRow[]>;
}

export interface FunnelQuestion {
	/** Facts of the datamart in any order. */
	readonly rows: readonly FactRow[];
	readonly request: WireFunnelRequest;
	/** The datamart's, an IANA name. */
	readonly timeZone: string;
	/** For periods of the WINDOW form, epoch ms. */
	readonly nowMs?: number;
	/** Segments a user point is in, for SEGMENT_ID. */
	readonly segmentsOf?: (userPoint: number) => readonly string[];
	/** The label of a value (a channel's or segment's name) where one exists. */
	readonly labelOf?: (dimension: string, value: string) => string | undefined;
	readonly findChain?: FindChain;
	/** The id by which a user point is known to the store, for samples; default its number. */
	readonly idOf?: (userPoint: number) => number;
}

const DAY_MS = 86_400_000;
const MOST_STEPS = 32;

/** The answer to a funnel, straight from the definitions (semantics.md, Funnel). */
export function evaluateFunnel(question: FunnelQuestion): FunnelAnswer {
	const {request, timeZone, findChain = reportedChain} = question;
	if (request.for.length < 1 || request.for.length > MOST_STEPS) throw new Error('1 to 32 steps');

	const valuesOf = valuesFor(question);
	const {from, until} = periodOf(request.in, timeZone, question.nowMs);
	const factor = request.sample_factor ?? 1;
	const chainQuestion = chainQuestionOf(request, valuesOf);
	const chains = new Map<number, FactRow[]>();
	for (const [userPoint, whole] of timelinesOf(question.rows)) {
		const timeline = whole.filter(row => row.ts >= from && row.ts < until);
		if (timeline.length === 0 || !isSampled(question.idOf?.(userPoint) ?? userPoint, factor)) continue;
		chains.set(userPoint, findChain(timeline, chainQuestion));
	}

	return {
		global: numbersOf(request, [...chains.values()]),
		grouped_by: groupsOf(question, [...chains.values()], valuesOf),
		...(factor < 1 && {sampling: {sample_factor: factor, user_points: chains.size}}),
		chains,
	};
}

const timelines = new WeakMap<readonly FactRow[], ReadonlyMap<number, readonly FactRow[]>>();

/** The rows of each user point in order; the same rows are asked many funnels. */
function timelinesOf(rows: readonly FactRow[]): ReadonlyMap<number, readonly FactRow[]> {
	const known = timelines.get(rows);
	if (known) return known;
	const found = new Map<number, FactRow[]>();
	for (const row of rows) {
		if (row.userPoint === null) continue;
		const timeline = found.get(row.userPoint);
		if (timeline === undefined) found.set(row.userPoint, [row]);
		else timeline.push(row);
	}
	for (const timeline of found.values()) timeline.sort(byPosition);
	timelines.set(rows, found);
	return found;
}

/** The half-open period in epoch ms. A WINDOW of n units is the n days, weeks or months that end with today. */
export function periodOf(
	period: WirePeriod,
	timeZone: string,
	nowMs?: number,
): {readonly from: number; readonly until: number} {
	if (period.type === 'DATES') {
		return {
			from: midnight(period.start_date, timeZone, 'start'),
			until: midnight(period.end_date, timeZone, 'end'),
		};
	}
	if (nowMs === undefined) throw new Error('a WINDOW needs to know what time it is');
	const end = addDays(localDay(nowMs, timeZone), 1);
	const start = {
		DAY: addDays(end, -period.offset),
		WEEK: addDays(end, -7 * period.offset),
		MONTH: subtractMonths(end, period.offset),
	}[period.unit];
	return {from: midnight(start, timeZone, 'start'), until: midnight(end, timeZone, 'end')};
}

function valuesFor({timeZone, segmentsOf}: FunnelQuestion): ValuesOf {
	return (row, dimension) => {
		if (dimension === 'SEGMENT_ID') return (row.userPoint !== null && segmentsOf?.(row.userPoint)) || [];
		if (dimension === 'DATE_YYYY_MM_DD') return [localDay(row.ts, timeZone)];
		const values = row.dimensions[dimension];
		if (values === undefined) throw new Error(`unknown dimension ${dimension}`);
		return values;
	};
}

function chainQuestionOf(request: WireFunnelRequest, valuesOf: ValuesOf): ChainQuestion {
	const holding = request.holding_dimension?.toUpperCase();
	return {
		steps: request.for.map(step => {
			const days = step.max_days_after_previous_step ?? 0;
			return {
				matches: clauseMatcher(step.filter_clause ?? step.filterClause, valuesOf),
				windowMs: days > 0 ? tenThousandths([[days, DAY_MS]]) / 10_000 : undefined,
			};
		}),
		exclusions: (request.exclusions ?? []).map(exclusion => ({
			afterStep: exclusion.after_step,
			matches: clauseMatcher(exclusion.filter_clause, valuesOf),
		})),
		held: holding === undefined ? undefined : row => valuesOf(row, holding),
	};
}

/** Counts, durations, units and money over the chains of some user points. */
function numbersOf(request: WireFunnelRequest, chains: readonly (readonly FactRow[])[]): FunnelNumbers {
	const factor = request.sample_factor ?? 1;
	const scaled = (count: number) => Math.round(count / factor);
	return {
		total: scaled(chains.length),
		steps: request.for.map(({name}, i) => {
			const arrived = chains.filter(chain => chain.length > i);
			const sum = (of: (chain: readonly FactRow[]) => number) =>
				arrived.reduce((total, chain) => total + of(chain), 0);
			const count = arrived.length;
			const elapsedMs = sum(chain => chain[i]!.ts - chain[0]!.ts);
			return {
				name,
				count: scaled(count),
				interaction_duration: count === 0 ? 0 : roundHalfUp(elapsedMs, count * 1000),
				...(i > 0 && {
					conversion: scaled(sum(chain => chain[i]!.units)) / 10_000,
					amount: scaled(sum(chain => chain[i]!.money)) / 10_000,
				}),
				...(request.time_to_convert === true && {
					time_to_convert: timesOf(
						arrived.map(chain => chain[i]!.ts - chain[0]!.ts),
						scaled,
					),
				}),
			};
		}),
	};
}

/** A dimension asked twice of a step splits it once. */
function splitOf(step: WireStep): readonly string[] {
	const asked = [
		...(step.group_by_dimensions ?? []),
		...(step.group_by_dimension ? [step.group_by_dimension] : []),
	];
	const first = (name: string) => asked.findIndex(other => other.toUpperCase() === name.toUpperCase());
	return asked.filter((name, index) => first(name) === index);
}

/** One funnel per combination of values on the split steps' rows, best first, cut at the limit. */
function groupsOf(
	{request, labelOf}: FunnelQuestion,
	chains: readonly (readonly FactRow[])[],
	valuesOf: ValuesOf,
): GroupEntry[] {
	const splits = request.for.flatMap((step, index) => splitOf(step).map(name => ({name, index})));
	const lastSplit = splits.at(-1)?.index;
	if (lastSplit === undefined) return [];

	const groups = new Map<string, {values: (string | null)[]; chains: (readonly FactRow[])[]}>();
	for (const chain of chains.filter(({length}) => length > lastSplit)) {
		const values = splits.map(({name, index}) => valuesOf(chain[index]!, name.toUpperCase())[0] ?? null);
		const group = groups.get(JSON.stringify(values));
		if (group === undefined) groups.set(JSON.stringify(values), {values, chains: [chain]});
		else group.chains.push(chain);
	}

	const names = splits.map(({name}) => name);
	return [...groups.values()]
		.sort((a, b) => b.chains.length - a.chains.length || compareValues(a.values, b.values))
		.slice(0, request.limit ?? request.number_of_parts_to_split_on ?? undefined)
		.map(group => {
			const [name, value] = [names[0]!, group.values[0] ?? null];
			const label = names.length === 1 && value !== null ? labelOf?.(name.toUpperCase(), value) : undefined;
			return {
				dimension_names: names,
				dimension_values: group.values,
				...(names.length === 1 && {dimension_name: name, dimension_value: value}),
				...(label !== undefined && {dimension_decorator: label}),
				funnel: numbersOf(request, group.chains),
			};
		});
}

/** Value by value, as bytes of UTF-8; null after everything. */
function compareValues(a: readonly (string | null)[], b: readonly (string | null)[]): number {
	for (const [index, left] of a.entries()) {
		const right = b[index] ?? null;
		if (left === right) continue;
		if (left === null) return 1;
		if (right === null) return -1;
		return Buffer.compare(Buffer.from(left), Buffer.from(right));
	}
	return 0;
}
