import {z} from 'zod';
import type {InstantRange} from '../../lib/days.ts';
import type {Dimension} from '../../query/dimensions.ts';
import {toldCondition} from '../../query/filters.ts';
import {Bindings} from '../../query/fragment.ts';
import {metricSql} from '../../query/metrics.ts';
import {type ReportRequest, ReportRow} from '../../query/report.schema.ts';
import {reportKeys} from '../../query/report-keys.ts';
import {reportTail} from '../../query/report-tail.ts';
import {defineQuery} from '../../warehouse/define-query.ts';
import type {WarehouseQuery} from '../../warehouse/warehouse.ts';
import {cubeDimension} from './cubes.ts';
import type {KeptCount} from './kept-counts.ts';
import {type DayRange, splitByDay} from './whole-days.ts';

/** What every cube is asked. */
export interface CubeQuestion {
	readonly request: ReportRequest;
	/** In order and apart from each other. */
	readonly ranges: readonly InstantRange[];
	/** Dimensions without repetition: a column each. */
	readonly dimensions: readonly Dimension[];
}

/** Facts of these organisations and no others. */
export interface UsageQuestion extends CubeQuestion {
	readonly organisationIds: readonly number[];
}

/** What these datamarts have and no others, and what of it is kept, and so counted, elsewhere. */
export interface StoredQuestion extends CubeQuestion {
	readonly datamarts: readonly {
		readonly id: number;
		readonly organisationId: number;
		readonly communityId: number;
	}[];
	readonly kept: readonly KeptCount[];
}

const Ids = z.array(z.number());
const Page = {first_result: z.number(), max_results: z.number()};

/** What queries cost and what batches brought: each range is of whole days, or of facts. */
const rangeRows = usageQuery('resource-usage.sql', (question, bindings) => {
	const {days, rest} = rangesOf(question);
	const isDays = days.length > 0;
	return {
		ranges: isDays ? inDays(days, bindings) : inInstants(rest, bindings),
		// Summed once: a list of values goes by how many facts have them, which the projection has as its own count.
		...(question.request.metrics.length > 0
			? {sums: COSTS.map(cost => `${cost} AS ${cost}_sum`).join(', '), grouped: ''}
			: {sums: SUMS}),
		// Days are read in no time: a second thread costs more than it saves.
		settings: isDays ? 'SETTINGS max_threads = 1' : '',
	};
});

/** The same where some ranges are of days and some of facts. */
const cutDayRows = usageQuery('resource-usage-cut-days.sql', (question, bindings) => {
	const {days, rest} = rangesOf(question);
	return {days: inDays(days, bindings), instants: inInstants(rest, bindings), sums: SUMS};
});

/** What is asked of these ranges: the plainer statement, which costs the engine less, wherever it can tell. */
export function usageRows(question: UsageQuestion): WarehouseQuery<UsageQuestion, ReportRow> {
	const {days, rest} = rangesOf(question);
	return days.length > 0 && rest.length > 0 ? cutDayRows : rangeRows;
}

function usageQuery(
	file: string,
	ownSlots: (question: UsageQuestion, bindings: Bindings) => Readonly<Record<string, string>>,
) {
	return defineQuery({
		name: 'resourceUsage.rows',
		lane: 'light',
		sql: `analytics/${file}`,
		params: z.object({...Page, organisations: Ids}),
		row: ReportRow,
		toParams: ({request, organisationIds}: UsageQuestion) => ({
			...pageOf(request),
			organisations: [...organisationIds],
		}),
		slots(question: UsageQuestion) {
			const bindings = new Bindings();
			const {slots, names} = cubeSlots(question, bindings);
			const grouped = names.length > 0 ? `GROUP BY ${names.join(', ')}` : '';
			return withValues({grouped, ...slots, ...ownSlots(question, bindings)}, bindings);
		},
	});
}

const COSTS = ['scan_cost', 'read_cost', 'write_cost', 'count'];
const SUMS = [...COSTS.map(cost => `sum(${cost}) AS ${cost}_sum`), 'count() AS facts'].join(', ');

function inDays(days: readonly DayRange[], bindings: Bindings): string {
	const date = (day: number) => `toDate(${bindings.bind('UInt16', day)})`;
	return either(days.map(({firstDay, endDay}) => `day >= ${date(firstDay)} AND day < ${date(endDay)}`));
}

function inInstants(ranges: readonly InstantRange[], bindings: Bindings): string {
	const instant = (ms: number) => `fromUnixTimestamp64Milli(${bindings.bind('Int64', ms)}, 'UTC')`;
	return either(ranges.map(({fromMs, untilMs}) => `at >= ${instant(fromMs)} AND at < ${instant(untilMs)}`));
}

/** How much there is of what. */
export const collectionRows = storedQuery('resourceUsage.collections', 'resource-usage-collections.sql');

/** How many events came how far. */
export const ingestionRows = storedQuery('resourceUsage.ingestion', 'resource-usage-ingestion.sql');

function storedQuery(name: string, file: string) {
	return defineQuery({
		name,
		lane: 'heavy',
		sql: `analytics/${file}`,
		params: z.object({...Page, datamarts: Ids, owned: Ids, communities: Ids, owners: Ids}),
		row: ReportRow,
		toParams: ({request, datamarts}: StoredQuestion) => ({
			...pageOf(request),
			datamarts: datamarts.map(({id}) => id),
			owned: datamarts.map(({id}) => id),
			communities: datamarts.map(({communityId}) => communityId),
			owners: datamarts.map(({organisationId}) => organisationId),
		}),
		slots(question: StoredQuestion) {
			const bindings = new Bindings();
			const ms = (instant: number) => bindings.bind('UInt64', instant);
			const instants = question.ranges.map(
				({fromMs, untilMs}) => `received_ms >= ${ms(fromMs)} AND received_ms < ${ms(untilMs)}`,
			);
			const kept = [
				bindings.bind(
					'Array(UInt32)',
					question.kept.map(each => each.datamartId),
				),
				bindings.bind(
					'Array(String)',
					question.kept.map(each => each.kind),
				),
				bindings.bind(
					'Array(UInt64)',
					question.kept.map(each => each.fromMs),
				),
				bindings.bind(
					'Array(UInt64)',
					question.kept.map(each => each.count),
				),
			];
			const own = {instants: either(instants), kept: kept.join(', ')};
			return withValues({...own, ...cubeSlots(question, bindings).slots}, bindings);
		},
	});
}

function pageOf({firstResult, maxResults}: ReportRequest) {
	return {first_result: firstResult, max_results: maxResults};
}

/** What the statements of all cubes have in common. */
function cubeSlots({request, dimensions}: CubeQuestion, bindings: Bindings) {
	const toldBy = (dimension: Dimension) => cubeDimension(dimension).value;
	const keys = reportKeys(dimensions, toldBy);
	const {metrics} = request;
	const slots = {
		condition: toldCondition(request.clause, bindings, toldBy),
		dimensions: keys.map(({sql, name}) => `${sql} AS ${name},`).join('\n        '),
		listed: metrics.length > 0 ? 'true' : keys.map(({isSet}) => isSet).join(' AND '),
		values: keys.length > 0 ? keys.map(({text}) => text).join(', ') : `CAST(NULL, 'Nullable(String)')`,
		metrics: metrics.length > 0 ? metrics.map(metricSql).join(', ') : 'toFloat64(0)',
		tail: reportTail(request, keys, bindings),
	};
	return {slots, names: keys.map(({name}) => name)};
}

/** All values sit beside one fragment: their names are the statement's own, whichever slot speaks of them. */
function withValues<Slots extends {readonly tail: string}>(slots: Slots, bindings: Bindings) {
	return {...slots, tail: {text: slots.tail, params: bindings.params}};
}

function either(conditions: readonly string[]): string {
	return conditions.length > 0 ? conditions.map(each => `(${each})`).join(' OR ') : 'false';
}

/** The whole days that tell what is asked, and what is left to the facts. */
function rangesOf(question: CubeQuestion): ReturnType<typeof splitByDay> {
	const {request, dimensions, ranges} = question;
	const asked = [...dimensions, ...request.clause.filters.map(each => each.dimension)];
	const isOfDays = asked.every(dimension => cubeDimension(dimension).ofDays);
	return isOfDays ? splitByDay(ranges) : {days: [], rest: [...ranges]};
}
