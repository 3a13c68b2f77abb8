import {z} from 'zod';
import type {InstantRange} from '../../lib/days.ts';
import {offsetsIn} from '../../lib/local-time.ts';
import type {Dimension} from '../../query/dimensions.ts';
import {IS_AD_CLICK, IS_AD_VIEW, IS_TRANSACTION, IS_USER_EVENT} from '../../query/events.ts';
import {clauseCondition} from '../../query/filters.ts';
import {Bindings} from '../../query/fragment.ts';
import {type Metric, metricSql} from '../../query/metrics.ts';
import {positionAt, type QueryScope, userPointColumn} from '../../query/plan.ts';
import {toldValue, type ValueSqlOf} from '../../query/values.ts';
import {defineQuery} from '../../warehouse/define-query.ts';
import type {ActivityReportRequest} from './activity-report.schema.ts';
import {joinsFor} from './joins.ts';
import {type ReportKey, reportKeys} from './keys.ts';

/** A report asked of one datamart. */
export interface ActivityReportQuestion {
	/** From the first range's start to the last one's end. */
	readonly scope: QueryScope;
	/** In order and apart from each other. */
	readonly ranges: readonly InstantRange[];
	readonly request: ActivityReportRequest;
	/** Dimensions without repetition: a column each. */
	readonly dimensions: readonly Dimension[];
	readonly channelNames: ReadonlyMap<string, string>;
}

const Params = z.object({
	datamart_id: z.number(),
	from_position: z.string(),
	until_position: z.string(),
	first_result: z.number(),
	max_results: z.number(),
});

/** One group, or one distinct combination of values: texts, null where there is none. */
export const ReportRow = z.object({dimensions: z.array(z.string().nullable()), metrics: z.array(z.number())});
export type ReportRow = z.output<typeof ReportRow>;

/** One statement for totals, groups and lists of values. */
export const activityReportRows = defineQuery({
	name: 'activityReport.rows',
	lane: 'heavy',
	sql: 'analytics/activity-report.sql',
	params: Params,
	row: ReportRow,
	toParams: ({scope, request}: ActivityReportQuestion): z.input<typeof Params> => ({
		datamart_id: scope.datamartId,
		from_position: positionAt(scope.range.fromMs),
		until_position: positionAt(scope.range.untilMs),
		first_result: request.firstResult,
		max_results: request.maxResults,
	}),
	slots(question: ActivityReportQuestion) {
		const {scope, request} = question;
		const bindings = new Bindings();
		const {channelNames} = question;
		const valueSqlOf = toldValue({offsets: offsetsIn(scope.range, scope.timeZone), channelNames}, bindings);
		const keys = reportKeys(question.dimensions, valueSqlOf);
		const counted = [...question.dimensions, ...request.clause.filters.map(each => each.dimension)];
		const tail = tailOf(question, keys, bindings);
		const names = keys.map(({name}) => `${name}, `).join('');
		const slots = {
			user_point: userPointColumn(scope),
			is_transaction: IS_TRANSACTION,
			is_user_event: IS_USER_EVENT,
			is_ad_view: IS_AD_VIEW,
			is_ad_click: IS_AD_CLICK,
			dimensions: keys.map(({sql, name}) => `${sql} AS ${name},\n            `).join(''),
			joins: joinsFor(counted, scope, bindings),
			ranges: rangesCondition(question.ranges, bindings),
			condition: conditionOf(question, keys, valueSqlOf, bindings),
			keys: names,
			values: keys.length > 0 ? keys.map(({text}) => text).join(', ') : `CAST(NULL, 'Nullable(String)')`,
			metrics: request.metrics.length > 0 ? request.metrics.map(metricSql).join(', ') : 'toFloat64(0)',
			source: needsActivities(request) ? 'per_activity' : 'matching',
		};
		// All values sit beside one fragment: their names are the statement's own, whichever slot speaks of them.
		return {...slots, tail: {text: tail, params: bindings.params}};
	},
});

function needsActivities({metrics, metricClause, orderBy}: ActivityReportRequest): boolean {
	const told = [
		...metrics,
		...metricClause.filters.map(each => each.metric),
		...orderBy.map(each => each.by),
	];
	return told.some(each => 'perActivity' in each);
}

/** The period is the hull: several ranges are told apart within it. */
function rangesCondition(ranges: readonly InstantRange[], bindings: Bindings): string {
	if (ranges.length <= 1) return 'true';
	const at = (ms: number) => bindings.bind('UInt64', positionAt(ms));
	return ranges
		.map(({fromMs, untilMs}) => `position >= ${at(fromMs)} AND position < ${at(untilMs)}`)
		.join(' OR ');
}

/** Which rows count; in a list of values, which values too. */
function conditionOf(
	{request, scope}: ActivityReportQuestion,
	keys: readonly ReportKey[],
	valueSqlOf: ValueSqlOf,
	bindings: Bindings,
): string {
	const conditions = [clauseCondition(request.clause, scope, bindings, valueSqlOf)];
	if (request.metrics.length === 0) {
		conditions.push(...keys.map(({isSet}) => isSet));
		// Of a row's several values those are listed that meet the clause themselves.
		const several = keys.filter(({isOneOfSeveral}) => isOneOfSeveral);
		const listed: ValueSqlOf = dimension => {
			const key = several.find(each => each.dimension === dimension);
			return key ? {shape: 'text', sql: key.name} : valueSqlOf(dimension);
		};
		if (several.length > 0) conditions.push(clauseCondition(request.clause, scope, bindings, listed));
	}
	return [...new Set(conditions)].map(each => `(${each})`).join(' AND ');
}

/** Grouped how, which groups are kept, in which order. */
function tailOf({request}: ActivityReportQuestion, keys: readonly ReportKey[], bindings: Bindings): string {
	const lines: string[] = [];
	if (keys.length > 0) lines.push(`GROUP BY ${keys.map(({name}) => name).join(', ')}`);
	const kept = request.metricClause.filters.map(({metric, operator, value, not}) => {
		const sign = {EQUAL: '=', GREATER_THAN: '>', LESS_THAN: '<'}[operator];
		return `${not ? 'NOT ' : ''}(${metricSql(metric)} ${sign} ${bindings.bind('Float64', value)})`;
	});
	if (kept.length > 0) lines.push(`HAVING ${kept.join(` ${request.metricClause.operator} `)}`);
	const order = orderOf(request, keys);
	if (order.length > 0) lines.push(`ORDER BY ${order.join(', ')}`);
	return lines.join('\n');
}

/** As asked; then by time, by the first metric or by frequency, best first, and by value. */
function orderOf({orderBy, metrics}: ActivityReportRequest, keys: readonly ReportKey[]): string[] {
	const asked = orderBy.flatMap(({by, descending}) => {
		const key = keys.find(each => each.dimension === by);
		const direction = descending ? ' DESC' : '';
		return key ? key.order(direction) : [`${metricSql(by as Metric)}${direction}`];
	});
	if (keys.length === 0) return asked;
	const times = keys.filter(({dimension}) => dimension.kind === 'time');
	const best = metrics[0] ? `${metricSql(metrics[0])} DESC` : 'sum(facts) DESC';
	const byTime = metrics.length > 0 ? times.flatMap(key => key.order('')) : [];
	return [...new Set([...asked, ...byTime, best, ...keys.flatMap(key => key.order(''))])];
}
