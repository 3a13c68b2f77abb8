import {addDays} from './local-time.ts';
import type {Chance} from './random.ts';
import {DIMENSIONS, EVENT_NAMES, SEGMENTS} from './vocabulary.ts';
import type {WireClause, WireFilter, WireFunnelRequest, WireStep} from './wire.ts';

/** Dimensions that a funnel may be split by, over all of its steps. */
const MOST_SPLITS = 8;

/** Asked at a moment some twelve days after the edge: they begin before, at and after it. */
const WINDOWS = [
	...[10, 11, 12, 13, 14, 15].map(offset => ({unit: 'DAY', offset}) as const),
	...[1, 2, 3].map(offset => ({unit: 'WEEK', offset}) as const),
	...[1, 2].map(offset => ({unit: 'MONTH', offset}) as const),
];

export interface RequestOptions {
	/** Steps at most, up to 32; default 32. */
	readonly mostSteps?: number;
	/** Also exclusions; default true. */
	readonly exclusions?: boolean;
	/** Also holding dimensions; default true. */
	readonly holding?: boolean;
	/** Also samples; default true. */
	readonly samples?: boolean;
	/** Also splits; default true. */
	readonly splits?: boolean;
	/** Also periods of the WINDOW form, for those who know what time it is; default false. */
	readonly relative?: boolean;
	/** Also filters by segment, for those who have members; default false. */
	readonly segments?: boolean;
}

/** A funnel over the days around an edge. Months of windows and splits without a limit are among them. */
export function randomRequest(
	dice: Chance,
	edgeDay: string,
	options: RequestOptions = {},
): WireFunnelRequest {
	const mostSteps = options.mostSteps ?? 32;
	const length = Math.min(
		mostSteps,
		dice.pick([1, 2, 2, 3, 3, 4, 5, dice.whole(6, 12), dice.pick([20, 31, 32])]),
	);
	// The usual funnel: events in their order and nothing else.
	const plain = dice.maybe(0.2);
	const steps: WireStep[] = [];
	for (let i = 0; i < length; i++) {
		const step = stepOf(dice, i, length, steps, options);
		const {max_days_after_previous_step: _, ...unbound} = step;
		const filter = exact('EVENT_TYPE', dice.pick(EVENT_NAMES));
		steps.push(plain ? {...unbound, filter_clause: {operator: 'AND', filters: [filter]}} : step);
	}

	const holding = options.holding !== false && dice.maybe(0.2) ? dice.pick(HOLDING) : undefined;
	return {
		for: steps,
		in: periodOf(dice, edgeDay, !isByDay(steps, holding), options),
		...(dice.maybe(0.3) && {limit: dice.whole(1, 3)}),
		...(options.exclusions !== false &&
			length > 1 &&
			dice.maybe(plain ? 0.1 : 0.3) && {
				exclusions: Array.from({length: dice.whole(1, 2)}, () => ({
					after_step: dice.whole(1, length - 1),
					// Nothing at all may lie between, now and then.
					filter_clause: dice.maybe(0.3) ? {operator: 'AND', filters: []} : clauseOf(dice, options),
				})),
			}),
		...(holding !== undefined && {holding_dimension: holding}),
		...(dice.maybe(0.3) && {time_to_convert: true}),
		...(options.samples !== false && dice.maybe(0.1) && {sample_factor: dice.pick([1, 0.5, 0.3, 0.01])}),
	};
}

const DAY = 'DATE_YYYY_MM_DD';
const HOLDING = ['BRAND', 'PRODUCT_ID', 'CHANNEL_ID', 'device_browser_family', DAY];

function isByDay(steps: readonly WireStep[], holding: string | undefined): boolean {
	const asked = [...steps.flatMap(step => step.group_by_dimensions ?? []), holding];
	return asked.some(name => name?.toUpperCase() === DAY);
}

/** Now and then longer than offsets of 64 bits reach. */
function periodOf(
	dice: Chance,
	edgeDay: string,
	mayBeLong: boolean,
	{relative}: RequestOptions,
): WireFunnelRequest['in'] {
	if (relative === true && dice.maybe(0.15)) return {type: 'WINDOW', ...dice.pick(WINDOWS)};
	if (mayBeLong && dice.maybe(0.05)) return {type: 'DATES', start_date: '1990-01-01', end_date: '2031-01-01'};
	const start = addDays(edgeDay, -dice.whole(0, 2));
	return {type: 'DATES', start_date: start, end_date: addDays(start, dice.pick([1, 2, 3, 4, 5, 40]))};
}

function stepOf(
	dice: Chance,
	index: number,
	length: number,
	before: readonly WireStep[],
	options: RequestOptions,
): WireStep {
	const last = before.at(-1);
	// Long funnels of narrow steps would all end at once.
	const clause = dice.maybe(length > 5 ? 0.8 : 0.15) ? undefined : clauseOf(dice, options);
	const repeated = last !== undefined && dice.maybe(0.3);
	const splitsBefore = before.flatMap(step => step.group_by_dimensions ?? []).length;
	const split =
		options.splits !== false && dice.maybe(length > 4 ? 0.08 : 0.3) && splitsBefore <= MOST_SPLITS - 2;
	return {
		name: `step ${index + 1}`,
		...(repeated
			? last.filter_clause && {filter_clause: last.filter_clause}
			: clause && {filter_clause: clause}),
		...(dice.maybe(length > 5 ? 0.1 : 0.4) && {
			max_days_after_previous_step: dice.pick([0, 0.5, 1, 1, 1, 2, 30]),
		}),
		...(split && {group_by_dimensions: splitOf(dice)}),
	};
}

function splitOf(dice: Chance): string[] {
	const names = [DAY, ...Object.keys(DIMENSIONS)];
	const name = dice.pick(names);
	const spelled = dice.maybe(0.5) ? name.toLowerCase() : name;
	const other = dice.pick(names);
	return dice.maybe(0.25) && other !== name ? [spelled, other] : [spelled];
}

function clauseOf(dice: Chance, options: RequestOptions): WireClause {
	if (dice.maybe(0.05)) return {operator: dice.pick(['AND', 'OR']), filters: []};
	if (dice.maybe(0.6)) {
		return {operator: 'AND', filters: [exact('EVENT_TYPE', dice.pick(EVENT_NAMES))]};
	}
	return {
		operator: dice.pick(['AND', 'OR']),
		filters: Array.from({length: dice.whole(1, 3)}, () => filterOf(dice, options)),
	};
}

function exact(dimension: string, value: string): WireFilter {
	return {dimension_name: dimension, operator: 'EXACT', expressions: [value]};
}

function filterOf(dice: Chance, options: RequestOptions): WireFilter {
	const segment = options.segments === true && dice.maybe(0.1);
	const dimension = segment ? 'SEGMENT_ID' : dice.pick(Object.keys(DIMENSIONS));
	const operator = dice.pick(['EXACT', 'LIKE', 'IN_LIST']);
	const expression = () => {
		const value = dice.pick(segment ? SEGMENTS : DIMENSIONS[dimension]!) ?? 'nobody has this';
		if (typeof value === 'number') return value;
		const cased = dice.maybe(0.3) ? dice.pick([value.toUpperCase(), value.toLowerCase()]) : value;
		return operator === 'LIKE' ? cased.slice(dice.whole(0, 1), dice.whole(0, cased.length)) : cased;
	};
	return {
		dimension_name: dice.maybe(0.2) ? dimension.toLowerCase() : dimension,
		operator,
		expressions: Array.from({length: operator === 'IN_LIST' ? dice.whole(1, 3) : 1}, expression),
		...(dice.maybe(0.25) && {not: true}),
		...(dice.maybe(0.3) && {case_sensitive: dice.maybe(0.5)}),
	};
}
