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
import {cubeDimension} from './cubes.ts';
import type {KeptCount} from './kept-counts.ts';
import {splitByDay} from './whole-days.ts';

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

/** What queries cost and what batches brought, by the facts of it. */
export const usageRows = defineQuery({
	name: 'resourceUsage.rows',
	lane: 'light',
	sql: 'analytics/resource-usage.sql',
	params: z.object({...Page, organisations: Ids}),
	row: ReportRow,
	toParams: ({request, organisationIds}: UsageQuestion) => ({
		...pageOf(request),
		organisations: [...organisationIds],
	}),
	slots(question: UsageQuestion) {
		const bindings = new Bindings();
		const split = splitByDay(question.ranges);
		const {days, rest} = isOfDays(question) ? split : {days: [], rest: question.ranges};
		const date = (day: number) => `toDate(${bindings.bind('UInt16', day)})`;
		const instant = (ms: number) => `fromUnixTimestamp64Milli(${bindings.bind('Int64', ms)}, 'UTC')`;
		const own = {
			days: either(days.map(({firstDay, endDay}) => `day >= ${date(firstDay)} AND day < ${date(endDay)}`)),
			instants: either(
				rest.map(({fromMs, untilMs}) => `at >= ${instant(fromMs)} AND at < ${instant(untilMs)}`),
			),
			source: sourceOf(days.length > 0, rest.length > 0),
		};
		const {slots, names} = cubeSlots(question, bindings);
		const grouped = names.length > 0 ? `GROUP BY ${names.join(', ')}` : '';
		return withValues({...own, ...slots, grouped}, bindings);
	},
});

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

/** Whether whole days tell all that is asked. */
function isOfDays({dimensions, request}: CubeQuestion): boolean {
	const asked = [...dimensions, ...request.clause.filters.map(each => each.dimension)];
	return asked.every(dimension => cubeDimension(dimension).ofDays);
}

function sourceOf(byDay: boolean, byFact: boolean): string {
	const read = [...(byDay ? ['per_day'] : []), ...(byFact || !byDay ? ['per_fact'] : [])];
	return read.map(each => `SELECT * FROM ${each}`).join(' UNION ALL ');
}
