import {isNumber, NUMBER_PATTERN} from '../lib/numbers.ts';
import type {Dimension} from './dimensions.ts';
import type {Bindings} from './fragment.ts';
import type {Filter, FilterClause} from './inputs.ts';
import {mergesJoined, type QueryScope, userPointColumn} from './plan.ts';
import {storedValue, type ValueSql, type ValueSqlOf} from './values.ts';

const ALWAYS = 'true';
const NEVER = 'false';

/**
 * A clause as a condition on `fact_rows_v1`, one text for one meaning (semantics.md, Filters).
 * Column names come from the catalogue, values from the request go into `bindings`.
 */
export function clauseCondition(
	clause: FilterClause,
	scope: QueryScope,
	bindings: Bindings,
	valueSqlOf: ValueSqlOf = storedValue,
): string {
	return joined(clause, filter => {
		const value = valueSqlOf(filter.dimension);
		return value ? filterCondition(filter, value, bindings) : segmentCondition(filter, scope, bindings);
	});
}

/** The same on rows that tell every dimension of their catalogue themselves. */
export function toldCondition(
	clause: FilterClause,
	bindings: Bindings,
	toldBy: (dimension: Dimension) => ValueSql,
): string {
	return joined(clause, filter => filterCondition(filter, toldBy(filter.dimension), bindings));
}

function joined(clause: FilterClause, conditionOf: (filter: Filter) => string): string {
	if (clause.filters.length === 0) return ALWAYS;
	return clause.filters.map(filter => `(${conditionOf(filter)})`).join(` ${clause.operator} `);
}

function filterCondition(filter: Filter, value: ValueSql, bindings: Bindings): string {
	const hasValue = isSet(value);
	if (filter.operator === 'IS_NULL') return filter.not ? hasValue : `NOT (${hasValue})`;
	const matches = anyMatches(filter, value, bindings) ?? hasValue;
	if (!filter.not) return matches;
	// A row without a value matches neither a filter nor its negation.
	return matches === NEVER ? hasValue : `${hasValue} AND NOT (${matches})`;
}

/** Whether there is a value at all. */
export function isSet({shape, sql}: ValueSql): string {
	if (shape === 'number') return `isNotNull(${sql})`;
	return shape === 'texts' ? `notEmpty(${sql})` : `${sql} != ''`;
}

/** Whether the value, or any of several, matches; undefined where every one does. */
function anyMatches(filter: Filter, {shape, sql}: ValueSql, bindings: Bindings): string | undefined {
	if (shape === 'number') return numberMatches(filter, sql, bindings);
	if (shape === 'text') return textMatches(filter, sql, bindings);
	const [first] = filter.expressions;
	if (filter.caseSensitive && filter.operator === 'EXACT' && first !== '') {
		return `has(${sql}, ${bindings.bind('String', first!)})`;
	}
	const matches = textMatches(filter, 'value', bindings);
	if (matches === undefined || matches === NEVER) return matches;
	return `arrayExists(value -> ${matches}, ${sql})`;
}

/**
 * Whether one non-empty value matches; undefined where every value does. No value is ever '', so '' equals none
 * of them and is contained in all. Case is ignored by Unicode lower case of both sides, the engine's own.
 */
function textMatches(filter: Filter, value: string, bindings: Bindings): string | undefined {
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
		default:
			return compared(
				filter,
				`if(match(${value}, '${NUMBER_PATTERN}'), toFloat64OrNull(${value}), NULL)`,
				bindings,
			);
	}
}

/** Numbers equal as numbers, whatever way they are written; LIKE looks at their digits. */
function numberMatches(filter: Filter, value: string, bindings: Bindings): string | undefined {
	switch (filter.operator) {
		case 'LIKE': {
			// The catalogue's text: cased letters occur in none.
			const text = filter.caseSensitive ? filter : {...filter, caseSensitive: true};
			return textMatches(text, `ifNull(toString(${value}), '')`, bindings);
		}
		case 'EXACT':
		case 'IN_LIST': {
			const asked = filter.operator === 'EXACT' ? filter.expressions.slice(0, 1) : filter.expressions;
			const numbers = asked.filter(isNumber).map(Number);
			if (numbers.length === 0) return NEVER;
			return `ifNull(has(${bindings.bind('Array(Float64)', numbers)}, toFloat64(${value})), false)`;
		}
		default:
			return compared(filter, `toFloat64(${value})`, bindings);
	}
}

const COMPARISONS = {NUMERIC_EQUAL: '=', NUMERIC_GREATER_THAN: '>', NUMERIC_LESS_THAN: '<'} as const;

/** What is no number compares with none. */
function compared({operator, expressions}: Filter, number: string, bindings: Bindings): string {
	const sign = COMPARISONS[operator as keyof typeof COMPARISONS];
	return `ifNull(${number} ${sign} ${bindings.bind('Float64', Number(expressions[0]))}, false)`;
}

/** Member now, unexpired. `not` means not a member, members of nothing included: the exception among dimensions. */
function segmentCondition(filter: Filter, scope: QueryScope, bindings: Bindings): string {
	const isNull = filter.operator === 'IS_NULL';
	const matches = (isNull ? undefined : textMatches(filter, 'segment_id', bindings)) ?? `segment_id != ''`;
	const members = `SELECT ${userPointColumn(scope)} FROM user_segments_v1 FINAL${mergesJoined(scope, bindings)} WHERE datamart_id = ${bindings.bind('UInt32', scope.datamartId)} AND expires_ms > ${bindings.bind('UInt64', scope.nowMs)} AND ${matches}`;
	return `${userPointColumn(scope)} ${filter.not !== isNull ? 'NOT IN' : 'IN'} (${members})`;
}

/** The value a row is grouped under: the only one, or the first of several; '' where absent. */
export function groupValue(dimension: Dimension): string {
	return dimension.kind === 'multi' ? `toString(${dimension.column}[1])` : `toString(${dimension.column})`;
}
