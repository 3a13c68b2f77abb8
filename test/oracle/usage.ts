import type {Chance} from './random.ts';
import {matchesReportClause, type WireReportClause} from './report-filters.ts';

/** What one query cost or one batch brought, in words of the wire; absent: it has none. Instants are epoch ms. */
export interface UsageStory {
	readonly at: number;
	readonly community_id: number;
	readonly organisation_id: number;
	readonly datamart_id?: number;
	readonly user_id?: number;
	readonly source: string;
	readonly sub_source?: string;
	readonly collection?: string;
	readonly resource_id?: string;
	readonly execution_id: string;
	readonly scan_cost: number;
	readonly read_cost: number;
	readonly write_cost: number;
	readonly count: number;
}

export interface WireUsageRequest {
	readonly date_ranges: readonly {readonly start_date: string; readonly end_date: string}[];
	readonly dimensions: readonly {readonly name: string}[];
	readonly metrics: readonly {readonly expression: string}[];
	readonly dimension_filter_clauses?: WireReportClause;
	readonly metric_filter_clauses?: {
		readonly operator: string;
		readonly filters: readonly {
			readonly metric_name: string;
			readonly operator: string;
			readonly comparison_value: string | number;
			readonly not?: boolean;
		}[];
	};
	readonly order_by?: {readonly field_name: string; readonly sort_order?: string};
	readonly max_result?: number;
}

type Cell = string | number | null;
type Cost = 'scan_cost' | 'read_cost' | 'write_cost' | 'count';
interface Group {
	readonly cells: readonly Cell[];
	readonly facts: UsageStory[];
}

const HOUR_MS = 3_600_000;
const MOST_ROWS = 100;

/** The rows of a report of resource usage by the definitions alone (semantics.md, Resource usage). */
export function evaluateUsage(
	facts: readonly UsageStory[],
	organisations: readonly number[],
	request: WireUsageRequest,
): Cell[][] {
	const names = request.dimensions.map(({name}) => name.toLowerCase());
	const metrics = request.metrics.map(({expression}) => expression.toLowerCase() as Cost);
	if (names.length + metrics.length === 0) return [];
	const groups = new Map<string, Group>();
	if (names.length === 0) groups.set('[]', {cells: [], facts: []});
	for (const fact of facts) {
		if (!organisations.includes(fact.organisation_id) || !isWithin(fact.at, request)) continue;
		const known = (name: string) => [cellOf(fact, name.toLowerCase()) ?? []].flat();
		if (!matchesReportClause(request.dimension_filter_clauses, known)) continue;
		const cells = names.map(name => cellOf(fact, name));
		if (metrics.length === 0 && cells.includes(null)) continue;
		const key = JSON.stringify(cells);
		const group = groups.get(key);
		if (group) group.facts.push(fact);
		else groups.set(key, {cells, facts: [fact]});
	}
	return [...groups.values()]
		.filter(group => isKept(group, request))
		.sort((a, b) => compare(a, b, names, metrics, request))
		.slice(0, request.max_result ?? MOST_ROWS)
		.map(group => [...group.cells, ...metrics.map(metric => sumOf(group, metric))]);
}

function isWithin(at: number, {date_ranges}: WireUsageRequest): boolean {
	return date_ranges.some(({start_date, end_date}) => {
		return at >= Date.parse(`${start_date}Z`) && at < Date.parse(`${end_date}Z`) + 1000;
	});
}

function cellOf(fact: UsageStory, name: string): Cell {
	const utc = new Date(fact.at).toISOString();
	switch (name) {
		case 'date_time':
			return Math.floor(fact.at / HOUR_MS) * HOUR_MS;
		case 'date_yyyy_mm_dd':
			return utc.slice(0, 10);
		case 'date_yyyymmdd':
			return utc.slice(0, 10).replaceAll('-', '');
		case 'date_yyyymmddhh':
			return utc.slice(0, 13).replace(/[-T]/g, '');
		case 'date_yyyy_mm_dd_hh':
			return utc.slice(0, 13).replace('T', ' ');
		case 'date_yyyy_mm_dd_hh_mm':
			return utc.slice(0, 16).replace('T', ' ');
		default:
			return fact[name as keyof UsageStory] ?? null;
	}
}

function sumOf({facts}: Group, metric: Cost): number {
	return Number(facts.reduce((sum, fact) => sum + BigInt(fact[metric]), 0n));
}

function isKept(group: Group, {metric_filter_clauses: clause}: WireUsageRequest): boolean {
	if (!clause || clause.filters.length === 0) return true;
	const met = clause.filters.map(({metric_name, operator, comparison_value, not}) => {
		const [sum, other] = [sumOf(group, metric_name.toLowerCase() as Cost), Number(comparison_value)];
		const holds = {EQUAL: sum === other, GREATER_THAN: sum > other, LESS_THAN: sum < other};
		return holds[operator as keyof typeof holds] !== (not === true);
	});
	return clause.operator === 'OR' ? met.includes(true) : !met.includes(false);
}

/** As asked; then by time; the dearest or the most frequent first; then by value, none last. */
function compare(
	a: Group,
	b: Group,
	names: readonly string[],
	metrics: readonly Cost[],
	{order_by: order}: WireUsageRequest,
): number {
	const byCell = (index: number, sign: number) => compareCells(a.cells[index]!, b.cells[index]!, sign);
	const terms: number[] = [];
	if (order) {
		const sign = order.sort_order === 'DESCENDING' ? -1 : 1;
		const index = names.indexOf(order.field_name.toLowerCase());
		const metric = order.field_name.toLowerCase() as Cost;
		terms.push(index >= 0 ? byCell(index, sign) : sign * (sumOf(a, metric) - sumOf(b, metric)));
	}
	const [best] = metrics;
	if (best) {
		for (const [index, name] of names.entries()) if (name.startsWith('date_')) terms.push(byCell(index, 1));
		terms.push(sumOf(b, best) - sumOf(a, best));
	} else terms.push(b.facts.length - a.facts.length);
	terms.push(...names.map((_, index) => byCell(index, 1)));
	return terms.find(term => term !== 0) ?? 0;
}

function compareCells(a: Cell, b: Cell, sign: number): number {
	if (a === b) return 0;
	if (a === null || b === null) return a === null ? 1 : -1;
	if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
	return sign * Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

const DIMENSIONS =
	`community_id organisation_id datamart_id date_time execution_id resource_id source sub_source collection user_id
	date_yyyy_mm_dd date_yyyymmdd date_yyyymmddhh date_yyyy_mm_dd_hh date_yyyy_mm_dd_hh_mm scan_cost read_cost write_cost
	count`.split(/\s+/);
const COSTS = ['scan_cost', 'read_cost', 'write_cost', 'count'];
const SOURCES = ['API', 'DASHBOARD', 'Dashboard', "it's \\ odd", 'ÜBERSICHT'];

/** Facts of three days, bunched at hours' and days' ends; some beyond 2^32, so that sums have to be integers. */
export function randomUsage(dice: Chance, firstMs: number, facts: number): UsageStory[] {
	return Array.from({length: facts}, (_, index): UsageStory => {
		const hour = firstMs + dice.whole(0, 71) * HOUR_MS;
		const organisation = dice.whole(1, 4);
		const brings = dice.maybe(0.4);
		const size = () => dice.whole(0, dice.pick([3, 1000, 2 ** 31 - 1])) * dice.pick([1, 1, 4096]);
		return {
			at: hour + dice.pick([0, 1, 999, HOUR_MS - 1, HOUR_MS - 1000, dice.whole(0, HOUR_MS - 1)]),
			community_id: organisation === 4 ? 2 : 1,
			organisation_id: organisation,
			...(dice.maybe(0.8) && {datamart_id: organisation * 10 + dice.whole(0, 2)}),
			...(!brings && dice.maybe(0.9) && {user_id: dice.whole(1, 3)}),
			source: brings ? 'INGESTION' : dice.pick(SOURCES),
			...(dice.maybe(0.5) && {sub_source: dice.pick(['HOME_DASHBOARD', '7', 'OTQL_EXPLORER'])}),
			...(brings && {collection: 'UserActivity'}),
			...(!brings && {resource_id: dice.pick(['funnel.steps', 'activityReport.rows'])}),
			execution_id: `e${dice.whole(0, index)}`,
			scan_cost: brings ? 0 : size(),
			read_cost: brings ? 0 : size(),
			write_cost: brings ? size() : 0,
			count: brings ? dice.whole(0, 5) : 0,
		};
	});
}

/** A report over those days, aimed at trouble. */
export function randomUsageRequest(
	dice: Chance,
	firstMs: number,
	facts: readonly UsageStory[],
): WireUsageRequest {
	const names = dice.shuffle(DIMENSIONS).slice(0, dice.pick([0, 1, 1, 2, 3]));
	const metrics = names.length > 0 && dice.maybe(0.3) ? [] : dice.shuffle(COSTS).slice(0, dice.whole(1, 4));
	const spelled = (name: string) => (dice.maybe(0.3) ? name.toUpperCase() : name);
	const filters = Array.from({length: dice.pick([0, 0, 1, 1, 2])}, () => filterOf(dice, facts));
	return {
		date_ranges: Array.from({length: dice.pick([1, 1, 2])}, () => rangeOf(dice, firstMs)),
		dimensions: names.map(name => ({name: spelled(name)})),
		metrics: metrics.map(expression => ({expression: spelled(expression)})),
		...(dice.maybe(0.8) && {dimension_filter_clauses: {operator: dice.pick(['AND', 'OR']), filters}}),
		...(dice.maybe(0.2) && {
			metric_filter_clauses: {
				operator: dice.pick(['AND', 'OR']),
				filters: Array.from({length: dice.whole(1, 2)}, () => ({
					metric_name: dice.pick(COSTS),
					operator: dice.pick(['EQUAL', 'GREATER_THAN', 'LESS_THAN']),
					comparison_value: dice.pick(['0', 1, '1e6']),
					...(dice.maybe(0.3) && {not: true}),
				})),
			},
		}),
		...(dice.maybe(0.4) && {
			order_by: {
				field_name: dice.pick([...names, ...COSTS]),
				...(dice.maybe(0.7) && {sort_order: dice.pick(['ASCENDING', 'DESCENDING'])}),
			},
		}),
		...(dice.maybe(0.2) && {max_result: dice.whole(1, 5)}),
	};
}

/** Whole days, whole hours, or cut anywhere to the second. */
function rangeOf(dice: Chance, firstMs: number) {
	const unit = dice.pick([24 * HOUR_MS, HOUR_MS, 1000]);
	const edge = () => firstMs + Math.floor((dice.real() * 84 * HOUR_MS - 6 * HOUR_MS) / unit) * unit;
	const [from, last] = [edge(), edge()].sort((a, b) => a - b) as [number, number];
	const text = (ms: number) => new Date(ms).toISOString().slice(0, 19);
	return {start_date: text(from), end_date: text(last + unit - 1000)};
}

function filterOf(dice: Chance, facts: readonly UsageStory[]) {
	const name = dice.pick(DIMENSIONS);
	const operator = dice.pick([
		'EXACT',
		'LIKE',
		'IN_LIST',
		'IS_NULL',
		'NUMERIC_GREATER_THAN',
		'NUMERIC_LESS_THAN',
	]);
	const expression = () => {
		const cell = cellOf(dice.pick(facts), name) ?? 'nothing';
		if (operator.startsWith('NUMERIC_')) return Number.isFinite(Number(cell)) ? cell : 10;
		if (operator === 'LIKE') return String(cell).slice(0, dice.whole(0, 12));
		return dice.maybe(0.3) ? String(cell) : cell;
	};
	return {
		dimension_name: dice.maybe(0.3) ? name.toUpperCase() : name,
		operator,
		...(operator !== 'IS_NULL' && {
			expressions: Array.from({length: operator === 'IN_LIST' ? dice.whole(1, 3) : 1}, expression),
		}),
		...(dice.maybe(0.25) && {not: true}),
		...(dice.maybe(0.3) && {case_sensitive: dice.maybe(0.5)}),
	};
}
