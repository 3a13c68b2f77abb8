import type {Dimension} from './dimensions.ts';
import type {Filter, FilterClause} from './inputs.ts';

/**
 * Whether no row can meet two of the clauses, but for equal ones: of any two, each demands a value of one and the same
 * dimension of a single value, and no value is demanded by both. Says no where that is not plain.
 */
export function areExclusive(clauses: readonly FilterClause[]): boolean {
	const distinct = [...new Map(clauses.map(clause => [JSON.stringify(clause), clause])).values()];
	const demands = distinct.map(demandsOf);
	return demands.every((one, index) => demands.slice(index + 1).every(other => areDisjoint(one, other)));
}

/** A condition that says no more than this: the row has one of these values. */
export interface OneOf {
	readonly column: string;
	readonly values: readonly string[];
}

/** The clause as that; undefined where it says more or less. */
export function oneOf({filters}: FilterClause): OneOf | undefined {
	const [filter, ...others] = filters;
	if (!filter || others.length > 0 || !isDemand(filter)) return undefined;
	// '' is no value: nothing equals it.
	return {column: filter.dimension.column, values: valuesOf(filter).filter(value => value !== '')};
}

/** By dimension, values one of which every row that meets the clause carries. */
function demandsOf({operator, filters}: FilterClause): ReadonlyMap<Dimension, readonly string[]> {
	if (operator === 'OR' && filters.length > 1) return new Map();
	return new Map(filters.filter(isDemand).map(filter => [filter.dimension, valuesOf(filter)]));
}

function isDemand({dimension, operator, not, caseSensitive}: Filter): boolean {
	return (
		dimension.kind === 'single' && !not && caseSensitive && (operator === 'EXACT' || operator === 'IN_LIST')
	);
}

function valuesOf({operator, expressions}: Filter): readonly string[] {
	return operator === 'EXACT' ? expressions.slice(0, 1) : expressions;
}

function areDisjoint(
	one: ReadonlyMap<Dimension, readonly string[]>,
	other: ReadonlyMap<Dimension, readonly string[]>,
): boolean {
	return [...one].some(([dimension, values]) => {
		const others = other.get(dimension);
		return others !== undefined && !values.some(value => others.includes(value));
	});
}
