import {z} from 'zod';
import {type DateEdge, parseDate} from '../lib/date-math.ts';
import {isNumber} from '../lib/numbers.ts';
import {addFault, Conjunction, operatorOf} from './inputs.ts';

/** The words reports share beyond filters (field guide, Reports). */

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
