import {z} from 'zod';
import type {ErrorCode} from '../errors.ts';
import {isDay} from '../lib/days.ts';
import {isNumber} from '../lib/numbers.ts';
import {type Dimension, type DimensionUse, findDimension} from './dimensions.ts';

const TEXT_OPERATORS = ['EXACT', 'LIKE', 'IN_LIST'] as const;
const NUMERIC_OPERATORS = ['NUMERIC_EQUAL', 'NUMERIC_GREATER_THAN', 'NUMERIC_LESS_THAN'] as const;
export type FilterOperator = (typeof TEXT_OPERATORS)[number] | (typeof NUMERIC_OPERATORS)[number] | 'IS_NULL';
const REPORT_OPERATORS: readonly FilterOperator[] = [...TEXT_OPERATORS, ...NUMERIC_OPERATORS, 'IS_NULL'];

export interface Filter {
	readonly dimension: Dimension;
	readonly operator: FilterOperator;
	/** At least one, but for IS_NULL. */
	readonly expressions: readonly string[];
	readonly not: boolean;
	/** As given, else LIKE ignores case and the others do not. */
	readonly caseSensitive: boolean;
}

export interface FilterClause {
	readonly operator: 'AND' | 'OR';
	/** None: every row matches. */
	readonly filters: readonly Filter[];
}

export const EVERY_ROW: FilterClause = {operator: 'AND', filters: []};

/** A fault with a code of its own, at `path` below the value being read. */
export function addFault(
	context: z.RefinementCtx,
	code: ErrorCode,
	message: string,
	path: (string | number)[] = [],
): void {
	context.addIssue({code: 'custom', message, path, params: {code}});
}

/** A dimension and its name as asked, which answers repeat. */
export interface NamedDimension {
	readonly name: string;
	readonly dimension: Dimension;
}

const PLACES: Readonly<Record<DimensionUse, string>> = {
	funnel_filter: 'in a funnel filter',
	funnel_split: 'in a funnel split',
	activity_report: 'in an activity report',
};

/** A dimension of some catalogue by its name in any case; anything else is a 400 that names it. */
export function dimensionFrom(
	find: (name: string) => Dimension | undefined,
	refusal = (name: string) => `unknown dimension ${name}`,
) {
	return z.string().transform((name, context): NamedDimension => {
		const dimension = find(name);
		if (dimension) return {name, dimension};
		addFault(context, 'dimension_unknown', refusal(name));
		return z.NEVER;
	});
}

/** One of the activities' that may be used so. */
export function dimensionFor(use: DimensionUse, place = PLACES[use]) {
	const usable = (name: string) => {
		const dimension = findDimension(name);
		return dimension?.uses.includes(use) ? dimension : undefined;
	};
	return dimensionFrom(usable, name => {
		const dimension = findDimension(name);
		return dimension ? `${dimension.name} cannot be used ${place}` : `unknown dimension ${name}`;
	});
}

const Expressions = z
	.array(z.union([z.string(), z.number().transform(String)], 'must be a text or a number'))
	.nullish();

/** One of some operators, in any case. */
export function operatorOf<Name extends string>(names: readonly Name[]) {
	return z.string().transform((name, context): Name => {
		const upper = name.toUpperCase();
		const known = names.find(each => each === upper);
		if (known !== undefined) return known;
		addFault(context, 'operator_unknown', `unknown operator ${name}: one of ${names.join(', ')}`);
		return z.NEVER;
	});
}

export const Conjunction = z
	.string()
	.nullish()
	.transform((name, context): 'AND' | 'OR' => {
		const upper = (name ?? 'AND').toUpperCase();
		if (upper === 'AND' || upper === 'OR') return upper;
		addFault(context, 'operator_unknown', `unknown operator ${name}: AND or OR`);
		return z.NEVER;
	});

type NamesDimension = ReturnType<typeof dimensionFrom>;

function filterFrom(dimension: NamesDimension, operators: readonly FilterOperator[]) {
	const filter = z
		.object({
			dimension_name: dimension,
			operator: operatorOf(operators),
			expressions: Expressions,
			not: z.boolean().nullish(),
			case_sensitive: z.boolean().nullish(),
		})
		.transform((filter, context): Filter => {
			const expressions = filter.expressions ?? [];
			const isNumeric = (NUMERIC_OPERATORS as readonly string[]).includes(filter.operator);
			if (expressions.length === 0 && filter.operator !== 'IS_NULL') {
				addFault(context, 'expressions_missing', 'expressions holds at least one value', ['expressions']);
			} else if (isNumeric && !isNumber(expressions[0]!)) {
				addFault(context, 'field_invalid', 'is not a number', ['expressions', 0]);
			}
			return {
				dimension: filter.dimension_name.dimension,
				operator: filter.operator,
				expressions,
				not: filter.not ?? false,
				caseSensitive: filter.case_sensitive ?? filter.operator !== 'LIKE',
			};
		});
	return z.preprocess(spelledOut, filter);
}

/** `dimensions_name` is a slip of the field's own examples (field guide, section 5). */
function spelledOut(filter: unknown): unknown {
	if (typeof filter !== 'object' || filter === null || !('dimensions_name' in filter)) return filter;
	return {dimension_name: filter.dimensions_name, ...filter};
}

/** A clause of filters; absent, null or without filters it matches every row (semantics.md, Filters). */
export function filterClauseFrom(dimension: NamesDimension, operators = REPORT_OPERATORS) {
	return z
		.object({operator: Conjunction, filters: z.array(filterFrom(dimension, operators)).nullish()})
		.nullish()
		.transform((clause): FilterClause | undefined =>
			clause ? {operator: clause.operator, filters: clause.filters ?? []} : undefined,
		);
}

export function filterClauseFor(use: DimensionUse) {
	const operators = use === 'activity_report' ? REPORT_OPERATORS : TEXT_OPERATORS;
	return filterClauseFrom(dimensionFor(use), operators);
}

const Day = z.string().refine(isDay, 'a day of the calendar, YYYY-MM-DD');

/** `end_date` is exclusive on the wire too (semantics.md, Funnel). */
const Dates = z
	.object({type: z.literal('DATES'), start_date: Day, end_date: Day})
	.transform((dates, context) => {
		if (dates.end_date < dates.start_date) {
			addFault(context, 'date_range_inverted', 'end_date lies before start_date', ['end_date']);
		}
		return {type: 'DATES' as const, first: dates.start_date, end: dates.end_date};
	});

const Window = z.object({
	type: z.literal('WINDOW'),
	unit: z.enum(['DAY', 'WEEK', 'MONTH']),
	offset: z.number().int().positive().max(36_600),
});

/** Two days, the end outside, or the last so many days, weeks or months up to today's end. */
export const Period = z.discriminatedUnion('type', [Dates, Window]);
export type Period = z.output<typeof Period>;
