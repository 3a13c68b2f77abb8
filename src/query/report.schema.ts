import {z} from 'zod';
import {type DateEdge, parseDate} from '../lib/date-math.ts';
import {isNumber} from '../lib/numbers.ts';
import type {Dimension} from './dimensions.ts';
import {
	addFault,
	Conjunction,
	type dimensionFrom,
	EVERY_ROW,
	type filterClauseFrom,
	operatorOf,
} from './inputs.ts';
import type {Metric} from './metrics.ts';
import {MOST_ROWS} from './report-view.ts';

/** The words reports share beyond filters (field guide, Reports). */

const MOST_COLUMNS = 32;
const MOST_RANGES = 100;

const DateText = z.string().transform((text, context): DateEdge => {
	const date = parseDate(text);
	if (date) return date;
	addFault(context, 'field_invalid', 'a local YYYY-MM-DDTHH:MM:SS, or now, now-7d, now-7d/d');
	return z.NEVER;
});

/** Both ends inside, in the datamart's time zone. */
export const DateRange = z
	.object({start_date: DateText, end_date: DateText})
	.transform(range => ({start: range.start_date, end: range.end_date}));
export type DateRange = z.output<typeof DateRange>;

export interface MetricFilter<Metric> {
	readonly metric: Metric;
	readonly operator: 'EQUAL' | 'GREATER_THAN' | 'LESS_THAN';
	readonly value: number;
	readonly not: boolean;
}

export interface MetricClause<Metric> {
	readonly operator: 'AND' | 'OR';
	/** None: every row of the report is kept. */
	readonly filters: readonly MetricFilter<Metric>[];
}

const Comparison = z.union([z.string(), z.number()]).transform((value, context): number => {
	if (isNumber(String(value))) return Number(value);
	addFault(context, 'field_invalid', 'is not a number');
	return z.NEVER;
});

/** A metric of some catalogue by its name; anything else is a 400 that names it. */
export function metricFrom<Metric>(find: (name: string) => Metric | undefined) {
	return z.string().transform((name, context): Metric => {
		const metric = find(name);
		if (metric) return metric;
		addFault(context, 'metric_unknown', `unknown metric ${name}`);
		return z.NEVER;
	});
}

export function metricClauseFrom<Metric>(find: (name: string) => Metric | undefined) {
	const filter = z
		.object({
			metric_name: metricFrom(find),
			operator: operatorOf(['EQUAL', 'GREATER_THAN', 'LESS_THAN']),
			comparison_value: Comparison,
			not: z.boolean().nullish(),
		})
		.transform(
			(each): MetricFilter<Metric> => ({
				metric: each.metric_name,
				operator: each.operator,
				value: each.comparison_value,
				not: each.not ?? false,
			}),
		);
	return z
		.object({operator: Conjunction, filters: z.array(filter).nullish()})
		.nullish()
		.transform(
			(clause): MetricClause<Metric> => ({
				operator: clause?.operator ?? 'AND',
				filters: clause?.filters ?? [],
			}),
		);
}

export interface NamedOrder {
	/** Lower case. */
	readonly name: string;
	readonly descending: boolean;
}

const DESCENDING: readonly string[] = ['DESCENDING', 'DESC'];
const ASCENDING: readonly string[] = ['ASCENDING', 'ASC'];

/** `-name` is descending too. */
export const OrderBy = z
	.object({field_name: z.string(), sort_order: z.string().nullish()})
	.transform((order, context): NamedOrder => {
		const sort = (order.sort_order ?? 'ASCENDING').toUpperCase();
		if (![...ASCENDING, ...DESCENDING].includes(sort)) {
			addFault(context, 'field_invalid', 'ASCENDING or DESCENDING', ['sort_order']);
		}
		const isMarked = order.field_name.startsWith('-');
		return {
			name: order.field_name.slice(isMarked ? 1 : 0).toLowerCase(),
			descending: isMarked || DESCENDING.includes(sort),
		};
	});

/** What the rows are put in order by. */
export interface ReportOrder {
	readonly by: Dimension | Metric;
	readonly descending: boolean;
}

/** What a report may be asked for. */
export interface ReportCatalogue {
	readonly dimension: ReturnType<typeof dimensionFrom>;
	readonly clause: ReturnType<typeof filterClauseFrom>;
	findMetric(name: string): Metric | undefined;
}

/** A report's body, wire (snake_case) to question (camelCase). Other keys, such as `id` and `alias`, are ignored. */
export function reportRequestFrom({dimension, clause, findMetric}: ReportCatalogue) {
	const metric = metricFrom(findMetric);
	return z
		.object({
			date_ranges: z.array(DateRange).max(MOST_RANGES),
			dimensions: z
				.array(z.object({name: dimension}).transform(({name}) => name.dimension))
				.max(MOST_COLUMNS),
			metrics: z
				.array(z.object({expression: metric}).transform(({expression}) => expression))
				.max(MOST_COLUMNS),
			dimension_filter_clauses: clause,
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
}
export type ReportRequest = z.output<ReturnType<typeof reportRequestFrom>>;

/** One group, or one distinct combination of values: texts, null where there is none. */
export const ReportRow = z.object({dimensions: z.array(z.string().nullable()), metrics: z.array(z.number())});
export type ReportRow = z.output<typeof ReportRow>;

/** As on the wire (interface specification, Report view). */
export const ReportViewAnswer = z.object({
	report_view: z.object({
		items_per_page: z.number(),
		total_items: z.number(),
		columns_headers: z.array(z.string()),
		rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
	}),
});

/** What every report may refuse a question with. */
export const REPORT_REFUSALS = [
	'dimension_unknown',
	'metric_unknown',
	'operator_unknown',
	'expressions_missing',
	'date_range_inverted',
	'query_timed_out',
	'query_memory_exceeded',
	'query_failed',
] as const;
