import {z} from 'zod';
import type {Dimension} from '../../query/dimensions.ts';
import {addFault, dimensionFor, EVERY_ROW, filterClauseFor} from '../../query/inputs.ts';
import {findMetric, type Metric} from '../../query/metrics.ts';
import {DateRange, metricClauseFrom, metricFrom, OrderBy} from '../../query/report.schema.ts';
import {MOST_ROWS} from '../../query/report-view.ts';

const MOST_COLUMNS = 32;
const MOST_RANGES = 100;

const AskedDimension = z
	.object({name: dimensionFor('activity_report')})
	.transform(({name}) => name.dimension);
const AskedMetric = z.object({expression: metricFrom(findMetric)}).transform(({expression}) => expression);

/** What the rows are put in order by. */
export interface ReportOrder {
	readonly by: Dimension | Metric;
	readonly descending: boolean;
}

/** Wire (snake_case) to question (camelCase): field guide, Reports. Other keys, such as `id` and `alias`, are ignored. */
export const ActivityReportRequest = z
	.object({
		date_ranges: z.array(DateRange).max(MOST_RANGES),
		dimensions: z.array(AskedDimension).max(MOST_COLUMNS),
		metrics: z.array(AskedMetric).max(MOST_COLUMNS),
		dimension_filter_clauses: filterClauseFor('activity_report'),
		metric_filter_clauses: metricClauseFrom(findMetric),
		order_by: z.union([OrderBy, z.array(OrderBy)]).nullish(),
		first_result: z.number().int().nonnegative().max(1e9).nullish(),
		max_result: z.number().int().positive().nullish(),
		max_results: z.number().int().positive().nullish(),
		sample_factor: z.literal(1, {error: 'only the whole is reported: 1'}).nullish(),
	})
	.transform((body, context) => {
		const {dimensions, metrics} = body;
		const orders = body.order_by === null || body.order_by === undefined ? [] : [body.order_by].flat();
		const orderBy = orders.flatMap((order): ReportOrder[] => {
			const by = dimensions.find(({name}) => name.toLowerCase() === order.name) ?? findMetric(order.name);
			if (by) return [{by, descending: order.descending}];
			addFault(context, 'field_invalid', `${order.name} is neither a dimension asked for nor a metric`, [
				'order_by',
				'field_name',
			]);
			return [];
		});
		return {
			ranges: body.date_ranges,
			dimensions,
			metrics,
			clause: body.dimension_filter_clauses ?? EVERY_ROW,
			metricClause: body.metric_filter_clauses,
			orderBy,
			firstResult: body.first_result ?? 0,
			maxResults: Math.min(body.max_result ?? body.max_results ?? MOST_ROWS, MOST_ROWS),
		};
	});
export type ActivityReportRequest = z.output<typeof ActivityReportRequest>;

/** Which dimensions of the catalogue are wanted. */
export const DimensionsQuery = z.looseObject({
	is_available_for_funnel: z.enum(['true', 'false']).optional(),
});
