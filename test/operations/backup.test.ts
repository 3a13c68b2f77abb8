import test from 'ava';
import {z} from 'zod';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import {insertFacts} from '../support/facts.ts';
import {fact} from '../support/funnel.ts';
import {startTestWarehouse} from '../support/warehouse.ts';

async function rowOf(warehouse: Warehouse, text: string): Promise<unknown> {
	const build = () => ({text, params: {}});
	return (await warehouse.read({name: 'test.row', lane: 'light', row: z.unknown(), build}, undefined))
		.rows[0];
}

test('a database of ClickHouse is backed up and restored by the statements of the guide, whole', async t => {
	const {warehouse} = await startTestWarehouse(t);
	await insertFacts(warehouse, 1, [fact('view', {user: 5}), fact('buy', {user: 4})]);
	await warehouse.command('INSERT INTO user_point_merges_v1 VALUES (5, 4, 1)');
	// The guide's have a disk, which only a server has; and on a server the database keeps its engine.
	await warehouse.command("BACKUP DATABASE default TO Memory('backup')");
	await warehouse.command('TRUNCATE TABLE fact_rows_v1');
	await warehouse.command(
		"RESTORE DATABASE default AS restored FROM Memory('backup') SETTINGS allow_different_database_def = true",
	);
	t.deepEqual(await rowOf(warehouse, 'SELECT toInt32(count()) AS n FROM restored.fact_rows_v1'), {n: 2});
	const person = "dictGet('restored.user_point_merges', 'into_user_point_id', toUInt64(5))";
	t.deepEqual(await rowOf(warehouse, `SELECT toInt32(${person}) AS person`), {person: 4});
	const tables = (database: string) =>
		`SELECT arraySort(groupArray((name, engine))) AS all FROM system.tables WHERE database = '${database}'`;
	t.deepEqual(await rowOf(warehouse, tables('restored')), await rowOf(warehouse, tables('default')));
});
