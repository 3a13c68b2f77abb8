import test from 'ava';
import type {FactRow} from './facts.ts';
import {clauseMatcher} from './filters.ts';
import type {WireFilter} from './wire.ts';

const row = (dimensions: Record<string, string[]>): FactRow => ({
	userPoint: 1,
	ts: 0,
	arrival: 0,
	eventIndex: 0,
	dimensions,
	money: 0,
	units: 0,
});

function met(values: string[], filter: Partial<WireFilter>, dimension = 'BRAND'): boolean {
	const one: WireFilter = {dimension_name: 'brand', operator: 'EXACT', expressions: ['acme'], ...filter};
	return clauseMatcher(
		{operator: 'AND', filters: [one]},
		(r, name) => r.dimensions[name]!,
	)(row({[dimension]: values}));
}

test('EXACT equals the first expression, IN_LIST any, LIKE contains the first', t => {
	t.true(met(['acme'], {}));
	t.false(met(['acme2'], {}));
	t.false(met(['b'], {expressions: ['a', 'b']}));
	t.true(met(['b'], {operator: 'IN_LIST', expressions: ['a', 'b']}));
	t.true(met(['the acme shop'], {operator: 'LIKE'}));
	t.false(met(['b'], {operator: 'LIKE', expressions: ['a', 'b']}));
	t.true(met(['12'], {expressions: [12]}));
});

test('LIKE takes % and _ as they are, and nothing matches all who have a value', t => {
	t.false(met(['50 percent'], {operator: 'LIKE', expressions: ['50%']}));
	t.true(met(['at 50%'], {operator: 'LIKE', expressions: ['50%']}));
	t.false(met(['axb'], {operator: 'LIKE', expressions: ['a_b']}));
	t.true(met(['x'], {operator: 'LIKE', expressions: ['']}));
	t.false(met([], {operator: 'LIKE', expressions: ['']}));
});

test('LIKE ignores case and the others do not, unless told', t => {
	t.true(met(['ACME'], {operator: 'LIKE'}));
	t.false(met(['ACME'], {operator: 'LIKE', case_sensitive: true}));
	t.false(met(['ACME'], {}));
	t.true(met(['ACME'], {case_sensitive: false}));
	t.false(met(['ACME'], {operator: 'IN_LIST', case_sensitive: null}));
	t.true(met(['ACME'], {operator: 'IN_LIST', case_sensitive: false}));
	t.true(met(['ΟΔΟΣ'], {expressions: ['οδος'], case_sensitive: false}));
	t.true(met(['ÉTÉ'], {operator: 'LIKE', expressions: ['té']}));
});

test('a dimension with several values matches when one of them does, and its negation when none does', t => {
	t.true(met(['b', 'acme'], {}));
	t.false(met(['b', 'acme'], {not: true}));
	t.true(met(['b', 'c'], {not: true}));
});

test('who has no value is met neither by a filter nor by its negation, segments apart', t => {
	t.false(met([], {}));
	t.false(met([], {not: true}));
	const segment = {dimension_name: 'segment_id', expressions: [7]};
	t.true(met([], {...segment, not: true}, 'SEGMENT_ID'));
	t.true(met(['8'], {...segment, not: true}, 'SEGMENT_ID'));
	t.false(met(['7', '8'], {...segment, not: true}, 'SEGMENT_ID'));
	t.true(met(['7', '8'], segment, 'SEGMENT_ID'));
});

test('filters hold for the row, so that two may be met by two items of it', t => {
	const basket = row({BRAND: ['a', 'b'], CATEGORY1: ['x', 'y']});
	const filters = [
		{dimension_name: 'BRAND', operator: 'EXACT', expressions: ['a']},
		{dimension_name: 'CATEGORY1', operator: 'EXACT', expressions: ['y']},
		{dimension_name: 'BRAND', operator: 'EXACT', expressions: ['z']},
	];
	const matches = (operator: string, count: number) =>
		clauseMatcher({operator, filters: filters.slice(0, count)}, (r, name) => r.dimensions[name]!)(basket);

	t.true(matches('AND', 2));
	t.false(matches('AND', 3));
	t.true(matches('OR', 3));
});

test('an absent clause and one without filters match every row', t => {
	const nothing = row({});
	for (const clause of [
		undefined,
		null,
		{},
		{operator: 'OR', filters: []},
		{operator: 'AND', filters: null},
	]) {
		t.true(clauseMatcher(clause, () => [])(nothing));
	}
});

test('what is not understood is refused aloud', t => {
	t.throws(() => met(['a'], {operator: 'NEAR'}), {message: /NEAR/});
	t.throws(() => met(['a'], {expressions: []}), {message: /expressions/});
});
