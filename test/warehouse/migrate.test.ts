import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import anyTest, {type TestFn} from 'ava';
import {z} from 'zod';
import {migrate, SchemaError, statementsOf} from '../../src/warehouse/migrate.ts';
import type {Warehouse, WarehouseQuery} from '../../src/warehouse/warehouse.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

const test = anyTest as TestFn<TestWarehouse>;

test.before(async t => {
	t.context = await startSharedWarehouse();
});
test.after.always(async t => t.context.stop?.());

function folderWith(t: {teardown: (remove: () => void) => void}, files: Record<string, string>): URL {
	const folder = mkdtempSync(join(tmpdir(), 'millrace-schema-'));
	t.teardown(() => rmSync(folder, {recursive: true}));
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
	return pathToFileURL(`${folder}/`);
}

async function numbersOf(warehouse: Warehouse, text: string): Promise<readonly number[]> {
	const row = z.object({n: z.coerce.number()});
	const query: WarehouseQuery<void, {n: number}> = {
		name: 't',
		lane: 'light',
		row,
		build: () => ({text, params: {}}),
	};
	return (await warehouse.read(query, undefined)).rows.map(found => found.n);
}

test("the release's own schema is applied once: a second start finds nothing to do", async t => {
	t.deepEqual(await migrate(t.context.warehouse), []);
});

test('the merge dictionary answers with the latest survivor, and 0 for a user point never merged', async t => {
	const {warehouse} = t.context;
	await warehouse.write({
		table: 'user_point_merges_v1',
		columns: ['user_point_id', 'into_user_point_id', 'merge_sequence'],
		rows: 3,
		payload: Buffer.from('18446744073709551615\t2\t1\n3\t4\t2\n3\t5\t3\n'),
	});
	await warehouse.command('SYSTEM RELOAD DICTIONARY user_point_merges');
	const look = (id: string) => `dictGet('user_point_merges', 'into_user_point_id', toUInt64('${id}'))`;
	t.deepEqual(
		await numbersOf(
			warehouse,
			`SELECT arrayJoin([${look('18446744073709551615')}, ${look('3')}, ${look('77')}]) AS n`,
		),
		[2, 5, 0],
	);
});

test('two instances that start together both end with the schema, whole', async t => {
	const {warehouse} = t.context;
	const folder = folderWith(t, {
		'101_pair.sql':
			'CREATE TABLE IF NOT EXISTS pair_one (a UInt8) ENGINE = MergeTree ORDER BY a\n;\n-- second\nCREATE TABLE IF NOT EXISTS pair_two (a UInt8) ENGINE = MergeTree ORDER BY a\n',
		'102_third.sql': 'CREATE TABLE IF NOT EXISTS third (a UInt8) ENGINE = MergeTree ORDER BY a',
		'README.md': 'not a migration',
	});
	await Promise.all([migrate(warehouse, {folder}), migrate(warehouse, {folder})]);
	const there = "SELECT count() AS n FROM system.tables WHERE name IN ('pair_one', 'pair_two', 'third')";
	t.deepEqual(await numbersOf(warehouse, there), [3]);
	t.deepEqual(await migrate(warehouse, {folder}), []);
});

test('a released file that was edited is refused by its name, and nothing is applied', async t => {
	const {warehouse} = t.context;
	const create = (name: string) =>
		`CREATE TABLE IF NOT EXISTS ${name} (a UInt8) ENGINE = MergeTree ORDER BY a`;
	await migrate(warehouse, {folder: folderWith(t, {'201_kept.sql': create('kept')})});
	const edited = folderWith(t, {
		'200_new.sql': create('never'),
		'201_kept.sql': `${create('kept')} -- edited`,
	});

	await t.throwsAsync(migrate(warehouse, {folder: edited}), {
		instanceOf: SchemaError,
		message: /201_kept\.sql/,
	});
	t.deepEqual(await numbersOf(warehouse, "SELECT count() AS n FROM system.tables WHERE name = 'never'"), [0]);
});

test('a table that is recorded but was dropped is told at the start, not by the first query', async t => {
	const {warehouse} = t.context;
	const folder = folderWith(t, {
		'301_lost.sql': 'CREATE TABLE IF NOT EXISTS lost (a UInt8) ENGINE = MergeTree ORDER BY a',
	});
	await migrate(warehouse, {folder});
	await warehouse.command('DROP TABLE lost SYNC');
	await t.throwsAsync(migrate(warehouse, {folder}), {
		instanceOf: SchemaError,
		message: /lost does not exist/,
	});
});

test('a file comes apart at the lines that hold only a semicolon', t => {
	t.deepEqual(statementsOf("SELECT ';'\n;\n\nSELECT 2;\n ; \n"), ["SELECT ';'", 'SELECT 2;']);
});
