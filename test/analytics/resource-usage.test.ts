import test, {type ExecutionContext} from 'ava';
import {pino} from 'pino';
import {ResourcesUsageRequest} from '../../src/analytics/resource-usage/resource-usage.schema.ts';
import {resourcesUsage} from '../../src/analytics/resource-usage/resource-usage.ts';
import {encodeQueryUsage, type UsageFact} from '../../src/analytics/resource-usage/usage-facts.ts';
import {UsageMeter} from '../../src/analytics/resource-usage/usage-meter.ts';
import {splitByDay} from '../../src/analytics/resource-usage/whole-days.ts';
import {DomainError} from '../../src/errors.ts';
import {UsageWriter} from '../../src/ingestion/drain/usage-writer.ts';
import type {NewRecord} from '../../src/ingestion/journal/journal.ts';
import {decodeRecord, encodeRecord, type JournalRecord} from '../../src/ingestion/journal/record.ts';
import {insertUsage, organisationsOf, userWith} from '../support/usage.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

let store: TestWarehouse;
test.before(async () => {
	store = await startSharedWarehouse();
});
test.after.always(async () => store?.stop());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;

let organisations = 100;

/** Reports of an organisation nobody else uses. */
function newOrganisation() {
	const id = organisations++;
	const directory = organisationsOf([id, 1]);
	const context = {warehouse: store.warehouse, directory, principal: userWith('READER', id, 1)};
	return {
		id,
		payersOf: async () => new Map([[7, {communityId: 1, organisationId: id}]]),
		async ask(dimensions: readonly string[], metrics: readonly string[], range = ['now-3y/y', 'now/d']) {
			const request = ResourcesUsageRequest.parse({
				date_ranges: [{start_date: range[0], end_date: range[1]}],
				dimensions: dimensions.map(name => ({name})),
				metrics: metrics.map(expression => ({expression})),
			});
			return (await resourcesUsage(context, request)).rows;
		},
	};
}

function fact(organisationId: number, more: Partial<UsageFact> = {}): UsageFact {
	return {
		communityId: 1,
		organisationId,
		datamartId: 7,
		userId: 0,
		atMs: TODAY_MS,
		source: 'API',
		subSource: '',
		collection: '',
		resourceId: 'funnel.steps',
		executionId: 'e',
		scanCost: 0,
		readCost: 0,
		writeCost: 0,
		count: 0,
		...more,
	};
}

function record(arrival: number, more: Partial<JournalRecord> = {}): JournalRecord {
	return {
		datamartId: 7,
		defaultCompartmentId: 1,
		receivedMs: TODAY_MS + 500,
		arrival,
		rows: 1,
		userAgent: '',
		body: Buffer.alloc(100, 'x'),
		...more,
	};
}

test('a batch that is tried again brings its usage once, whether or not the engine remembers its token', async t => {
	const {id, payersOf, ask} = newOrganisation();
	const batch = [record(1), record(2), record(3, {receivedMs: TODAY_MS + 1500})];
	const place = {instance: id, batchId: 1};
	await new UsageWriter(store.warehouse, payersOf).write(batch, {...place, inDoubt: false});
	// As after a restart: nobody knows how far the first try came.
	await new UsageWriter(store.warehouse, payersOf).write(batch, {...place, inDoubt: true});
	await new UsageWriter(store.warehouse, payersOf).write(batch, {...place, inDoubt: false});
	t.deepEqual(await ask([], ['write_cost', 'count']), [[300, 3]]);
	// What one second brought is one fact, so that a range cut to the second has it or not.
	const second = new Date(TODAY_MS).toISOString().slice(0, 19);
	t.deepEqual(await ask([], ['write_cost', 'count'], [second, second]), [[200, 2]]);
	t.deepEqual(await ask(['execution_id', 'collection'], ['count']), [[`${id}-1`, 'UserActivity', 3]]);
});

test('an activity is brought once: not again when its analyzers are through, nor when its letter is replayed', async t => {
	const {id, payersOf, ask} = newOrganisation();
	const batch = [
		record(1, {waits: {channelId: 5}}),
		record(2, {outcome: {of: 1, kind: 'kept'}, body: Buffer.alloc(5000)}),
		record(3, {replay: {letterId: 1}}),
		record(4, {outcome: {of: 9, kind: 'dropped'}, body: Buffer.alloc(0)}),
	];
	await new UsageWriter(store.warehouse, payersOf).write(batch, {instance: id, batchId: 1, inDoubt: false});
	t.deepEqual(await ask([], ['write_cost', 'count']), [[100, 1]]);
});

test('what a query cost comes through the journal unchanged, and is no activity', async t => {
	const {id, payersOf, ask} = newOrganisation();
	const usage = {
		communityId: 1,
		organisationId: id,
		userId: 3,
		source: 'DASHBOARD',
		subSource: 'it\'s\t"odd"',
		resourceId: 'funnel.steps',
		executionId: 'q1',
		scanCost: 2 ** 45,
		readCost: 2 ** 46 + 1,
	};
	const written = record(1, {usage: true, body: encodeQueryUsage(usage)});
	const read = decodeRecord(encodeRecord(written, written.arrival), 0)!.record;
	t.deepEqual({...read, body: read.body.toString()}, {...written, body: written.body.toString()});
	await new UsageWriter(store.warehouse, payersOf).write([read], {instance: id, batchId: 1, inDoubt: false});
	t.deepEqual(
		await ask(['source', 'sub_source', 'user_id', 'execution_id'], ['scan_cost', 'read_cost', 'count']),
		[['DASHBOARD', 'it\'s\t"odd"', 3, 'q1', 2 ** 45, 2 ** 46 + 1, 0]],
	);
});

const COST = {name: 'funnel.steps', queryId: 'q', rowsRead: 5, bytesRead: 50, elapsedMs: 1};

function meterOver(t: ExecutionContext, append: (records: readonly NewRecord[]) => Promise<number[]>) {
	const {id} = newOrganisation();
	const meter = new UsageMeter({
		journal: {append},
		directory: organisationsOf([id, 1]),
		brands: ['svc', 'Mics'],
		log: pino({level: 'silent'}),
	});
	t.teardown(() => meter.close());
	const caller = {principal: userWith('READER', id, 1), headers: {'x-mics-otql-source': 'DATA_STUDIO'}};
	return {meter, charge: meter.chargeTo(caller), organisationId: id};
}

test('an answer waits until its cost is durable', async t => {
	const order: string[] = [];
	const {charge, organisationId} = meterOver(t, async records => {
		await new Promise(resolve => setTimeout(resolve, 20));
		order.push('durable');
		const said = JSON.parse(records[0]!.body.toString());
		t.like(said, {
			organisationId,
			communityId: 1,
			source: 'DATA_STUDIO',
			subSource: '',
			scanCost: 5,
			readCost: 50,
		});
		return [1];
	});
	await charge(COST);
	order.push('answered');
	t.deepEqual(order, ['durable', 'answered']);
});

test('where the journal cannot be written questions are answered, and their cost is told with the next one’s', async t => {
	let broken = true;
	const told: number[] = [];
	const {charge, meter} = meterOver(t, async records => {
		if (broken) throw new DomainError('store_unavailable', 'the journal cannot be written');
		told.push(records.length);
		return records.map(() => 1);
	});
	await charge(COST);
	await charge(COST);
	broken = false;
	await charge(COST);
	await meter.close();
	t.deepEqual(told, [3]);
});

test('usage is kept for two years, and then goes with its whole month', async t => {
	const {id, ask} = newOrganisation();
	const kept = TODAY_MS - 700 * DAY_MS;
	const gone = TODAY_MS - 800 * DAY_MS;
	await insertUsage(store.warehouse, 1, [
		fact(id, {atMs: gone, scanCost: 1}),
		fact(id, {atMs: kept, scanCost: 10}),
		fact(id, {atMs: TODAY_MS, scanCost: 100}),
	]);
	await store.warehouse.command('OPTIMIZE TABLE usage_facts_v1 FINAL');
	t.deepEqual(await ask([], ['scan_cost']), [[110]]);
	t.deepEqual(
		(await ask(['date_yyyy_mm_dd'], ['scan_cost'])).map(([, cost]) => cost),
		[10, 100],
	);
	t.deepEqual(await ask(['scan_cost'], []), [[10], [100]]);
});

test('sums beyond what a float adds exactly are exact', async t => {
	const {id, ask} = newOrganisation();
	const big = 2 ** 52;
	await insertUsage(store.warehouse, 2, [
		fact(id, {readCost: big}),
		fact(id, {readCost: 1, executionId: 'f'}),
		fact(id, {readCost: big - 3, atMs: TODAY_MS + 1}),
	]);
	t.deepEqual(await ask(['date_yyyy_mm_dd'], ['read_cost']), [
		[new Date(TODAY_MS).toISOString().slice(0, 10), 2 ** 53 - 2],
	]);
});

test('a range is the whole days it holds and what is left at its ends', t => {
	const range = (from: number, until: number) => ({fromMs: from * HOUR_MS, untilMs: until * HOUR_MS});
	t.deepEqual(splitByDay([range(0, 48)]), {days: [{firstDay: 0, endDay: 2}], rest: []});
	t.deepEqual(splitByDay([range(1, 49)]), {
		days: [{firstDay: 1, endDay: 2}],
		rest: [range(1, 24), range(48, 49)],
	});
	t.deepEqual(splitByDay([range(1, 30), range(40, 41)]), {days: [], rest: [range(1, 30), range(40, 41)]});
	t.deepEqual(splitByDay([range(5, 5)]), {days: [], rest: [range(5, 5)]});
});
