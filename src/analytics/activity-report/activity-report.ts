import {type Dimension, dimensionsFor} from '../../query/dimensions.ts';
import {choicesOf, instantRanges, type ReportView, reportView, toCell} from '../../query/report-view.ts';
import type {ReadOptions, Warehouse} from '../../warehouse/warehouse.ts';
import type {ValueLists} from '../autocomplete/autocomplete.ts';
import {activityReportRows} from './activity-report.query.ts';
import type {ActivityReportRequest} from './activity-report.schema.ts';

export interface ActivityReportContext {
	readonly datamart: {readonly id: number; readonly timeZone: string};
	readonly warehouse: Warehouse;
	/** The datamart's channels, for their names; default none. */
	readonly channels?: readonly {readonly id: number; readonly name: string}[];
	/** Epoch ms; default the clock's. */
	readonly now?: number;
	/** False where the datamart is known to have no merged user points; default true. */
	readonly resolveMerges?: boolean;
	readonly read?: ReadOptions;
	/** Asked first where it may know; absent: everything is read from the facts. */
	readonly valueLists?: ValueLists;
}

/**
 * Numbers per value of some dimensions, one row of totals without any, or, without a metric, the values themselves
 * (semantics.md, Activity report and autocomplete). At most 100 rows. Errors: `date_range_inverted`, the warehouse's.
 */
export async function activityReport(
	context: ActivityReportContext,
	request: ActivityReportRequest,
): Promise<ReportView> {
	const {timeZone, id} = context.datamart;
	const nowMs = context.now ?? Date.now();
	const headers = [...request.dimensions, ...request.metrics].map(({name}) => name);
	if (headers.length === 0) return reportView([], []);

	const ranges = instantRanges(request.ranges, {nowMs, timeZone});
	const range = {fromMs: ranges[0]!.fromMs, untilMs: ranges.at(-1)!.untilMs};
	const dimensions = [...new Set(request.dimensions)];
	const question = {
		scope: {datamartId: id, timeZone, range, nowMs, resolveMerges: context.resolveMerges ?? true},
		ranges,
		request,
		dimensions,
		channelNames: new Map((context.channels ?? []).map(channel => [String(channel.id), channel.name])),
	};
	const rows =
		(await context.valueLists?.find({...context, ...question}, request, ranges)) ??
		(await context.warehouse.read(activityReportRows, question, context.read)).rows;
	return reportView(
		headers,
		rows.map(row => [
			...request.dimensions.map(each => toCell(row.dimensions[dimensions.indexOf(each)] ?? null, each.type)),
			...row.metrics.slice(0, request.metrics.length),
		]),
	);
}

/** The catalogue's entries as a form's choices: all of a report's, or those that can or cannot filter a funnel. */
export function reportDimensions(isAvailableForFunnel?: boolean): {value: string; label: string}[] {
	const inFunnels: ReadonlySet<Dimension> = new Set(dimensionsFor('funnel_filter'));
	const isWanted = (each: Dimension) =>
		isAvailableForFunnel === undefined || inFunnels.has(each) === isAvailableForFunnel;
	return choicesOf(dimensionsFor('activity_report').filter(isWanted));
}
