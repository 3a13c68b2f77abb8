import test from 'ava';
import fc from 'fast-check';
import {elementBytes} from '../../src/lib/json-elements.ts';

const textsOf = (json: string) => elementBytes(Buffer.from(json)).map(bytes => bytes.toString());

test('the elements of any array are the values that JSON.parse finds, whatever white space stands between', t => {
	fc.assert(
		fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, '\t', '\r\n '), (values, space) => {
			const json = JSON.stringify(values, undefined, space as string);
			t.deepEqual(
				textsOf(` ${json}\n`).map(text => JSON.parse(text)),
				JSON.parse(json),
			);
		}),
		{numRuns: 2_000, seed: 3},
	);
});

test('quotes, brackets and commas inside of texts are no borders, and numbers keep every digit', t => {
	t.deepEqual(textsOf(String.raw`["a\"],[","\\",{"k]":"}"},1.2300,12345678901234567890]`), [
		String.raw`"a\"],["`,
		String.raw`"\\"`,
		'{"k]":"}"}',
		'1.2300',
		'12345678901234567890',
	]);
	t.deepEqual(textsOf('[]'), []);
	t.deepEqual(textsOf('[ \n]'), []);
	t.deepEqual(textsOf('[[],[[1,2],{}]]'), ['[]', '[[1,2],{}]']);
});

test('bytes that are no text stay where they are', t => {
	const bytes = Buffer.concat([Buffer.from('["'), Buffer.from([0xe2, 0x28]), Buffer.from('",1]')]);
	const [first, second] = elementBytes(bytes);
	t.deepEqual([...first!], [0x22, 0xe2, 0x28, 0x22]);
	t.is(second!.toString(), '1');
});
