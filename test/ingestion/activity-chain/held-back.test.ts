import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import anyTest, {type TestFn} from 'ava';
import {
	ActivityChain,
	type ActivityChainOptions,
} from '../../../src/ingestion/activity-chain/activity-chain.ts';
import type {Analysed} from '../../../src/ingestion/activity-chain/analyse.ts';
import {WAITING_BOUNDS, WaitingArea} from '../../../src/ingestion/activity-chain/waiting-area.ts';
import type {NewRecord} from '../../../src/ingestion/journal/journal.ts';
import type {JournalRecord} from '../../../src/ingestion/journal/record.ts';
import {NO_METERS} from '../../../src/ingestion/meters.ts';
import {acceptMany} from '../../../src/ingestion/user-activities/accept.ts';
import {type Answering, hang, startAnalyzerWorker, unchanged} from '../../support/analyzer-worker.ts';
import {analyzerAt, channelNumber} from '../../support/analyzers.ts';
import {type ChainContext, newDoor, visit} from '../../support/chain-door.ts';
import {datamartNumber, directoryOf, incoming} from '../../support/ingestion.ts';
import {startSharedPostgres} from '../../support/postgres.ts';
import {startSharedWarehouse} from '../../support/warehouse.ts';

const test = anyTest as TestFn<ChainContext>;

test.before(async t => {
	const [postgres, store] = await Promise.all([startSharedPostgres(), startSharedWarehouse()]);
	t.context = {postgres, store};
});
test.after.always(async t => {
	await Promise.all([t.context.postgres?.stop(), t.context.store?.stop()]);
});

const after =
	(ms: number): Answering =>
	(request, response) =>
		void setTimeout(() => unchanged(request, response), ms);

/** What many activities of four channels meet that share one plugin worker: none of it is a failure of an analyzer. */
const CROWDS = [
	{why: 'slow', answering: after(1_000), maxQps: undefined, activities: 64},
	{why: 'limited by max_qps', answering: unchanged, maxQps: 40, activities: 30},
] as const;

for (const {why, answering, maxQps, activities} of CROWDS) {
	test.serial(
		`a plugin worker that four channels share and that is ${why} costs time and no activity`,
		async t => {
			const {channelId, chains, worker, post, kept} = await newDoor(t, answering, 3_000);
			for (const number of [1, 2, 3, 4]) {
				const link = analyzerAt(worker.url, number, {
					strategy: 'DROP',
					workerId: 'shared',
					...(maxQps !== undefined && {maxQps}),
				});
				chains.set(channelId(number), [link]);
			}
			const many = Array.from({length: activities * 4}, (_, index) => visit(channelId((index % 4) + 1)));
			const began = performance.now();
			await post(...many);
			const tookMs = performance.now() - began;
			const stored = await kept();
			t.is(stored.length, many.length, 'none was dropped');
			t.true(stored.every(each => each.$error_analyzer_id === undefined));
			t.is(worker.requests.length, many.length, 'each was asked for once');
			if (maxQps !== undefined) t.true(tookMs > ((many.length - 1) / maxQps) * 1_000, `${tookMs} ms`);
		},
	);
}

test.serial('a plugin worker that hangs behind a shared one keeps nobody from the shared one', async t => {
	const {channelId, chains, worker, post, context, door, ingestion, kept} = await newDoor(
		t,
		unchanged,
		60_000,
	);
	const held: (() => void)[] = [];
	const hanging = await startAnalyzerWorker((...call) => void held.push(() => unchanged(...call)));
	t.teardown(() => hanging.close());
	const shared = analyzerAt(worker.url, 1, {workerId: 'shared'});
	for (const number of [1, 2, 3]) {
		chains.set(channelId(number), [
			shared,
			analyzerAt(hanging.url, 2, {strategy: 'DROP', workerId: 'hangs'}),
		]);
	}
	chains.set(channelId(4), [shared]);
	const stuck = Array.from({length: 300}, (_, index) => visit(channelId((index % 3) + 1)));
	await acceptMany(context, door, incoming(stuck));
	await post(...Array.from({length: 100}, () => visit(channelId(4))));
	t.is(ingestion.waiting.size, 300, 'all of the others are still stuck');
	t.true(held.length <= 64, 'no more than there are connections');
	for (; ingestion.waiting.size > 0; await delay(20)) for (const answer of held.splice(0)) answer();
	await ingestion.whenQueryable(ingestion.journal.lastArrival);
	t.is((await kept()).length, 400);
});

function record(arrival: number, channelId: number): JournalRecord {
	return {
		datamartId: 1,
		defaultCompartmentId: 10,
		receivedMs: 1_700_000_000_000,
		arrival,
		rows: 33,
		userAgent: '',
		body: Buffer.from('{"$type":"SITE_VISIT"}'),
		waits: {channelId},
	};
}

/** A chain whose analyses a test ends one by one, in front of a journal that keeps what it is given. */
function chainWith(more: Partial<ActivityChainOptions>) {
	const waiting = new WaitingArea();
	const appended: NewRecord[] = [];
	const underWay: number[] = [];
	const ends: ((analysed: Analysed) => void)[] = [];
	const options: ActivityChainOptions = {
		links: {linksOf: () => [analyzerAt('http://127.0.0.1:1', 1, {workerId: 'shared', strategy: 'DROP'})]},
		directory: directoryOf(
			[datamartNumber(1)],
			Array.from({length: 20}, (_, index) => channelNumber(index + 1, 1)),
		),
		run: ({channelId, activity}) => {
			underWay.push(channelId);
			return new Promise(resolve => {
				ends.push(analysed => resolve({activity, ...analysed}));
			});
		},
		journal: {
			directory: join(tmpdir(), 'millrace-no-journal'),
			append: async records => {
				appended.push(...records);
				return records.map((_, index) => 1_000 + index);
			},
		},
		waiting,
		meters: NO_METERS,
		traces: {add: () => undefined},
		log: {warn: () => undefined, error: () => undefined},
		...more,
	};
	return {chain: new ActivityChain(options), waiting, appended, underWay, ends};
}

test('channels that share a plugin worker share what is under way for it, and none of them is without', async t => {
	const {chain, underWay, ends} = chainWith({});
	let arrival = 0;
	const enter = (channelId: number, count: number) => {
		for (let index = 0; index < count; index++) {
			arrival += 1;
			chain.enter({record: record(arrival, channelId), at: {segment: 1, offset: arrival}});
		}
	};
	for (const channelId of [1, 2, 3, 4]) enter(channelId, 200);
	await delay(5);
	const of = (channelId: number) => underWay.filter(id => id === channelId).length;
	t.deepEqual([1, 2, 3, 4].map(of), [64, 64, 4, 4]);
	for (const end of ends.splice(0, 64)) end({rows: 1, steps: []});
	await delay(20);
	t.true(chain.running <= 128 + 4 * 4, `${chain.running} under way`);
	t.true(of(3) > 4 || of(1) > 64, 'what comes back makes room');
});

test('an activity that no thread can take, and whose analyzer would drop it, becomes a dead letter', async t => {
	const {chain, waiting, appended} = chainWith({run: () => Promise.reject(new TypeError('not a function'))});
	chain.enter({record: record(7, 1), at: {segment: 1, offset: 0}});
	while (waiting.size > 0) await delay(5);
	t.is(appended.length, 1);
	t.like(appended[0], {outcome: {of: 7, kind: 'unanalysed'}, rows: 33});
	t.is(String(appended[0]?.body), '{"$type":"SITE_VISIT"}');
});

test('an activity that comes back as nothing anybody understands becomes a dead letter', async t => {
	const {chain, waiting, appended} = chainWith({
		run: () => Promise.resolve(undefined as unknown as Analysed),
	});
	chain.enter({record: record(7, 1), at: {segment: 1, offset: 0}});
	while (waiting.size > 0) await delay(5);
	t.like(appended[0], {outcome: {of: 7, kind: 'unanalysed'}});
});

test('an activity that the journal lost while it waited ends as a dead letter that tells its place', async t => {
	const {chain, waiting, appended} = chainWith({});
	waiting.add({record: record(7, 3), at: {segment: 1, offset: 0}}, Date.now(), {hold: false});
	chain.start();
	while (waiting.size > 0) await delay(5);
	t.like(appended[0], {datamartId: 1, outcome: {of: 7, kind: 'unanalysed'}});
	t.is(appended[0]?.body.length, 0);
});

test('what would wait too long for its analyzers is refused at the door, by max_qps or by how the others fare', t => {
	const area = new WaitingArea({...WAITING_BOUNDS, longestWaitMs: 10_000});
	const add = (arrival: number, nowMs: number) =>
		area.add({record: record(arrival, 7), at: {segment: 1, offset: arrival}}, nowMs);
	for (let arrival = 1; arrival <= 300; arrival++) add(arrival, 0);
	t.false(area.isFull(7), 'nobody knows yet how long they take');
	t.true(area.isFull(7, 100), 'ten a second at most: 30 s');
	t.false(area.isFull(7, 10));
	for (let arrival = 1; arrival <= 150; arrival++) area.settle(arrival, arrival * 100);
	t.true(area.isFull(7), 'each took 100 ms, and 150 wait');
	for (let arrival = 151; arrival <= 250; arrival++) area.settle(arrival, arrival * 100);
	t.false(area.isFull(7));
	t.false(area.isFull(8, 100));
});

test.serial(
	'what waited too long for its turn is not dropped for it: it lies with the dead letters',
	async t => {
		const {channelId, chains, worker, ingestion, start, context, door, datamart, kept} = await newDoor(
			t,
			hang,
		);
		await ingestion.stop();
		chains.set(channelId(1), [analyzerAt(worker.url, 1, {strategy: 'DROP'})]);
		chains.set(channelId(2), [analyzerAt(worker.url, 2)]);
		const second = await start({run: () => Promise.reject(new Error('no thread'))});
		const noted = {arrivals: [], found: []};
		const {lastArrival} = await acceptMany(
			{...context, ...second},
			{...door, noted},
			incoming([visit(channelId(1), {number: 1}), visit(channelId(2), {number: 2})]),
		);
		await second.whenQueryable(lastArrival, noted);
		const stored = await kept();
		t.deepEqual(
			stored.map(each => each.number),
			[2],
			'STORE_WITH_ERROR_ID stores it',
		);
		t.truthy(stored[0].$error_analyzer_id);
		const paging = {firstResult: 0, maxResults: 10};
		const letters = await second.deadLetters.list({datamartId: datamart.id, reason: undefined}, paging);
		t.is(letters.total, 1);
		t.like(letters.items[0], {reason: 'not_analysed', message: 'its analyzers could not be asked'});
		const opened = await second.deadLetters.open(datamart.id, letters.items[0]!.id);
		t.is(JSON.parse(String(opened?.record.body)).number, 1);
	},
);
