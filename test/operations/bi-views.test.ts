import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {z} from 'zod';
import {biViews} from '../../src/cli/bi-statements.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import {startTestWarehouse} from '../support/warehouse.ts';

async function rowsOf(
	warehouse: Warehouse,
	text: string,
	params: Readonly<Record<string, string>> = {},
): Promise<readonly Record<string, unknown>[]> {
	const row = z.record(z.string(), z.unknown());
	const query = {name: 'bi.test', lane: 'light' as const, row, build: () => ({text, params})};
	return (await warehouse.read(query, undefined)).rows;
}

const BI_VIEWS = fileURLToPath(new URL('../../src/cli/bi-views.js', import.meta.url));
const COLUMNS = 'datamart_id, user_point_id, position, instance, arrival, received_ms, event_type, money';

test('a BI tool sees the events and members of its datamart, merged and in decimals, and no row of another', async t => {
	const {warehouse, database = 'default'} = await startTestWarehouse(t);
	const at = (day: number) => String(BigInt(Date.UTC(2026, 0, day)) << 22n);
	await warehouse.command(
		`INSERT INTO fact_rows_v1 (${COLUMNS}) VALUES (1, 10, ${at(1)}, 1, 1, 0, 'buy', 123456), (1, 11, ${at(2)}, 1, 2, 0, 'view', 0), (2, 20, ${at(3)}, 1, 3, 0, 'theirs', 1), (1, 0, ${at(4)}, 1, 4, 0, 'nobody', 0)`,
	);
	await warehouse.command('INSERT INTO user_point_merges_v1 VALUES (11, 10, 1)');
	await warehouse.command('SYSTEM RELOAD DICTIONARY user_point_merges');
	const far = 4_000_000_000_000;
	await warehouse.command(
		`INSERT INTO user_segments_v1 (datamart_id, segment_id, user_point_id, expires_ms) VALUES (1, 'vip', 11, ${far}), (1, 'gone', 10, 0), (2, 'theirs', 20, ${far})`,
	);
	const {views} = biViews({datamartId: 1, tables: database, passwordHash: '', withUsers: false});
	// Made again after an update they are the same views.
	for (const statement of [...views, ...views]) await warehouse.command(statement);
	t.teardown(() => warehouse.command('DROP DATABASE IF EXISTS millrace_bi_1').catch(() => undefined));

	t.deepEqual(
		await rowsOf(
			warehouse,
			`SELECT toString(person) AS who, event_type, toString(amount) AS money, toString(toDate(happened_at)) AS day
			FROM millrace_bi_1.events ORDER BY happened_at`,
		),
		[
			{who: '10', event_type: 'buy', money: '12.3456', day: '2026-01-01'},
			{who: '10', event_type: 'view', money: '0', day: '2026-01-02'},
			{who: null, event_type: 'nobody', money: '0', day: '2026-01-04'},
		],
	);
	t.deepEqual(
		await rowsOf(
			warehouse,
			`SELECT event_type FROM millrace_bi_1.events WHERE event_type = 'theirs' OR 1 = 1 ORDER BY 1`,
		),
		[{event_type: 'buy'}, {event_type: 'nobody'}, {event_type: 'view'}],
	);
	t.deepEqual(
		await rowsOf(warehouse, 'SELECT segment_id, toString(person) AS who FROM millrace_bi_1.segment_members'),
		[{segment_id: 'vip', who: '10'}],
	);
});

test('what makes the reader and the views of a server is well formed, and grants the views alone', async t => {
	const {warehouse} = await startTestWarehouse(t);
	const {views, reader} = biViews({
		datamartId: 7,
		tables: 'shop',
		reader: 'looker',
		passwordHash: 'ab'.repeat(32),
	});
	for (const statement of [...views, ...reader]) {
		const [parsed] = await rowsOf(warehouse, 'SELECT formatQuery({statement:String}) AS text', {statement});
		t.truthy(parsed?.text, statement);
	}
	const grants = reader.filter(statement => statement.startsWith('GRANT'));
	t.deepEqual(grants, ['GRANT SELECT ON millrace_bi_7.* TO looker']);
	t.is(views.filter(statement => statement.includes('SQL SECURITY DEFINER')).length, 2);
	t.true(views.join('\n').includes('FROM shop.fact_rows_v1\nWHERE datamart_id = 7'));
});

test('the command prints the statements, tells the password aside, and refuses what is no id or name', t => {
	const run = (...args: string[]) =>
		spawnSync(process.execPath, [BI_VIEWS, ...args], {
			encoding: 'utf8',
			timeout: 60_000,
		});
	const good = run('--datamart', '3');
	t.is(good.status, 0, good.stderr);
	const password = /password of the reader: (\S{32})/.exec(good.stderr)?.[1];
	t.truthy(password);
	t.false(good.stdout.includes(password!));
	t.true(good.stdout.includes('GRANT SELECT ON millrace_bi_3.* TO millrace_bi_3'));
	t.is(run('--datamart', '1; DROP').status, 2);
	t.is(run('--datamart', '1', '--reader', "x' OR").status, 2);
});
