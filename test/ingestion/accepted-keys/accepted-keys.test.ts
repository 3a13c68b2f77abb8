import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {AcceptedKeys, KEY_LIFETIME_MS} from '../../../src/ingestion/accepted-keys/accepted-keys.ts';

const DAY_MS = 86_400_000;
const key = (name: string) => Buffer.from(name.padEnd(16, '.'));

function newDirectory(t: ExecutionContext): string {
	const directory = mkdtempSync(join(tmpdir(), 'millrace-keys-'));
	t.teardown(() => rmSync(directory, {recursive: true, force: true}));
	return directory;
}

test('a key is known for seven days and forgotten after them, over restarts', async t => {
	const directory = newDirectory(t);
	// Anywhere in a period of the index the answer has to be the same.
	for (const shift of [0, 1, 3.5, 6.9]) {
		let now = Date.UTC(2026, 0, 1) + shift * DAY_MS;
		const name = key(`at ${shift}`);
		const first = await AcceptedKeys.open(directory, () => now);
		t.false(first.has([name]));
		await first.remember([name], now);
		t.true(first.has([name]));
		t.true(first.has([key('other'), name]));
		await first.close();

		for (const [days, known] of [
			[1, true],
			[6.99, true],
			[7, false],
			[13, false],
		] as const) {
			now = Date.UTC(2026, 0, 1) + (shift + days) * DAY_MS;
			const again = await AcceptedKeys.open(directory, () => now);
			t.is(again.has([name]), known, `${days} days after ${shift}`);
			await again.close();
		}
	}
	t.is(KEY_LIFETIME_MS, 7 * DAY_MS);
});

test('periods that are over are removed, and the key may come again', async t => {
	const directory = newDirectory(t);
	let now = Date.UTC(2026, 0, 1);
	const first = await AcceptedKeys.open(directory, () => now);
	await first.remember([key('old')], now);
	await first.close();
	now += 30 * DAY_MS;
	const later = await AcceptedKeys.open(directory, () => now);
	t.false(later.has([key('old')]));
	await later.remember([key('old')], now);
	t.true(later.has([key('old')]));
	await later.close();
});

test('a claim stands until it is known whether the activity was kept, and only a kept one is remembered', async t => {
	const keys = await AcceptedKeys.open(newDirectory(t));
	t.teardown(() => keys.close());
	const request = {};
	let tell: (kept: boolean) => void = () => {};
	keys.claim([key('lost')], request, new Promise(resolve => (tell = resolve)));
	t.is(keys.inFlight([key('lost')])?.request, request);
	tell(false);
	await new Promise(resolve => setTimeout(resolve, 10));
	t.is(keys.inFlight([key('lost')]), undefined);
	t.false(keys.has([key('lost')]));

	keys.claim([key('kept')], request, Promise.resolve(true));
	for (let turn = 0; turn < 50; turn++) {
		// At every moment one of the two tells.
		t.true(keys.has([key('kept')]) || keys.inFlight([key('kept')]) !== undefined);
		await new Promise(resolve => setImmediate(resolve));
	}
});

test('while a key cannot be written to the index, the journal is not told to let go of it, and the key stays taken', async t => {
	const keys = await AcceptedKeys.open(newDirectory(t));
	t.teardown(() => keys.close());
	const tooLong = Buffer.alloc(4096, 'k');
	keys.claim([tooLong], {}, Promise.resolve(true));
	keys.claim([key('good')], {}, Promise.resolve(true));
	for (let time = 0; time < 2; time++) {
		await t.throwsAsync(keys.flushed());
		t.not(keys.inFlight([tooLong]), undefined);
	}
	t.true(keys.has([key('good')]));
	t.is(keys.inFlight([key('good')]), undefined);
	const other = await AcceptedKeys.open(newDirectory(t));
	t.teardown(() => other.close());
	other.claim([key('good')], {}, Promise.resolve(true));
	await other.flushed();
	t.true(other.has([key('good')]));
});

test('what the journal still has is put into the index at start, and what is there already stays', async t => {
	const directory = newDirectory(t);
	const now = Date.UTC(2026, 0, 10);
	const before = await AcceptedKeys.open(directory, () => now);
	await before.remember([key('known')], now);
	await before.close();
	const keys = await AcceptedKeys.open(directory, () => now);
	t.teardown(() => keys.close());
	async function* left() {
		yield {keys: [key('known'), key('missed')], receivedMs: now};
		yield {receivedMs: now};
		yield {keys: [key('old')], receivedMs: now - 6 * DAY_MS};
	}
	await keys.rememberAll(left());
	for (const name of ['known', 'missed', 'old']) t.true(keys.has([key(name)]), name);
});
