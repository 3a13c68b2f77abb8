import type {FactRow} from './facts.ts';
import {filterMatcher} from './filters.ts';
import type {WireFilter} from './wire.ts';

/** A report's filter: also of numbers, by size, and of what is not there. */
export interface WireReportFilter extends Omit<WireFilter, 'expressions'> {
	readonly expressions?: readonly (string | number)[];
}

export interface WireReportClause {
	readonly operator?: string;
	readonly filters?: readonly WireReportFilter[] | null;
}

/** What a row has for a dimension; texts, or numbers where the dimension is one. */
export type CellsOf = (dimension: string) => readonly (string | number)[];

export function matchesReportClause(clause: WireReportClause | null | undefined, cellsOf: CellsOf): boolean {
	const filters = clause?.filters ?? [];
	if (filters.length === 0) return true;
	const met = (filter: WireReportFilter) => matchesReportFilter(filter, cellsOf);
	return clause?.operator === 'OR' ? filters.some(met) : filters.every(met);
}

function matchesReportFilter(filter: WireReportFilter, cellsOf: CellsOf): boolean {
	const cells = cellsOf(filter.dimension_name.toUpperCase());
	if (filter.operator === 'IS_NULL') return (cells.length === 0) !== (filter.not === true);
	const numeric = filter.operator.startsWith('NUMERIC_');
	if (!numeric && cells.every(cell => typeof cell === 'string')) {
		const expressions = filter.expressions ?? [];
		return filterMatcher({...filter, expressions}, () => cells as string[])({} as FactRow);
	}
	const met = cells.some(cell => matchesNumber(cell, filter));
	return filter.not === true ? cells.length > 0 && !met : met;
}

function matchesNumber(cell: string | number, {operator, expressions = []}: WireReportFilter): boolean {
	const number = readNumber(cell);
	const [first = ''] = expressions;
	switch (operator) {
		case 'LIKE':
			return String(cell).includes(String(first));
		case 'EXACT':
			return number !== undefined && number === readNumber(first);
		case 'IN_LIST':
			return number !== undefined && expressions.some(each => readNumber(each) === number);
		case 'NUMERIC_EQUAL':
			return number !== undefined && number === Number(first);
		case 'NUMERIC_GREATER_THAN':
			return number !== undefined && number > Number(first);
		case 'NUMERIC_LESS_THAN':
			return number !== undefined && number < Number(first);
		default:
			throw new Error(`unknown operator ${operator}`);
	}
}

/** Digits, at most one point, at most one exponent. */
function readNumber(text: string | number): number | undefined {
	if (typeof text === 'number') return text;
	return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}
