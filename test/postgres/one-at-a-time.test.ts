import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {openDatabase} from '../../src/postgres/database.ts';
import {oneAtATime} from '../../src/postgres/one-at-a-time.ts';
import {postgresPrograms, startPostgresServer} from '../support/postgres-server.ts';

const KEY = 7_219_999;
/** Of a connection, far below what the work takes. */
const SILENCE_MS = 3_500;
const WORK_MS = 8_000;

test('two instances do the same long work one after the other, and who fails lets the other go on', async t => {
	t.timeout(120_000);
	const programs = postgresPrograms();
	if (!programs) {
		t.log('SKIPPED: no PostgreSQL server programs on this machine');
		return t.pass();
	}
	const postgres = await startPostgresServer(programs);
	t.teardown(() => postgres.stop());
	const databases = await Promise.all(
		[1, 2, 3].map(() => openDatabase({url: postgres.url(), silenceMs: SILENCE_MS})),
	);
	t.teardown(() => Promise.all(databases.map(database => database.close())));
	let running = 0;
	let most = 0;
	const done: number[] = [];
	const outcomes = await Promise.allSettled(
		databases.map((database, index) =>
			oneAtATime(database, KEY, async () => {
				running += 1;
				most = Math.max(most, running);
				await delay(index === 2 ? 200 : WORK_MS);
				running -= 1;
				if (index === 2) throw new Error('this one fails');
				done.push(index);
				return index;
			}),
		),
	);
	t.is(most, 1);
	t.deepEqual(
		outcomes.map(({status}) => status),
		['fulfilled', 'fulfilled', 'rejected'],
	);
	t.deepEqual(done.sort(), [0, 1]);
});
