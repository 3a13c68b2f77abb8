import test from 'ava';
import {
	hasUnsafeNumbers,
	parseKeepingNumbers,
	stringifyKeepingNumbers,
} from '../../../src/ingestion/facts/activity-text.ts';

test('numbers that no double carries are told from texts that look like them', t => {
	for (const text of [
		'{"a":12345678901234567890}',
		'[1e-7]',
		'{"a": 1.1234567890123456 , "b":1}',
		'{"a":1E5\n}',
		'[-12345678901234567]',
	]) {
		t.true(hasUnsafeNumbers(text), text);
	}
	for (const text of [
		'{"a":"vec:6e5"}',
		'{"id":"6d92078a-8246-1e7c-ae5b-76104861e7dc"}',
		'{"t":1795190600000,"p":49.9}',
		'{}',
	]) {
		t.false(hasUnsafeNumbers(text), text);
	}
});

test('the text comes back with its numbers, and of a repeated key the last one', t => {
	const kept = (text: string) => stringifyKeepingNumbers(parseKeepingNumbers(text));
	t.is(kept('{"a":12345678901234567890,"b":[1.10,1e400]}'), '{"a":12345678901234567890,"b":[1.10,1e400]}');
	t.is(kept('{"a":12345678901234567890,"a":2}'), '{"a":2}');
});

test('a long run of digits is read in time that grows with its length, not with its square', t => {
	// Quadratic work on two million digits would outlast the test's own patience.
	t.false(hasUnsafeNumbers(`{"a":"${'x: '.repeat(10)}: ${'1'.repeat(2_000_000)}x"}`));
	t.false(hasUnsafeNumbers(`{"a":"${': '.repeat(1_000_000)}"}`));
});
