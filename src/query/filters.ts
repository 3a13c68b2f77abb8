import type {Dimension} from './dimensions.ts';
import type {Bindings} from './fragment.ts';
import type {Filter, FilterClause} from './inputs.ts';
import {type QueryScope, userPointColumn} from './plan.ts';

const ALWAYS = 'true';
const NEVER = 'false';

/**
 * A clause as a condition on `fact_rows_v1`, one text for one meaning (semantics.md, Filters).
 * Column names come from the catalogue, values from the request go into `bindings`.
 */
export function clauseCondition(clause: FilterClause, scope: QueryScope, bindings: Bindings): string {
	const conditions = clause.filters.map(filter => `(${filterCondition(filter, scope, bindings)})`);
	return conditions.length === 0 ? ALWAYS : conditions.join(` ${clause.operator} `);
}

function filterCondition(filter: Filter, scope: QueryScope, bindings: Bindings): string {
	if (filter.dimension.kind === 'segment') return segmentCondition(filter, scope, bindings);
	const {hasValue, matches} =
		filter.dimension.kind === 'multi' ? multiValued(filter, bindings) : singleValued(filter, bindings);
	if (!filter.not) return matches;
	// A row without a value matches neither a filter nor its negation.
	return matches === NEVER ? hasValue : `${hasValue} AND NOT (${matches})`;
}

interface Parts {
	readonly hasValue: string;
	readonly matches: string;
}

function singleValued(filter: Filter, bindings: Bindings): Parts {
	const {column} = filter.dimension;
	const hasValue = `${column} != ''`;
	return {hasValue, matches: valueMatches(filter, column, bindings) ?? hasValue};
}

function multiValued(filter: Filter, bindings: Bindings): Parts {
	const {column} = filter.dimension;
	const hasValue = `notEmpty(${column})`;
	const [first] = filter.expressions;
	if (filter.caseSensitive && filter.operator === 'EXACT' && first !== '') {
		return {hasValue, matches: `has(${column}, ${bindings.bind('String', first!)})`};
	}
	const matches = valueMatches(filter, 'value', bindings);
	if (matches === undefined) return {hasValue, matches: hasValue};
	return {hasValue, matches: matches === NEVER ? NEVER : `arrayExists(value -> ${matches}, ${column})`};
}

/**
 * Whether one non-empty value matches; undefined where every value does. No value is ever '', so '' equals none
 * of them and is contained in all. Case is ignored by Unicode lower case of both sides, the engine's own.
 */
function valueMatches(filter: Filter, value: string, bindings: Bindings): string | undefined {
	const fold = (text: string) => (filter.caseSensitive ? text : `lowerUTF8(${text})`);
	const [first = ''] = filter.expressions;
	switch (filter.operator) {
		case 'EXACT':
			return first === '' ? NEVER : `${fold(value)} = ${fold(bindings.bind('String', first))}`;
		case 'LIKE':
			return first === ''
				? undefined
				: `position(${fold(value)}, ${fold(bindings.bind('String', first))}) > 0`;
		case 'IN_LIST': {
			const wanted = [...new Set(filter.expressions)].filter(each => each !== '');
			if (wanted.length === 0) return NEVER;
			const list = bindings.bind('Array(String)', wanted);
			return filter.caseSensitive
				? `${value} IN ${list}`
				: `lowerUTF8(${value}) IN arrayMap(each -> lowerUTF8(each), ${list})`;
		}
	}
}

/** Member now, unexpired. `not` means not a member, members of nothing included: the exception among dimensions. */
function segmentCondition(filter: Filter, scope: QueryScope, bindings: Bindings): string {
	const matches = valueMatches(filter, 'segment_id', bindings) ?? `segment_id != ''`;
	const members = `SELECT ${userPointColumn(scope)} FROM user_segments_v1 FINAL WHERE datamart_id = ${bindings.bind('UInt32', scope.datamartId)} AND expires_ms > ${bindings.bind('UInt64', scope.nowMs)} AND ${matches}`;
	return `${userPointColumn(scope)} ${filter.not ? 'NOT IN' : 'IN'} (${members})`;
}

/** The value a row is grouped under: the only one, or the first of several; '' where absent. */
export function groupValue(dimension: Dimension): string {
	return dimension.kind === 'multi' ? `toString(${dimension.column}[1])` : `toString(${dimension.column})`;
}
