import {z} from 'zod';
import type {InstantRange} from '../../lib/days.ts';
import {offsetsIn} from '../../lib/local-time.ts';
import type {Dimension} from '../../query/dimensions.ts';
import {IS_AD_CLICK, IS_AD_VIEW, IS_TRANSACTION, IS_USER_EVENT} from '../../query/events.ts';
import {clauseCondition} from '../../query/filters.ts';
import {footprintOf} from '../../query/footprint.ts';
import {Bindings} from '../../query/fragment.ts';
import {metricSql} from '../../query/metrics.ts';
import {positionAt, type QueryScope, userPointColumn} from '../../query/plan.ts';
import {ReportRow} from '../../query/report.schema.ts';
import {type ReportKey, reportKeys} from '../../query/report-keys.ts';
import {reportTail} from '../../query/report-tail.ts';
import {toldValue, type ValueSqlOf} from '../../query/values.ts';
import {defineQuery} from '../../warehouse/define-query.ts';
import type {ActivityReportRequest} from './activity-report.schema.ts';
import {joinsFor, SEGMENTS_OF_ROW} from './joins.ts';

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

/** One statement for totals, groups and lists of values. */
export const activityReportRows = defineQuery({
	name: 'activityReport.rows',
	lane: 'heavy',
	sql: 'analytics/activity-report.sql',
	params: Params,
	row: ReportRow,
	footprint: ({scope, request, dimensions}: ActivityReportQuestion) =>
		footprintOf(scope, [...dimensions, ...request.clause.filters.map(each => each.dimension)]),
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
		const keys = reportKeys(
			question.dimensions,
			dimension => valueSqlOf(dimension) ?? {shape: 'texts', sql: SEGMENTS_OF_ROW},
		);
		const counted = [...question.dimensions, ...request.clause.filters.map(each => each.dimension)];
		const tail = reportTail(request, keys, bindings);
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
