import test from 'ava';
import {z} from 'zod';
import {defineQuery, fillStatement} from '../../src/warehouse/define-query.ts';
import {placeholders} from '../../src/warehouse/placeholders.ts';

interface Question {
	readonly datamart: string;
	readonly city: string;
}

const visitsPerDay = defineQuery({
	name: 'visits.perDay',
	lane: 'light',
	sql: '../test/warehouse/visits.sql',
	params: z.object({datamartId: z.string().regex(/^\d+$/)}),
	row: z.object({visits: z.coerce.number()}),
	toParams: ({datamart}: Question) => ({datamartId: datamart}),
	slots: ({city}: Question) => ({
		what: 'count() AS visits',
		where: {text: 'city = {city0:String}', params: {city0: city}},
	}),
});

test('a value a user typed stays beside the text, whatever it holds', t => {
	const {text, params} = visitsPerDay.build({datamart: '7', city: "'; DROP TABLE visits --"});

	t.true(text.includes('count() AS visits'));
	t.true(text.includes('city = {city0:String}'));
	t.false(text.includes('DROP'));
	t.deepEqual(params, {datamartId: '7', city0: "'; DROP TABLE visits --"});
});

test('a value the schema does not know is refused before the engine sees it', t => {
	t.throws(() => visitsPerDay.build({datamart: '7 OR 1=1', city: 'Paris'}));
});

test('a query whose file is missing fails when the service loads, not when somebody asks', t => {
	const definition = {
		name: 'x',
		lane: 'light',
		sql: 'no/such.sql',
		params: z.object({}),
		row: z.object({}),
	} as const;
	t.throws(() => defineQuery(definition), {code: 'ENOENT'});
});

test('an unfilled slot, an unknown slot and a slot inside a fragment are refused by name', t => {
	t.throws(() => fillStatement('q', 'SELECT /*{a}*/', {}, {}), {message: /q: slot a is not filled/});
	t.throws(() => fillStatement('q', 'SELECT 1', {b: '1'}, {}), {message: /has no slot b/});
	t.throws(() => fillStatement('q', 'SELECT /*{a}*/', {a: '/*{c}*/'}, {}), {message: /\{c\}/});
	t.throws(() => fillStatement('q', 'SELECT /*{toString}*/', {}, {}), {message: /toString is not filled/});
});

test('two filters that speak of one name with different values are refused, the same value is not', t => {
	const slots = (second: string) => ({
		a: {text: '{x:String}', params: {x: 'one'}},
		b: {text: '{x:String}', params: {x: second}},
	});
	t.throws(() => fillStatement('q', '/*{a}*/ /*{b}*/', slots('two'), {}), {
		message: /two values under the name x/,
	});
	t.deepEqual(fillStatement('q', '/*{a}*/ /*{b}*/', slots('one'), {}).params, {x: 'one'});
	t.throws(() => fillStatement('q', '/*{a}*/', {a: slots('one').a}, {x: 'own'}), {message: /two values/});
});

test('a parameter without a value is refused, a value nobody names is left out', t => {
	t.throws(() => fillStatement('q', 'SELECT {x:UInt8}', {}, {}), {message: /no value for \{x:UInt8\}/});
	t.deepEqual(fillStatement('q', 'SELECT {x:UInt8}', {}, {x: 1, y: 2}).params, {x: 1});
	t.deepEqual(fillStatement('q', 'SELECT {x:Nullable(UInt8)}', {}, {x: null}).params, {x: null});
});

test("a slot's text is taken as it is, dollar signs included", t => {
	t.is(fillStatement('q', "match(x, '/*{a}*/')", {a: '^$& $1 $$'}, {}).text, "match(x, '^$& $1 $$')");
});

test('braces in literals, quoted names and comments are not parameters', t => {
	const sql = [
		"SELECT '{a:String}', 'it''s {b:String}', 'x\\'{c:String}', \"{d:String}\", `{e:String}`, {f : Array(String) },",
		'-- {g:String}',
		"/* {h:String} ' */ {i:DateTime64(3, 'UTC')}, map('k', 1), {'k': 1}",
	].join('\n');
	t.deepEqual(
		placeholders(sql).map(({name, type}) => [name, type]),
		[
			['f', 'Array(String)'],
			['i', "DateTime64(3, 'UTC')"],
		],
	);
});
