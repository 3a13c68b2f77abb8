import type {FactRow} from './facts.ts';
import type {WireClause, WireFilter} from './wire.ts';

/** The values a row has for a dimension, by upper-case name; it may know more than the row carries. */
export type ValuesOf = (row: FactRow, dimension: string) => readonly string[];

/** AND / OR of a clause's filters; an absent clause, or one with no filters, matches every row. */
export function matchesClause(
	row: FactRow,
	clause: WireClause | null | undefined,
	valuesOf: ValuesOf,
): boolean {
	const filters = clause?.filters ?? [];
	if (filters.length === 0) return true;
	const operator = clause?.operator ?? 'AND';
	if (operator === 'AND') return filters.every(filter => matchesFilter(row, filter, valuesOf));
	if (operator === 'OR') return filters.some(filter => matchesFilter(row, filter, valuesOf));
	throw new Error(`unknown operator ${operator}`);
}

/** One filter over one row (semantics.md, Filters). */
export function matchesFilter(row: FactRow, filter: WireFilter, valuesOf: ValuesOf): boolean {
	const dimension = filter.dimension_name.toUpperCase();
	const values = valuesOf(row, dimension);
	const met = values.some(value => matchesValue(value, filter));
	if (filter.not !== true) return met;
	// Not a member: members of nothing included. Everything else must have a value to be negated.
	if (dimension === 'SEGMENT_ID') return !met;
	return values.length > 0 && !met;
}

function matchesValue(
	value: string,
	{operator, expressions, case_sensitive: caseSensitive}: WireFilter,
): boolean {
	const exactCase = caseSensitive ?? operator !== 'LIKE';
	const fold = (text: string | number) => (exactCase ? String(text) : String(text).toLowerCase());
	const [first] = expressions;
	if (first === undefined) throw new Error('empty expressions');
	switch (operator) {
		case 'EXACT':
			return fold(value) === fold(first);
		case 'LIKE':
			return fold(value).includes(fold(first));
		case 'IN_LIST':
			return expressions.some(expression => fold(value) === fold(expression));
		default:
			throw new Error(`unknown operator ${operator}`);
	}
}
