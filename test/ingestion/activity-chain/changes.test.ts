import test from 'ava';
import {changesBetween, MOST_CHANGES} from '../../../src/ingestion/activity-chain/changes.ts';

test('a trace names the places that an analyzer added, removed and changed, and no others', t => {
	const before = {
		$type: 'SITE_VISIT',
		$ts: 1,
		gone: true,
		$events: [{$event_name: 'a', $properties: {n: 1}}],
	};
	const after = {
		$type: 'SITE_VISIT',
		$ts: 2,
		'a/b~c': {x: 1},
		$events: [{$event_name: 'a', $properties: {n: '1'}}, {$event_name: 'b'}],
	};
	t.deepEqual(changesBetween(before, after), [
		{pointer: '/$ts', kind: 'changed'},
		{pointer: '/gone', kind: 'removed'},
		{pointer: '/$events/0/$properties/n', kind: 'changed'},
		{pointer: '/$events/1', kind: 'added'},
		{pointer: '/a~1b~0c', kind: 'added'},
	]);
	t.deepEqual(changesBetween(before, structuredClone(before)), []);
	t.deepEqual(changesBetween({a: {}}, {a: []}), [{pointer: '/a', kind: 'changed'}]);
	t.deepEqual(changesBetween({a: null}, {a: {b: 1}}), [{pointer: '/a', kind: 'changed'}]);
});

test('a trace stays short, however much an analyzer changes', t => {
	const wide = Object.fromEntries(Array.from({length: 10_000}, (_, index) => [`key ${index}`, index]));
	t.is(changesBetween({}, wide).length, MOST_CHANGES);
	t.is(changesBetween(wide, {}).length, MOST_CHANGES);
	const [change] = changesBetween({}, {['x'.repeat(100_000)]: 1});
	t.true(change!.pointer.length < 300);
});
