import test from 'ava';
import {findDimension} from '../../src/query/dimensions.ts';
import {areExclusive, oneOf} from '../../src/query/exclusive.ts';
import type {Filter, FilterClause} from '../../src/query/inputs.ts';

function clause(operator: 'AND' | 'OR', ...filters: Filter[]): FilterClause {
	return {operator, filters};
}

function filter(dimension: string, expressions: string | string[], more: Partial<Filter> = {}): Filter {
	return {
		dimension: findDimension(dimension)!,
		operator: typeof expressions === 'string' ? 'EXACT' : 'IN_LIST',
		expressions: typeof expressions === 'string' ? [expressions] : expressions,
		not: false,
		caseSensitive: true,
		...more,
	};
}

const event = (name: string | string[], more: Partial<Filter> = {}) => filter('EVENT_TYPE', name, more);

test('steps that ask for different events cannot share a row, the same step again is one condition', t => {
	t.true(areExclusive([clause('AND', event('view')), clause('OR', event('buy'))]));
	t.true(
		areExclusive([clause('AND', event('view')), clause('AND', event('buy')), clause('AND', event('view'))]),
	);
	t.true(areExclusive([clause('AND', event(['a', 'b', 'a'])), clause('AND', event(['c']))]));
	t.true(
		areExclusive([
			clause('AND', event('view'), filter('BRAND', 'x')),
			clause('AND', filter('BRAND', 'x'), event('buy')),
		]),
	);
});

test('of any two steps, one dimension is enough to tell them apart', t => {
	const pair = (name: string, type: string) => clause('AND', event(name), filter('TYPE', type));
	t.true(areExclusive([pair('a', 'x'), pair('a', 'y'), pair('b', 'x')]));
	t.false(areExclusive([pair('a', 'x'), pair('a', 'y'), clause('AND', event('a'))]));
});

test('whatever may share a row is told apart', t => {
	const view = clause('AND', event('view'));
	t.false(areExclusive([view, clause('AND')]), 'no filter: any row');
	t.false(areExclusive([clause('AND', event(['a', 'b'])), clause('AND', event(['b', 'c']))]));
	t.false(areExclusive([view, clause('AND', event('view'), filter('TYPE', 'EMAIL'))]));
	t.false(areExclusive([clause('OR', event('view'), filter('TYPE', 'EMAIL')), clause('AND', event('buy'))]));
	t.false(areExclusive([view, clause('AND', filter('TYPE', 'EMAIL'))]), 'different dimensions');
	t.false(areExclusive([view, clause('AND', event('buy', {not: true}))]));
	t.false(areExclusive([view, clause('AND', event('buy', {operator: 'LIKE'}))]));
	t.false(areExclusive([clause('AND', event('View', {caseSensitive: false})), clause('AND', event('view'))]));
	t.false(
		areExclusive([clause('AND', filter('BRAND', 'a')), clause('AND', filter('BRAND', 'b'))]),
		'several values',
	);
	t.false(areExclusive([clause('AND', event('view', {expressions: ['view', 'x']})), view]));
});

test('a condition that only asks for values of one column can be looked up, any other cannot', t => {
	t.deepEqual(oneOf(clause('AND', event('view'))), {column: 'event_type', values: ['view']});
	t.deepEqual(oneOf(clause('OR', event(['a', 'b']))), {column: 'event_type', values: ['a', 'b']});
	t.deepEqual(
		oneOf(clause('AND', event(['', 'b']))),
		{column: 'event_type', values: ['b']},
		'no value is no value',
	);
	t.is(oneOf(clause('AND')), undefined);
	t.is(oneOf(clause('AND', event('view'), filter('TYPE', 'EMAIL'))), undefined);
	t.is(oneOf(clause('AND', event('view', {not: true}))), undefined);
	t.is(oneOf(clause('AND', event('view', {operator: 'LIKE'}))), undefined);
	t.is(oneOf(clause('AND', event('view', {caseSensitive: false}))), undefined);
	t.is(oneOf(clause('AND', filter('BRAND', 'a'))), undefined, 'several values');
});
