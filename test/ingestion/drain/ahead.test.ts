import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import type {PreparedBatch} from '../../../src/ingestion/drain/batch-writer.ts';
import {CheckpointFile} from '../../../src/ingestion/drain/checkpoint.ts';
import {Drain, type DrainOptions} from '../../../src/ingestion/drain/drain.ts';
import {Journal, type NewRecord} from '../../../src/ingestion/journal/journal.ts';
import type {JournalRecord} from '../../../src/ingestion/journal/record.ts';

/** Three records of 100 bytes make a batch. */
const MAX_BATCH_BYTES = 450;

interface Store {
	/** What was called, in order, with the bodies of the batch. */
	readonly calls: string[];
	/** Ends the write in hand. */
	finish(error?: Error): void;
}

async function drainOf(t: ExecutionContext, bodies: readonly string[], replayed?: string): Promise<Store> {
	const directory = mkdtempSync(join(tmpdir(), 'millrace-drain-'));
	const journal = await Journal.open({directory, nextArrival: 1});
	await journal.append(bodies.map(body => record(body, body === replayed)));
	const calls: string[] = [];
	let finish: Store['finish'] = () => {};
	const told = new Map<PreparedBatch, string>();
	const writer = {
		async prepare(records: readonly JournalRecord[]) {
			const name = records.map(({body}) => body.toString().trim()).join('');
			calls.push(`prepare ${name}`);
			const prepared = {refused: [], whole: true} as unknown as PreparedBatch;
			told.set(prepared, name);
			return prepared;
		},
		async write(prepared: PreparedBatch, _: unknown, {sent}: {sent: () => void}) {
			calls.push(`write ${told.get(prepared)}`);
			sent();
			await new Promise<void>((resolve, reject) => {
				finish = error => (error ? reject(error) : resolve());
			});
			calls.push(`written ${told.get(prepared)}`);
		},
	};
	const drain = new Drain({
		journalDirectory: directory,
		checkpointFile: new CheckpointFile(directory),
		checkpoint: {confirmed: {segment: 1, offset: 0}, nextArrival: 1},
		writer: writer as unknown as DrainOptions['writer'],
		usage: {write: async () => {}} as unknown as DrainOptions['usage'],
		context: {instance: 1} as DrainOptions['context'],
		report: {confirmed() {}, failed: () => calls.push('failed'), kept() {}, counted() {}},
		maxBatchBytes: MAX_BATCH_BYTES,
	});
	drain.start();
	drain.advance(journal.durable);
	t.teardown(async () => {
		const ending = drain.stop(0);
		finish();
		await ending;
		await journal.close();
		rmSync(directory, {recursive: true, force: true});
	});
	return {calls, finish: error => finish(error)};
}

function record(body: string, replayed: boolean): NewRecord {
	return {
		datamartId: 7,
		defaultCompartmentId: 70,
		receivedMs: 1_700_000_000_123,
		rows: 1,
		userAgent: '',
		body: Buffer.from(body.padEnd(100)),
		...(replayed && {replay: {letterId: 1}}),
	} as NewRecord;
}

async function until(t: ExecutionContext, {calls}: Store, expected: readonly string[]): Promise<void> {
	while (calls.length < expected.length) await delay(5);
	t.deepEqual(calls, expected);
}

test('while a batch is written the next one is made, and written once the first has its rows', async t => {
	const store = await drainOf(t, [...'abcdefghijkl']);
	await until(t, store, ['prepare abc', 'write abc', 'prepare def']);
	store.finish();
	await until(t, store, [
		...['prepare abc', 'write abc', 'prepare def'],
		...['written abc', 'write def', 'prepare ghi'],
	]);
});

test('a batch that could not be written is written again before the one that was made behind it', async t => {
	const store = await drainOf(t, [...'abcdefghijkl']);
	await until(t, store, ['prepare abc', 'write abc', 'prepare def']);
	store.finish(new Error('the store is away'));
	await until(t, store, [
		...['prepare abc', 'write abc', 'prepare def', 'failed'],
		...['prepare abc', 'write abc', 'prepare def'],
	]);
});

test('a batch with a replayed letter is made only when the one before has its rows', async t => {
	const store = await drainOf(t, [...'abcdefghijkl'], 'e');
	await until(t, store, ['prepare abc', 'write abc']);
	store.finish();
	await until(t, store, [
		'prepare abc',
		'write abc',
		'written abc',
		'prepare def',
		'write def',
		'prepare ghi',
	]);
});

test('what makes no whole batch waits for more to come', async t => {
	const store = await drainOf(t, [...'abcd']);
	await until(t, store, ['prepare abc', 'write abc']);
	store.finish();
	await until(t, store, ['prepare abc', 'write abc', 'written abc', 'prepare d', 'write d']);
});
