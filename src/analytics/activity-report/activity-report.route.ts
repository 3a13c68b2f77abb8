import {ok} from '../../http/envelope.ts';
import {type Route, route} from '../../http/route.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {ValueLists} from '../autocomplete/autocomplete.ts';
import type {CountsFeed} from '../autocomplete/counted.ts';
import {LiveLists} from '../autocomplete/live-lists.ts';
import {
	ActivityReportRequest,
	DimensionsOnWire,
	DimensionsQuery,
	REPORT_REFUSALS,
	ReportViewAnswer,
} from './activity-report.schema.ts';
import {activityReport, reportDimensions} from './activity-report.ts';

export interface ActivityReportServices {
	readonly warehouse: Warehouse;
	readonly directory: TenantView;
	/** Absent: lists of values are always asked of the warehouse. */
	readonly counts?: CountsFeed | undefined;
	/** Told why a list of values could not be read into memory. */
	readonly onListFault?: (error: unknown) => void;
}

export function activityReportRoutes(services: ActivityReportServices): Route[] {
	const {warehouse, directory, counts: feed, onListFault: onFault} = services;
	const live = feed && new LiveLists({warehouse, feed, ...(onFault && {onFault})});
	const valueLists = new ValueLists(warehouse, live);
	return [
		route({
			method: 'POST',
			path: '/v1/datamarts/:datamartId/user_activities_analytics',
			summary: 'Metrics of user activities per value of some dimensions, or the values themselves',
			action: 'analytics:read',
			answer: ReportViewAnswer,
			errors: REPORT_REFUSALS,
			body: ActivityReportRequest,
			async handle({datamart, body, read}) {
				const channels = directory.channelsOf(datamart.id);
				const report = await activityReport({datamart, warehouse, channels, read, valueLists}, body);
				return ok({report_view: report});
			},
		}),
		route({
			method: 'GET',
			path: '/v1/datamarts/:datamartId/user_activities_analytics/dimensions',
			summary: 'Dimensions that a report, or a funnel, may be asked for',
			action: 'analytics:read',
			answer: DimensionsOnWire,
			query: DimensionsQuery,
			async handle({query}) {
				const wanted = query.is_available_for_funnel;
				return ok({
					dimensions: reportDimensions(wanted === undefined ? undefined : wanted === 'true'),
				});
			},
		}),
	];
}
