import anyTest, {type TestFn} from 'ava';
import {z} from 'zod';
import {getTrace, listTraces, Traces} from '../../../src/ingestion/activity-chain/traces.ts';
import type {JournalRecord} from '../../../src/ingestion/journal/record.ts';
import type {WarehouseQuery} from '../../../src/warehouse/warehouse.ts';
import {datamartNumber} from '../../support/ingestion.ts';
import {startSharedWarehouse, type TestWarehouse} from '../../support/warehouse.ts';

const test = anyTest as TestFn<TestWarehouse>;

test.before(async t => {
	t.context = await startSharedWarehouse();
});
test.after.always(t => t.context?.stop());

const DAY_MS = 86_400_000;

const record = (datamartId: number, arrival: number): JournalRecord => ({
	datamartId,
	defaultCompartmentId: 1,
	receivedMs: 1_700_000_000_000,
	arrival,
	rows: 1,
	userAgent: '',
	body: Buffer.from('{}'),
});

const step = {analyzerId: 5, startedMs: 1_700_000_000_000, ms: 2.5, tries: 1};
const failure = {errorId: 'an id', fault: 'error_status', message: "it's \t broken \\ here"} as const;

const countOf: WarehouseQuery<number, {traces: number}> = {
	name: 'test.traceCount',
	lane: 'light',
	row: z.object({traces: z.coerce.number()}),
	build: datamartId => ({
		text: 'SELECT count() AS traces FROM activity_traces_v1 WHERE datamart_id = {datamartId:UInt32}',
		params: {datamartId},
	}),
};

function tracesIn({warehouse}: TestWarehouse) {
	let left = 0;
	const traces = new Traces({
		warehouse,
		instance: 1,
		log: {warn: () => undefined},
		left: count => {
			left += count;
		},
	});
	const reading = {warehouse, keyOf: () => 'no key', flush: () => traces.flush()};
	return {traces, reading, left: () => left};
}

test('a trace comes back as it was, and of an activity that was sent through twice the last one', async t => {
	const {traces, reading} = tracesIn(t.context);
	const datamart = datamartNumber(1);
	const analysed = {activity: '{}', rows: 1, steps: [{...step, failure}]};
	traces.add({record: record(1, 7), channelId: 3, analysed: {rows: 0, steps: []}, startedMs: 5});
	await traces.flush();
	traces.add({record: record(1, 7), channelId: 3, analysed, startedMs: 6});
	const trace = await getTrace(reading, datamart, '1-7');
	t.deepEqual(trace.steps, [{...step, failure}]);
	t.is(trace.outcome, 'stored_with_error');
	t.is(trace.startedMs, 6);
	const page = await listTraces(reading, datamart, {}, {firstResult: 0, maxResults: 10});
	t.is(page.total, 1);
	t.is(page.items.length, 1);
	t.is((await listTraces(reading, datamartNumber(2), {}, {firstResult: 0, maxResults: 10})).total, 0);
});

test('a busy service writes some of what went well and more of what failed', async t => {
	const {traces, left} = tracesIn(t.context);
	for (let arrival = 1; arrival <= 300; arrival++) {
		traces.add({
			record: record(4, arrival),
			channelId: 3,
			analysed: {activity: '{}', rows: 1, steps: [step]},
			startedMs: 5,
		});
		traces.add({
			record: record(5, arrival),
			channelId: 3,
			analysed: {rows: 0, steps: [{...step, failure}]},
			startedMs: 5,
		});
	}
	await traces.flush();
	const counts = await Promise.all([4, 5].map(id => t.context.warehouse.read(countOf, id)));
	t.deepEqual(
		counts.map(({rows}) => rows[0]?.traces),
		[100, 300],
	);
	t.is(left(), 200);
});

test('a trace is told of for three days, and its row goes after them', async t => {
	const {warehouse} = t.context;
	const {reading} = tracesIn(t.context);
	const write = (arrival: number, ageMs: number) =>
		warehouse.write({
			table: 'activity_traces_v1',
			columns: ['datamart_id', 'instance', 'arrival', 'traced_ms', 'outcome', 'steps'],
			rows: 1,
			payload: Buffer.from(`6\t1\t${arrival}\t${Date.now() - ageMs}\tstored\t[]\n`),
		});
	await write(1, 4 * DAY_MS);
	await write(2, 2 * DAY_MS);
	const page = await listTraces(reading, datamartNumber(6), {}, {firstResult: 0, maxResults: 10});
	t.deepEqual(
		page.items.map(({id}) => id),
		['1-2'],
	);
	// What merges do by themselves, sooner or later.
	await warehouse.command('OPTIMIZE TABLE activity_traces_v1 FINAL');
	t.is((await warehouse.read(countOf, 6)).rows[0]?.traces, 1);
});

test('a store that is away loses traces and nothing else', async t => {
	let left = 0;
	const traces = new Traces({
		warehouse: {write: () => Promise.reject(new Error('away'))},
		instance: 1,
		log: {warn: () => undefined},
		left: count => {
			left += count;
		},
	});
	traces.add({record: record(1, 7), channelId: 3, analysed: {rows: 0, steps: []}, startedMs: 5});
	await t.notThrowsAsync(traces.flush());
	t.is(left, 1);
});
