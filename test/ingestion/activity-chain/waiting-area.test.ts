import test from 'ava';
import {DomainError} from '../../../src/errors.ts';
import {ActivityChain} from '../../../src/ingestion/activity-chain/activity-chain.ts';
import {WAITING_BOUNDS, WaitingArea} from '../../../src/ingestion/activity-chain/waiting-area.ts';
import {
	decodeRecord,
	encodeRecord,
	isDue,
	type JournalRecord,
	placeOf,
} from '../../../src/ingestion/journal/record.ts';
import {NO_METERS} from '../../../src/ingestion/meters.ts';
import {analyzerAt, channelNumber} from '../../support/analyzers.ts';
import {datamartNumber, directoryOf} from '../../support/ingestion.ts';

function record(arrival: number, channelId: number, more: Partial<JournalRecord> = {}): JournalRecord {
	return {
		datamartId: 1,
		defaultCompartmentId: 10,
		receivedMs: 1_700_000_000_000,
		arrival,
		rows: 33,
		userAgent: '',
		body: Buffer.from('{"$type":"SITE_VISIT"}'),
		waits: {channelId},
		...more,
	};
}

const at = (offset: number) => ({segment: 3, offset});

test('channels have queues of their own, in order of arrival; the oldest is what the journal keeps', t => {
	const area = new WaitingArea();
	for (const [arrival, channelId] of [
		[1, 7],
		[2, 8],
		[3, 7],
	] as const) {
		area.add({record: record(arrival, channelId), at: at(arrival)}, 1_000 + arrival);
	}
	t.deepEqual(area.oldest, at(1));
	t.is(area.take(7)?.arrival, 1);
	t.is(area.take(7)?.arrival, 3);
	t.is(area.take(7), undefined);
	t.is(area.take(8)?.arrival, 2);
	t.is(area.size, 3, 'what is under way still waits');
	area.settle(2, 0);
	t.deepEqual(area.oldest, at(1));
	t.is(area.ageMs(2_001), 1_000);
	area.settle(1, 0);
	t.deepEqual(area.oldest, at(3));
	area.settle(3, 0);
	area.settle(3, 0);
	t.is(area.oldest, undefined);
	t.is(area.size, 0);
	t.is(area.ageMs(5_000), 0);
});

test('one that a later record has settled before its turn is passed over', t => {
	const area = new WaitingArea();
	for (const arrival of [1, 2, 3]) area.add({record: record(arrival, 7), at: at(arrival)}, 0);
	area.settle(1, 0);
	area.settle(2, 0);
	t.is(area.take(7)?.arrival, 3);
});

test('thousands go through one queue without it growing', t => {
	const area = new WaitingArea();
	for (let arrival = 1; arrival <= 20_000; arrival++) {
		area.add({record: record(arrival, 7), at: at(arrival)}, 0);
		t.is(area.take(7)?.arrival, arrival);
		area.settle(arrival, 0);
	}
	t.is(area.size, 0);
	t.deepEqual(area.channels(), []);
});

test('bodies beyond a bound are left to the journal, and there is room again once others are through', t => {
	const body = Buffer.alloc(100, ' ');
	const area = new WaitingArea({...WAITING_BOUNDS, heldBytes: 250});
	for (const arrival of [1, 2, 3]) area.add({record: record(arrival, 7, {body}), at: at(arrival)}, 0);
	const taken = [area.take(7), area.take(7), area.take(7)];
	t.deepEqual(
		taken.map(waiting => waiting?.record !== undefined),
		[true, true, false],
	);
	area.settle(1, 0);
	area.add({record: record(4, 7, {body}), at: at(4)}, 0);
	t.truthy(area.take(7)?.record);
});

test('a duplicate finds what waits under its key, and nothing once that is through', t => {
	const key = Buffer.alloc(16, 5);
	const area = new WaitingArea();
	area.add({record: record(9, 7, {keys: [key]}), at: at(9)}, 0);
	t.is(area.underKey(Buffer.from(key)), 9);
	t.is(area.underKey(Buffer.alloc(16, 6)), undefined);
	area.settle(9, 0);
	t.is(area.underKey(key), undefined);
});

test('a channel with too much waiting is refused with 503, others are not', t => {
	const waiting = new WaitingArea({...WAITING_BOUNDS, perChannel: 2, inAll: 4});
	const channels = [7, 8, 9].map(id => channelNumber(id, 1));
	const chain = new ActivityChain({
		links: {linksOf: id => (id === 9 ? [] : [analyzerAt(undefined, 1)])},
		directory: directoryOf([datamartNumber(1)], channels),
		run: () => new Promise(() => undefined),
		journal: {directory: '', append: () => new Promise(() => undefined)},
		waiting,
		meters: NO_METERS,
		traces: {add: () => undefined},
		log: {warn: () => undefined, error: () => undefined},
	});
	const visit = (id: number) => ({$type: 'SITE_VISIT', $site_id: String(id)});
	t.is(chain.takes(1, visit(7)), 7);
	t.is(chain.takes(1, {$type: 'APP_VISIT', $app_id: '7'}), 7);
	t.is(chain.takes(2, visit(7)), undefined, 'it is no channel of this datamart');
	for (const arrival of [1, 2]) waiting.add({record: record(arrival, 7), at: at(arrival)}, 0);
	const error = t.throws(() => chain.takes(1, visit(7)), {instanceOf: DomainError});
	t.is(error?.code, 'analyzers_behind');
	t.is(error?.retryAfterSeconds, 10);
	t.is(chain.takes(1, visit(8)), 8);
	t.is(chain.takes(1, visit(9)), undefined);
	for (const arrival of [3, 4]) waiting.add({record: record(arrival, 8), at: at(arrival)}, 0);
	t.throws(() => chain.takes(1, visit(8)), {message: /too many/});
	t.is(chain.takes(1, visit(9)), undefined, 'who has no analyzers is never refused for them');
	waiting.settle(1, 0);
	t.is(chain.takes(1, visit(7)), 7);
});

test('the journal gives waiting records and outcomes back as they were, keys and replays beside them', t => {
	const keys = [Buffer.alloc(16, 1), Buffer.alloc(16, 2)];
	const {waits: _, ...plain} = record(5, 7);
	const records: JournalRecord[] = [
		record(1, 7),
		record(2, 123_456_789_012, {keys, userAgent: 'Mozilla/5.0 ü'}),
		{...plain, outcome: {of: 1, kind: 'kept'}},
		{...plain, keys, outcome: {of: 123_456_789_012, kind: 'moved'}},
		{...plain, body: Buffer.alloc(0), outcome: {of: 4, kind: 'dropped'}},
		{...plain, keys, replay: {letterId: 9, stamp: {instance: 3, arrival: 8}}},
	];
	for (const each of records) t.deepEqual(decodeRecord(encodeRecord(each, each.arrival), 0)?.record, each);
});

test('an outcome stands where the record stood that waited, unless it outgrew the place', t => {
	const {waits: _, ...plain} = record(50, 7);
	const stamp = {instance: 4, arrival: 3};
	t.deepEqual(placeOf(record(2, 7), 1), {instance: 1, arrival: 2});
	t.deepEqual(placeOf({...plain, outcome: {of: 2, kind: 'kept'}}, 1), {instance: 1, arrival: 2});
	t.deepEqual(placeOf({...plain, outcome: {of: 2, kind: 'moved'}}, 1), {instance: 1, arrival: 50});
	t.deepEqual(placeOf({...plain, replay: {letterId: 1, stamp}}, 1), stamp);
	t.deepEqual(placeOf({...plain, replay: {letterId: 1}}, 1), {instance: 1, arrival: 50});
	t.false(isDue(record(2, 7)), 'what waits is not stored');
	t.true(isDue({...plain, outcome: {of: 2, kind: 'kept'}}));
	t.false(isDue({...plain, outcome: {of: 2, kind: 'dropped'}}));
});
