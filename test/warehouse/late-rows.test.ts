import {copyFileSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {z} from 'zod';
import {DomainError} from '../../src/errors.ts';
import {projectFile} from '../../src/lib/project.ts';
import {createWarehouse} from '../../src/warehouse/clickhouse.ts';
import {startEmbeddedClickHouse} from '../../src/warehouse/embedded/embedded-clickhouse.ts';
import {migrate} from '../../src/warehouse/migrate.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';

const SCHEMA = projectFile('sql/clickhouse/schema/');
const RECEIVED_MS = Date.UTC(2026, 10, 20);
const TABLES = ['fact_rows_v1', 'activities_v1'] as const;

function newFolder(t: ExecutionContext, name: string): string {
	const folder = mkdtempSync(join(tmpdir(), `millrace-${name}-`));
	t.teardown(() => rmSync(folder, {recursive: true, force: true}));
	return folder;
}

async function emptyWarehouse(t: ExecutionContext): Promise<Warehouse> {
	const engine = await startEmbeddedClickHouse({dataDir: newFolder(t, 'late')});
	const warehouse = createWarehouse(engine);
	t.teardown(async () => {
		await warehouse.close();
		await engine.close();
	});
	return warehouse;
}

async function ask<Row>(warehouse: Warehouse, text: string, row: z.ZodType<Row>): Promise<readonly Row[]> {
	const query = {name: 'late.ask', lane: 'light', row, build: () => ({text, params: {}})} as const;
	return (await warehouse.read(query, undefined)).rows;
}

/** One row for each of `months` months before the receipt, in each of the tables, in one block. */
async function writeMonths(warehouse: Warehouse, months: number, batchId: number): Promise<void> {
	for (const table of TABLES) {
		await warehouse.command(
			`INSERT INTO ${table} (datamart_id, user_point_id, position, instance, arrival, received_ms, batch_id)
			SELECT 1, number % 7, bitShiftLeft(toUInt64(toUnixTimestamp64Milli(
				subtractMonths(fromUnixTimestamp64Milli(toInt64({now:UInt64}), 'UTC'), number))), 22) + number,
				1, {batch:UInt64} + number, {now:UInt64}, {batch:UInt64}
			FROM numbers({months:UInt64})
			SETTINGS max_partitions_per_insert_block = 0, max_threads = 1`,
			{now: RECEIVED_MS, batch: batchId, months},
		);
	}
}

const rowsOf = (warehouse: Warehouse, table: string) =>
	ask(
		warehouse,
		`SELECT toString(position) AS position, toString(batch_id) AS batch FROM ${table} ORDER BY position, batch`,
		z.object({position: z.string(), batch: z.string()}),
	);

const partitionsOf = async (warehouse: Warehouse, table: string) =>
	(
		await ask(
			warehouse,
			`SELECT DISTINCT partition FROM system.parts WHERE table = '${table}' AND active ORDER BY partition`,
			z.object({partition: z.string()}),
		)
	).map(({partition}) => partition);

test('a batch of times over 26 years makes a part for each late year, and months where rows are young', async t => {
	const warehouse = await emptyWarehouse(t);
	await migrate(warehouse);
	await writeMonths(warehouse, 312, 1);
	for (const table of TABLES) {
		const partitions = await partitionsOf(warehouse, table);
		t.true(partitions.length <= 62, `${partitions.length} partitions of ${table}`);
		// 1,100 days before 20 November 2026: 16 November 2023.
		for (const year of ['200000', '202200', '202300', '202311', '202312', '202611'])
			t.true(partitions.includes(year), year);
		for (const month of ['200011', '202212', '202310']) t.false(partitions.includes(month), month);
		t.is((await rowsOf(warehouse, table)).length, 312);
	}
});

/** Killed once before and once behind every statement that changes something. */
function killedEverywhere(warehouse: Warehouse): {warehouse: Warehouse; kills: () => number} {
	const done = new Set<string>();
	const killOnce = (when: string) => {
		if (done.has(when)) return;
		done.add(when);
		throw new DomainError('store_unavailable', 'killed');
	};
	const killed: Warehouse = {
		...warehouse,
		async command(statement, params) {
			const name = `${statement} ${JSON.stringify(params)}`;
			killOnce(`before ${name}`);
			await warehouse.command(statement, params);
			killOnce(`behind ${name}`);
		},
	};
	return {warehouse: killed, kills: () => done.size};
}

test('a store of an earlier release keeps all its rows, wherever its upgrade is killed', async t => {
	t.timeout(120_000);
	const before = newFolder(t, 'schema');
	for (const name of readdirSync(SCHEMA))
		if (name < '011') copyFileSync(fileURLToPath(new URL(name, SCHEMA)), join(before, name));
	const folder = pathToFileURL(`${before}/`);

	const warehouse = await emptyWarehouse(t);
	await migrate(warehouse, {folder});
	await writeMonths(warehouse, 60, 1);
	const expected = await rowsOf(warehouse, 'fact_rows_v1');
	t.is(expected.length, 60);

	const killed = killedEverywhere(warehouse);
	for (let applied = false; !applied; ) {
		applied = await migrate(killed.warehouse).then(
			() => true,
			() => false,
		);
		for (const table of TABLES) t.deepEqual(await rowsOf(warehouse, table), expected, table);
	}
	t.true(killed.kills() > 20, `${killed.kills()} kills`);
	t.deepEqual(await migrate(warehouse), []);
	for (const table of TABLES) {
		t.deepEqual(await rowsOf(warehouse, table), expected);
		t.true((await partitionsOf(warehouse, table)).includes('202200'));
	}
	const left = await ask(
		warehouse,
		"SELECT count() AS n FROM system.tables WHERE name LIKE '%by_year'",
		z.object({n: z.coerce.number()}),
	);
	t.is(left[0]!.n, 0);
	// What a batch in doubt is looked for by has come along.
	await writeMonths(warehouse, 60, 1);
	t.is((await rowsOf(warehouse, 'fact_rows_v1')).length, 120);
});
