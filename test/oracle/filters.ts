import type {FactRow} from './facts.ts';
import type {WireClause, WireFilter} from './wire.ts';

/** The values a row has for a dimension, by upper-case name; it may know more than the row carries. */
export type ValuesOf = (row: FactRow, dimension: string) => readonly string[];

type Matcher = (row: FactRow) => boolean;

/** AND / OR of a clause's filters; an absent clause, or one with no filters, matches every row. */
export function clauseMatcher(clause: WireClause | null | undefined, valuesOf: ValuesOf): Matcher {
	const matchers = (clause?.filters ?? []).map(filter => filterMatcher(filter, valuesOf));
	if (matchers.length === 0) return () => true;
	const operator = clause?.operator ?? 'AND';
	if (operator === 'AND') return row => matchers.every(matches => matches(row));
	if (operator === 'OR') return row => matchers.some(matches => matches(row));
	throw new Error(`unknown operator ${operator}`);
}

/** One filter over one row (semantics.md, Filters). */
export function filterMatcher(filter: WireFilter, valuesOf: ValuesOf): Matcher {
	const dimension = filter.dimension_name.toUpperCase();
	const meets = valueMatcher(filter);
	return row => {
		const values = valuesOf(row, dimension);
		const met = values.some(meets);
		if (filter.not !== true) return met;
		// Not a member: members of nothing included. Everything else must have a value to be negated.
		if (dimension === 'SEGMENT_ID') return !met;
		return values.length > 0 && !met;
	};
}

function valueMatcher(filter: WireFilter): (value: string) => boolean {
	const {operator, case_sensitive: caseSensitive} = filter;
	const exactCase = caseSensitive ?? operator !== 'LIKE';
	const fold = (text: string) => (exactCase ? text : text.toLowerCase());
	const wanted = filter.expressions.map(expression => fold(String(expression)));
	const [first] = wanted;
	if (first === undefined) throw new Error('empty expressions');
	switch (operator) {
		case 'EXACT':
			return value => fold(value) === first;
		case 'LIKE':
			return value => fold(value).includes(first);
		case 'IN_LIST':
			return value => wanted.includes(fold(value));
		default:
			throw new Error(`unknown operator ${operator}`);
	}
}
