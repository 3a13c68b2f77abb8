import {setTimeout as sleep} from 'node:timers/promises';
import anyTest, {type TestFn} from 'ava';
import type {DomainError} from '../../src/errors.ts';
import {openDatabase} from '../../src/postgres/database.ts';
import {startSharedPostgres, type TestPostgres} from '../support/postgres.ts';

const test = anyTest as TestFn<TestPostgres>;

test.before(async t => {
	t.context = await startSharedPostgres({migrated: false});
});
test.after.always(async t => t.context.stop?.());

test('transactions of several connections stay apart, however they interleave', async t => {
	const postgres = t.context;
	const other = await postgres.connectAgain();
	await postgres.database.run(sql =>
		sql.raw('create table accounts (id int primary key, amount int not null)'),
	);
	await postgres.database.run(sql => sql('accounts').insert([1, 2, 3].map(id => ({id, amount: 1000}))));

	// Money moves back and forth through two pools, a third of the moves is called off, readers look on.
	const sums: number[] = [];
	const moves = Array.from({length: 120}, async (_, i) => {
		const pool = i % 2 ? postgres.database : other;
		const [from, to] = [1 + (i % 3), 1 + ((i + 1) % 3)].sort();
		const move = pool.transaction(async tx => {
			await tx('accounts').where({id: from}).decrement('amount', i);
			if (i % 5 === 0) await sleep(1);
			await tx('accounts').where({id: to}).increment('amount', i);
			if (i % 3 === 0) throw new Error('called off');
		});
		await move.catch(error => t.is((error as Error).message, 'called off'));
	});
	const looks = Array.from({length: 120}, async (_, i) => {
		const pool = i % 2 ? other : postgres.database;
		const [row] = await pool.run(sql => sql('accounts').where('amount', '>', -1e6).sum({total: 'amount'}));
		sums.push(Number(row?.total));
	});
	await Promise.all([...moves, ...looks]);

	t.true(
		sums.every(sum => sum === 3000),
		'a reader saw half a transfer',
	);
	const expected: Record<number, number> = {1: 1000, 2: 1000, 3: 1000};
	for (let i = 0; i < 120; i++) {
		if (i % 3 === 0) continue;
		const [from, to] = [1 + (i % 3), 1 + ((i + 1) % 3)].sort() as [number, number];
		expected[from]! -= i;
		expected[to]! += i;
	}
	const rows: {id: number; amount: number}[] = await other.run(sql => sql('accounts').orderBy('id'));
	t.deepEqual(Object.fromEntries(rows.map(row => [row.id, row.amount])), expected);
});

test('every answer goes to the one who asked, with hundreds of questions under way', async t => {
	const postgres = t.context;
	const other = await postgres.connectAgain();

	const answers = await Promise.all(
		Array.from({length: 600}, async (_, i) => {
			const pool = i % 3 ? postgres.database : other;
			const {rows} = await pool.run(sql =>
				sql.raw('select ?::int as i, repeat(?, ?) as text', [i, String(i % 10), i % 7 ? 10 : 20_000]),
			);
			return rows[0].i === i && rows[0].text === String(i % 10).repeat(i % 7 ? 10 : 20_000);
		}),
	);

	t.true(answers.every(Boolean));
});

test('a failing statement fails for its own caller only', async t => {
	const {database} = t.context;
	const outcomes = await Promise.allSettled(
		Array.from({length: 60}, (_, i) => database.run(sql => sql.raw('select 10 / ?::int as q', [i % 2]))),
	);
	t.deepEqual(
		outcomes.map(({status}) => status),
		outcomes.map((_, i) => (i % 2 ? 'fulfilled' : 'rejected')),
	);
});

test('whole numbers of 64 bits are numbers, and one too large is refused rather than rounded', async t => {
	const {database} = t.context;
	const {rows} = await database.run(sql => sql.raw('select 9007199254740991::bigint as largest'));
	t.is(rows[0].largest, Number.MAX_SAFE_INTEGER);
	await t.throwsAsync(
		database.run(sql => sql.raw('select 9007199254740993::bigint as beyond')),
		{message: /int8 beyond 2\^53/},
	);
});

test('a database that is not there is store_unavailable, not an error of the statement', async t => {
	const database = await openDatabase({url: 'postgres://nobody@127.0.0.1:1/nothing'});
	t.teardown(() => database.close());

	t.is(await database.ping(), false);
	const error = await t.throwsAsync<DomainError>(database.run(sql => sql.raw('select 1')));
	t.is(error?.code, 'store_unavailable');
	t.true((error?.retryAfterSeconds ?? 0) > 0);
});
