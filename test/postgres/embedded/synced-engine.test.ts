import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import test from 'ava';
import {simpleQuery, startupMessage, statusAfter} from '../../../src/postgres/embedded/frames.ts';
import {answerOf, openSynced} from '../../../src/postgres/embedded/synced-engine.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

test('answers are whole, the caller’s own, and nothing of them stays with the engine', async t => {
	const directory = mkdtempSync(join(tmpdir(), 'millrace-engine-'));
	const engine = await openSynced(directory);
	t.teardown(async () => {
		await engine.close();
		rmSync(directory, {recursive: true});
	});
	const question = simpleQuery("SELECT i, repeat('x', 100) FROM generate_series(1, 5000) AS i");
	await answerOf(engine, startupMessage('postgres', 'postgres'));
	// The first one also tells the session's parameters.
	await answerOf(engine, question);
	const first = await answerOf(engine, question);
	const before = Buffer.from(first);
	t.true(first.length > 500_000);
	t.is(statusAfter(first), 'I');
	collect();
	const {heapUsed} = process.memoryUsage();
	for (let time = 0; time < 40; time++) t.is((await answerOf(engine, question)).length, first.length);
	collect();
	// Kept, each of the 200,000 rows would take some hundred bytes.
	t.true(process.memoryUsage().heapUsed - heapUsed < 10_000_000);
	t.deepEqual(Buffer.from(first), before);
});
