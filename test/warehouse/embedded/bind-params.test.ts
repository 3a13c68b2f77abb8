import test from 'ava';
import {bindParams, quote} from '../../../src/warehouse/embedded/bind-params.ts';

const bind = (type: string, value: string) => bindParams(`{x:${type}}`, new Map([['x', value]]));

test('a quote, a backslash and control characters cannot end the literal they are in', t => {
	t.is(quote("a'b"), "'a\\'b'");
	t.is(quote("\\' OR 1=1 --"), "'\\\\\\' OR 1=1 --'");
	t.is(quote('\0\t\n\x7f'), "'\\x00\\x09\\x0a\\x7f'");
	t.is(quote('héllo 😀'), "'héllo 😀'");
});

test('a text is unescaped once, as the client escaped it', t => {
	t.is(bind('String', "it\\'s"), "'it\\'s'");
	t.is(bind('String', 'a\\\\nb'), "'a\\\\nb'");
	t.is(bind('String', 'a\\nb'), "'a\\x0ab'");
	t.is(bind('String', '{y:String}'), "'{y:String}'");
	t.throws(() => bind('String', 'a\\qb'), {message: /x holds an escape/});
	t.throws(() => bind('String', 'a\\'), {message: /x holds an escape/});
});

test('an integer that does not fit its type is refused, not wrapped', t => {
	t.is(bind('UInt64', '18446744073709551615'), "_CAST('18446744073709551615', 'UInt64')");
	t.is(bind('Int8', '-128'), "_CAST('-128', 'Int8')");
	for (const [type, value] of [
		['UInt64', '18446744073709551616'],
		['UInt8', '-1'],
		['Int64', '1 OR 1=1'],
		['UInt32', ''],
		['Nullable(UInt8)', '256'],
	] as const) {
		t.throws(() => bind(type, value), {message: /x is not a /}, `${type} ${value}`);
	}
});

test('null binds where the type allows it and is a text where it does not', t => {
	t.is(bind('Nullable(String)', '\\N'), "_CAST(NULL, 'Nullable(String)')");
	t.is(bind('LowCardinality(Nullable(String))', '\\N'), "_CAST(NULL, 'LowCardinality(Nullable(String))')");
	t.throws(() => bind('String', '\\N'));
});

test('a type outside the list is refused rather than spliced in', t => {
	for (const type of [
		"String'), now(",
		'Identifier',
		'Array(Tuple(String))',
		"DateTime('a) b')",
		'constructor',
	]) {
		t.throws(() => bind(type, 'x'), {message: /is not bound here|not set/}, type);
	}
});

test('a parameter nobody gave is refused by name', t => {
	t.throws(() => bindParams('SELECT {missing:String}', new Map()), {message: /missing is not set/});
});
