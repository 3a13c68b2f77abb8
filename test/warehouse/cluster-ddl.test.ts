import {readdirSync, readFileSync} from 'node:fs';
import anyTest, {type TestFn} from 'ava';
import {z} from 'zod';
import {projectFile} from '../../src/lib/project.ts';
import {clusterStatements} from '../../src/warehouse/cluster-ddl.ts';
import {EVERYWHERE, PASSING, SHARDED_BY} from '../../src/warehouse/cluster-tables.ts';
import {statementsOf} from '../../src/warehouse/migrate.ts';
import type {WarehouseQuery} from '../../src/warehouse/warehouse.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

const test = anyTest as TestFn<TestWarehouse>;
const CLUSTER = {name: 'two_by_two', database: 'millrace'};
const SCHEMA = projectFile('sql/clickhouse/schema/');

test.before(async t => {
	t.context = await startSharedWarehouse();
});
test.after.always(async t => t.context.stop?.());

const MIGRATIONS = readdirSync(SCHEMA)
	.filter(name => name.endsWith('.sql'))
	.flatMap(name => statementsOf(readFileSync(new URL(name, SCHEMA), 'utf8')));

/** What the service sends beside its schema. */
const COMMANDS = [
	'SYSTEM RELOAD DICTIONARY user_point_merges',
	'DROP TABLE IF EXISTS twin_of_facts SYNC',
	'CREATE TABLE twin_of_facts AS fact_rows_v1',
	`DELETE FROM activities_v1 WHERE batch_id = {batchId:UInt64}
				AND has(arrayZip({arrivals:Array(UInt64)}, {instances:Array(UInt16)}), (arrival, instance))`,
	'ALTER TABLE final_values_v1 DELETE WHERE datamart_id = {datamartId:UInt32} AND execution_id != {id:UInt64}',
	'TRUNCATE TABLE dimension_values_v1',
	'INSERT INTO schema_migrations (name, checksum) SELECT {name:String}, {checksum:String}',
];

const FORMATTED: WarehouseQuery<string, {text: string}> = {
	name: 'test.formatted',
	lane: 'light',
	row: z.object({text: z.string()}),
	build: statement => ({
		text: 'SELECT formatQuerySingleLine({statement:String}) AS text',
		params: {statement},
	}),
};

test("ClickHouse's own parser takes every statement of the schema and of the service as written for a cluster", async t => {
	const statements = [...MIGRATIONS, ...COMMANDS].flatMap(each => clusterStatements(each, CLUSTER));
	t.true(statements.length > MIGRATIONS.length);
	for (const statement of statements) {
		const {rows} = await t.context.warehouse.read(FORMATTED, statement);
		t.truthy(rows[0]?.text, statement);
	}
	await t.throwsAsync(t.context.warehouse.read(FORMATTED, 'CREATE TABLE x ON CLUSTER (a UInt8)'));
});

test('what makes, changes or drops a lasting table does so on every server', async t => {
	for (const statement of MIGRATIONS.flatMap(each => clusterStatements(each, CLUSTER))) {
		const {rows} = await t.context.warehouse.read(FORMATTED, statement);
		t.regex(rows[0]!.text, /ON CLUSTER two_by_two/, statement);
	}
});

test('each table of the schema is told where its rows lie, and is replicated by a path of its own', t => {
	const made = MIGRATIONS.flatMap(each => /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/m.exec(each)?.[1] ?? []);
	const known = new Set([...Object.keys(SHARDED_BY), ...EVERYWHERE, ...PASSING]);
	t.deepEqual(
		made.filter(name => !known.has(name)),
		[],
	);
	const paths = MIGRATIONS.flatMap(each => clusterStatements(each, CLUSTER)).flatMap(
		each => /ENGINE = Replicated\w+\('([^']+)'/.exec(each)?.[1] ?? [],
	);
	t.is(paths.length, made.length);
	t.is(new Set(paths).size, made.length);
});

test('people are sharded by their number, and what every shard looks into is whole on each', t => {
	const [facts, distributed] = clusterStatements(MIGRATIONS[0]!, CLUSTER);
	t.regex(facts!, /^CREATE TABLE IF NOT EXISTS millrace\.fact_rows_v1_local ON CLUSTER `two_by_two` \(/);
	t.regex(
		facts!,
		/ENGINE = ReplicatedMergeTree\('\/clickhouse\/tables\/millrace\/\{shard\}\/fact_rows_v1', '\{replica\}'\)/,
	);
	t.regex(facts!, /\breplicated_deduplication_window = 1000/);
	t.notRegex(facts!, /non_replicated/);
	t.regex(
		distributed!,
		/Distributed\('two_by_two', 'millrace', 'fact_rows_v1_local', intHash64\(if\(user_point_id = 0, arrival, user_point_id\)\)\)/,
	);

	const merges = MIGRATIONS.find(each => each.includes('TABLE IF NOT EXISTS user_point_merges_v1'))!;
	const everywhere = clusterStatements(merges, CLUSTER);
	t.is(everywhere.length, 1);
	t.regex(
		everywhere[0]!,
		/ReplicatedReplacingMergeTree\('\/clickhouse\/tables\/millrace\/everywhere\/user_point_merges_v1', '\{shard\}-\{replica\}', merge_sequence\)/,
	);
});

test('a table to try rows on never leads to the real one', t => {
	t.deepEqual(clusterStatements('CREATE TABLE twin AS fact_rows_v1', CLUSTER), [
		'CREATE TABLE twin AS millrace.fact_rows_v1_local ENGINE = MergeTree ORDER BY tuple()',
	]);
});

test('merges are on every server before any reads its dictionary again', t => {
	t.deepEqual(clusterStatements('SYSTEM RELOAD DICTIONARY user_point_merges', CLUSTER), [
		'SYSTEM SYNC REPLICA ON CLUSTER `two_by_two` millrace.user_point_merges_v1',
		'SYSTEM SYNC REPLICA ON CLUSTER `two_by_two` millrace.user_point_merge_history_v1',
		'SYSTEM RELOAD DICTIONARY ON CLUSTER `two_by_two` millrace.merged_people',
		'SYSTEM RELOAD DICTIONARY ON CLUSTER `two_by_two` millrace.user_point_merges',
	]);
});

test('a table nobody said how to shard, and a statement without a rule, are refused', t => {
	const create = 'CREATE TABLE IF NOT EXISTS new_v1 (a UInt8) ENGINE = MergeTree ORDER BY a';
	t.throws(() => clusterStatements(create, CLUSTER), {message: /new_v1 is in no list/});
	t.throws(() => clusterStatements('OPTIMIZE TABLE fact_rows_v1 FINAL', CLUSTER), {message: /no rule/});
	t.throws(() => clusterStatements(COMMANDS[0]!, {...CLUSTER, name: 'x` y'}), {message: /not a name/});
});
