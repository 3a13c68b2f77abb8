import {
	appendFileSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {
	Journal,
	type JournalOptions,
	type NewRecord,
	TIE_VALUES,
} from '../../../src/ingestion/journal/journal.ts';
import {readSlice} from '../../../src/ingestion/journal/reader.ts';
import {listSegments, segmentFile} from '../../../src/ingestion/journal/segments.ts';

function newDirectory(t: ExecutionContext): string {
	const directory = mkdtempSync(join(tmpdir(), 'millrace-journal-'));
	t.teardown(() => rmSync(directory, {recursive: true, force: true}));
	return directory;
}

function record(body: string, rows = 1): NewRecord {
	return {
		datamartId: 7,
		defaultCompartmentId: 70,
		receivedMs: 1_700_000_000_123,
		rows,
		userAgent: 'Mozilla/é',
		body: Buffer.from(body),
	};
}

const openJournal = (directory: string, options: Partial<JournalOptions> = {}) =>
	Journal.open({directory, nextArrival: 1, ...options});

const START = {segment: 1, offset: 0};

async function bodies(journal: Journal): Promise<string[]> {
	const found: string[] = [];
	let from = START;
	for (;;) {
		const slice = await readSlice(journal.directory, from, journal.durable, 1024);
		if (slice.records.length === 0 && slice.end.segment === from.segment) return found;
		found.push(...slice.records.map(({body}) => body.toString()));
		from = slice.end;
	}
}

test('what was appended is read back whole and in order, after a restart too', async t => {
	const directory = newDirectory(t);
	const journal = await openJournal(directory);
	const arrivals = await Promise.all(['a', 'b', 'ü😀'].map(body => journal.append([record(body, 3)])));
	t.deepEqual(arrivals.flat(), [1, 4, 7]);
	await journal.close();

	const again = await openJournal(directory);
	t.teardown(() => again.close());
	t.deepEqual(await bodies(again), ['a', 'b', 'ü😀']);
	const slice = await readSlice(directory, START, again.durable, 1e6);
	t.deepEqual({...slice.records[2], body: undefined}, {...record('ü😀', 3), arrival: 7, body: undefined});
	t.deepEqual(await again.append([record('d')]), [10]);
});

test('a record that a crash left half written is cut off, and the ones before it stay', async t => {
	const directory = newDirectory(t);
	const journal = await openJournal(directory);
	await journal.append([record('first')]);
	const whole = statSync(segmentFile(directory, 1)).size;
	await journal.append([record('second, torn by the crash')]);
	await journal.close();
	for (const cut of [whole + 1, whole + 9, statSync(segmentFile(directory, 1)).size - 1]) {
		truncateSync(segmentFile(directory, 1), cut);
		const again = await openJournal(directory);
		t.deepEqual(await bodies(again), ['first'], `cut at ${cut}`);
		await again.append([record('second, torn by the crash')]);
		await again.close();
	}
});

test('garbage at the end, even of a sound length, is no record', async t => {
	const directory = newDirectory(t);
	const journal = await openJournal(directory);
	await journal.append([record('good')]);
	await journal.close();
	const bytes = readFileSync(segmentFile(directory, 1));
	const forged = Buffer.from(bytes);
	forged[forged.length - 1]! ^= 1;
	appendFileSync(segmentFile(directory, 1), forged);
	const again = await openJournal(directory);
	t.teardown(() => again.close());
	t.deepEqual(await bodies(again), ['good']);
	t.is(statSync(segmentFile(directory, 1)).size, bytes.length);
});

test('damage before the end is told of, not skipped', async t => {
	const directory = newDirectory(t);
	const journal = await openJournal(directory, {segmentBytes: 10});
	await journal.append([record('in a closed segment')]);
	await journal.append([record('in the next one')]);
	const bytes = readFileSync(segmentFile(directory, 1));
	bytes[20]! ^= 1;
	writeFileSync(segmentFile(directory, 1), bytes);
	await t.throwsAsync(bodies(journal), {message: /segment 1 is damaged at byte 0/});
	await journal.close();
});

test('a tail that is cut is told of, and damage in what the stores have already stops the start', async t => {
	const directory = newDirectory(t);
	const journal = await openJournal(directory);
	await journal.append([record('first')]);
	await journal.append([record('second')]);
	const {durable} = journal;
	await journal.close();
	appendFileSync(segmentFile(directory, 1), 'half a frame');
	const cuts: unknown[] = [];
	const again = await openJournal(directory, {confirmed: durable, onCut: cut => cuts.push(cut)});
	t.deepEqual(cuts, [{segment: 1, offset: durable.offset, bytes: 12}]);
	await again.close();

	const bytes = readFileSync(segmentFile(directory, 1));
	bytes[bytes.length - 1]! ^= 1;
	writeFileSync(segmentFile(directory, 1), bytes);
	await t.throwsAsync(openJournal(directory, {confirmed: durable}), {
		message: /segment 1 is damaged at byte \d+, before/,
	});
	t.is(readFileSync(segmentFile(directory, 1)).length, bytes.length, 'nothing was cut');
});

test('segments are closed when they are long, read across, and removed once released', async t => {
	const directory = newDirectory(t);
	const journal = await openJournal(directory, {segmentBytes: 200});
	const texts = Array.from({length: 20}, (_, index) => `record ${index} ${'x'.repeat(50)}`);
	for (const text of texts) await journal.append([record(text)]);
	t.true((await listSegments(directory)).length > 3);
	t.deepEqual(await bodies(journal), texts);
	const before = journal.bytes;
	await journal.release({segment: 3, offset: 0});
	t.is((await listSegments(directory))[0], 3);
	t.true(journal.bytes < before);
	await journal.close();
	const again = await openJournal(directory, {segmentBytes: 200});
	t.deepEqual(await again.append([record('next')]), [21]);
	await again.close();
});

test('released segments whose names a power cut brought back are passed over, and removed', async t => {
	const directory = newDirectory(t);
	const journal = await openJournal(directory, {segmentBytes: 10});
	for (const body of ['one', 'two', 'three', 'four', 'five']) await journal.append([record(body)]);
	const first = readFileSync(segmentFile(directory, 1));
	await journal.release({segment: 4, offset: 0});
	await journal.close();
	t.deepEqual(await listSegments(directory), [4, 5]);
	writeFileSync(segmentFile(directory, 1), first);
	const again = await openJournal(directory, {segmentBytes: 10, confirmed: {segment: 4, offset: 0}});
	t.teardown(() => again.close());
	t.deepEqual(again.oldest, {segment: 4, offset: 0});
	t.deepEqual(await listSegments(directory), [4, 5]);
	t.deepEqual(await again.append([record('six')]), [6]);
});

test('a segment that is missing before the stores have it stops the start: nobody is answered into a journal that nobody drains', async t => {
	const directory = newDirectory(t);
	const journal = await openJournal(directory, {segmentBytes: 10});
	for (const body of ['one', 'two', 'three']) await journal.append([record(body)]);
	await journal.close();
	const missing = {message: /journal segment \d is missing/};
	rmSync(segmentFile(directory, 2));
	await t.throwsAsync(openJournal(directory, {confirmed: {segment: 1, offset: 0}}), missing);
	t.deepEqual(await listSegments(directory), [1, 3], 'nothing was removed');
	rmSync(segmentFile(directory, 1));
	rmSync(segmentFile(directory, 3));
	await t.throwsAsync(openJournal(directory, {confirmed: {segment: 3, offset: 20}}), missing);
});

test('an activity never straddles the wrap of the tie-break, so its events stay in order', async t => {
	const journal = await openJournal(newDirectory(t), {nextArrival: TIE_VALUES - 2});
	t.teardown(() => journal.close());
	t.deepEqual(await journal.append([record('fits', 2), record('would straddle', 2)]), [
		TIE_VALUES - 2,
		TIE_VALUES,
	]);
	const other = await openJournal(newDirectory(t), {nextArrival: TIE_VALUES - 2});
	t.teardown(() => other.close());
	t.deepEqual(await other.append([record('would straddle', 3)]), [TIE_VALUES]);
});

test('a full journal refuses with journal_full and keeps what it has', async t => {
	const journal = await openJournal(newDirectory(t), {maxBytes: 100});
	t.teardown(() => journal.close());
	await journal.append([record('x'.repeat(100))]);
	t.like(
		t.throws(() => void journal.append([record('one more')])),
		{code: 'journal_full', retryAfterSeconds: 10},
	);
	t.is((await bodies(journal)).length, 1);
	await journal.release(journal.durable);
	await journal.append([record('drained, it takes more')]);
	t.is((await bodies(journal)).length, 2);
});

test('a full journal is full after a restart, and a drained one is not', async t => {
	const directory = newDirectory(t);
	const journal = await openJournal(directory, {maxBytes: 100});
	await journal.append([record('x'.repeat(100))]);
	const {durable} = journal;
	await journal.close();
	const full = await openJournal(directory, {maxBytes: 100, confirmed: START});
	t.throws(() => void full.append([record('one more')]), {message: /disk bound/});
	await full.close();
	const drained = await openJournal(directory, {maxBytes: 100, confirmed: durable});
	await drained.append([record('one more')]);
	await drained.close();
});

test('many waiting appends share one commit', async t => {
	const journal = await openJournal(newDirectory(t));
	t.teardown(() => journal.close());
	let commits = 0;
	journal.onDurable(() => commits++);
	await Promise.all(Array.from({length: 500}, (_, index) => journal.append([record(`r${index}`)])));
	t.true(commits < 20, `${commits} commits for 500 records`);
	t.is((await bodies(journal)).length, 500);
});
