import type {FactRow} from './facts.ts';
import {addDays, instantOfWall, localDay, midnight, wallClock} from './local-time.ts';
import {type CellsOf, matchesReportClause, type WireReportClause} from './report-filters.ts';
import {compareRows, metricOf, type WireOrder} from './report-numbers.ts';

export interface WireReportRequest {
	readonly date_ranges: readonly {readonly start_date: string; readonly end_date: string}[];
	readonly dimensions: readonly {readonly name: string}[];
	readonly metrics: readonly {readonly expression: string}[];
	readonly dimension_filter_clauses?: WireReportClause | null;
	readonly metric_filter_clauses?: {
		readonly operator: string;
		readonly filters: readonly {
			readonly metric_name: string;
			readonly operator: string;
			readonly comparison_value: string;
			readonly not?: boolean;
		}[];
	} | null;
	readonly order_by?: WireOrder | null;
	readonly max_result?: number;
}

export interface ReportQuestion {
	/** Facts of the datamart in any order. */
	readonly rows: readonly FactRow[];
	readonly request: WireReportRequest;
	/** The datamart's, an IANA name. */
	readonly timeZone: string;
	readonly nowMs: number;
	/** Seconds of an activity by its arrival; undefined where it carries none. */
	readonly durationOf?: (arrival: number) => number | undefined;
	readonly segmentsOf?: (userPoint: number) => readonly string[];
	readonly channelNames?: ReadonlyMap<string, string>;
}

export type Cell = string | number | null;

/** One row of values, with the facts behind it. */
export interface ReportGroup {
	readonly cells: readonly Cell[];
	readonly facts: readonly FactRow[];
}

const MOST_ROWS = 100;
const SERVICE_EVENTS = new Set(
	`$conversion $ad_click $ad_view $email_view $email_click $email_sent $email_delivered $email_soft_bounce
	$email_hard_bounce $email_unsubscribe $email_complaint $set_user_profile_properties $set_user_consent
	$content_correction $quit_while_running $cleaned_referrer`.split(/\s+/),
);

export function isUserEvent(row: FactRow): boolean {
	const [name] = row.dimensions.EVENT_TYPE ?? [];
	return name !== undefined && !SERVICE_EVENTS.has(name);
}

export function isEvent(row: FactRow, name: string): boolean {
	return row.dimensions.EVENT_TYPE?.[0] === name;
}

/** The rows of a report, straight from the definitions (semantics.md, Activity report and autocomplete). */
export function evaluateReport(question: ReportQuestion): Cell[][] {
	const {request} = question;
	const names = request.dimensions.map(({name}) => name.toUpperCase());
	const metrics = request.metrics.map(({expression}) => expression.toLowerCase());
	const isList = metrics.length === 0;
	if (names.length === 0 && isList) return [];

	const groups = groupsOf(question, names, isList);
	if (names.length === 0 && groups.size === 0) groups.set('', {cells: [], facts: []});
	const value = (group: ReportGroup, metric: string) => metricOf(metric, group.facts, question);
	return [...groups.values()]
		.filter(group => isKept(request, metric => value(group, metric)))
		.sort(compareRows(names, metrics, request.order_by ?? undefined, value))
		.slice(0, request.max_result ?? MOST_ROWS)
		.map(group => [...group.cells.map(asAnswered(names)), ...metrics.map(each => value(group, each))]);
}

function groupsOf(
	question: ReportQuestion,
	names: readonly string[],
	isList: boolean,
): Map<string, ReportGroup> {
	const clause = question.request.dimension_filter_clauses;
	const ranges = question.request.date_ranges.map(range => ({
		from: instantAt(range.start_date, 'start', question),
		until: instantAt(range.end_date, 'end', question),
	}));
	const cellsFor = cellsOfRows(question);
	const groups = new Map<string, {cells: readonly Cell[]; facts: FactRow[]}>();
	for (const row of question.rows) {
		if (!ranges.some(({from, until}) => row.ts >= from && row.ts < until)) continue;
		const cellsOf = cellsFor(row);
		if (!matchesReportClause(clause, cellsOf)) continue;
		for (const cells of combinations(names.map(name => [...new Set(cellsOf(name))]))) {
			if (isList && cells.includes(null)) continue;
			const listed: CellsOf = name => {
				const at = names.indexOf(name);
				const cell = cells[at];
				return at >= 0 && cell !== null && cell !== undefined ? [cell] : cellsOf(name);
			};
			if (isList && !matchesReportClause(clause, listed)) continue;
			const key = JSON.stringify(cells);
			const group = groups.get(key);
			if (group) group.facts.push(row);
			else groups.set(key, {cells, facts: [row]});
		}
	}
	return groups;
}

/** Every way to take one of each; of none, null. */
function combinations(choices: readonly (readonly (string | number)[])[]): Cell[][] {
	let all: Cell[][] = [[]];
	for (const cells of choices) {
		const some: readonly Cell[] = cells.length > 0 ? cells : [null];
		all = all.flatMap(before => some.map(cell => [...before, cell]));
	}
	return all;
}

function cellsOfRows(question: ReportQuestion): (row: FactRow) => CellsOf {
	const {timeZone, rows} = question;
	const ofActivity = new Map<number, FactRow[]>();
	for (const row of rows) ofActivity.set(row.arrival, [...(ofActivity.get(row.arrival) ?? []), row]);
	return row => name => {
		const count = (isCounted: (each: FactRow) => boolean) => [
			ofActivity.get(row.arrival)!.filter(isCounted).length,
		];
		const wall = () => new Date(wallClock(row.ts, timeZone)).toISOString();
		switch (name) {
			case 'DATE_TIME':
				return [row.ts];
			case 'DATE_YYYY_MM_DD':
				return [localDay(row.ts, timeZone)];
			case 'DATE_YYYYMMDD':
				return [wall().slice(0, 10).replaceAll('-', '')];
			case 'DATE_YYYYMMDDHH':
				return [wall().slice(0, 13).replace(/[-T]/g, '')];
			case 'DATE_YYYY_MM_DD_HH_MM':
				return [wall().slice(0, 16).replace('T', ' ')];
			case 'CHANNEL_NAME': {
				const [id = ''] = row.dimensions.CHANNEL_ID ?? [];
				const label = question.channelNames?.get(id);
				return label === undefined ? [] : [label];
			}
			case 'SESSION_DURATION': {
				const seconds = question.durationOf?.(row.arrival);
				return seconds === undefined ? [] : [seconds];
			}
			case 'TRANSACTION_AMOUNT':
				return isEvent(row, '$transaction_confirmed') ? [row.money / 10_000] : [];
			case 'NUMBER_OF_USER_EVENTS':
				return count(isUserEvent);
			case 'NUMBER_OF_CONFIRMED_TRANSACTIONS':
				return count(each => isEvent(each, '$transaction_confirmed'));
			case 'NUMBER_OF_AD_VIEWS':
				return count(each => isEvent(each, '$ad_view'));
			case 'NUMBER_OF_AD_CLICKS':
				return count(each => isEvent(each, '$ad_click'));
			case 'SEGMENT_ID':
				return (row.userPoint !== null && question.segmentsOf?.(row.userPoint)) || [];
			default: {
				const values = row.dimensions[name];
				if (values === undefined) throw new Error(`unknown dimension ${name}`);
				return values;
			}
		}
	};
}

function isKept(request: WireReportRequest, value: (metric: string) => number): boolean {
	const {operator = 'AND', filters = []} = request.metric_filter_clauses ?? {};
	if (filters.length === 0) return true;
	const met = filters.map(filter => {
		const [left, right] = [value(filter.metric_name.toLowerCase()), Number(filter.comparison_value)];
		const holds = {EQUAL: left === right, GREATER_THAN: left > right, LESS_THAN: left < right};
		return holds[filter.operator as keyof typeof holds] !== (filter.not === true);
	});
	return operator === 'OR' ? met.includes(true) : !met.includes(false);
}

const IDS = /^(CHANNEL_ID|ORIGIN_.*_ID|CAMPAIGN_ID|GOAL_ID|SEGMENT_ID)$/;

export function isId(name: string): boolean {
	return IDS.test(name);
}

function asAnswered(names: readonly string[]): (cell: Cell, index: number) => Cell {
	return (cell, index) =>
		typeof cell === 'string' && isId(names[index]!) && /^(0|[1-9]\d{0,14})$/.test(cell) ? Number(cell) : cell;
}

/** A bare date-time takes in its second, `now-3d/d` its day. */
function instantAt(text: string, edge: 'start' | 'end', {timeZone, nowMs}: ReportQuestion): number {
	const relative = /^now(?:-(\d+)d)?(\/d)?$/.exec(text);
	if (!relative) {
		const wall = Date.parse(`${text}Z`);
		return instantOfWall(edge === 'start' ? wall : wall + 1000, timeZone, edge);
	}
	const [, days = '0', cut] = relative;
	const day = addDays(localDay(nowMs, timeZone), -Number(days));
	if (cut) return midnight(edge === 'start' ? day : addDays(day, 1), timeZone, edge);
	const ofDay = wallClock(nowMs, timeZone) - Date.parse(`${localDay(nowMs, timeZone)}T00:00:00Z`);
	const at = instantOfWall(Date.parse(`${day}T00:00:00Z`) + ofDay, timeZone, 'start');
	return edge === 'start' ? at : Math.floor(at / 1000) * 1000 + 1000;
}
