import {randomUUID} from 'node:crypto';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import {createWarehouse, type WarehouseOptions} from '../../src/warehouse/clickhouse.ts';
import {
	type EmbeddedClickHouse,
	startEmbeddedClickHouse,
} from '../../src/warehouse/embedded/embedded-clickhouse.ts';
import {migrate} from '../../src/warehouse/migrate.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import {cutInTwo, followedOnShards} from './shards.ts';
import {copyTemplate} from './templates.ts';

export interface TestWarehouse extends WarehouseOptions {
	readonly warehouse: Warehouse;
	/** The child process behind it; undefined when the tests run against a server. */
	readonly embedded: EmbeddedClickHouse | undefined;
	readonly stop: () => Promise<void>;
}

/** Where a server for the contract cases is, if anyone said so: tests run on the embedded engine otherwise. */
const SERVER_URL = process.env.TEST_CLICKHOUSE_URL;

/**
 * A migrated warehouse in a directory of its own (a database of its own on `TEST_CLICKHOUSE_URL`).
 * Removed when the test ends; `t` may be a hook's only if the caller stops it (`startSharedWarehouse`).
 */
export async function startTestWarehouse(t: ExecutionContext<unknown>): Promise<TestWarehouse> {
	const started = await startSharedWarehouse();
	t.teardown(started.stop);
	return started;
}

/**
 * The same for a whole file: start it in `test.before`, call `stop` in `test.after.always`.
 * `TEST_SHARDS=1`: questions that a cluster is asked otherwise are put to two shards in this engine, over the same rows.
 */
export async function startSharedWarehouse(): Promise<TestWarehouse> {
	const started = await (SERVER_URL ? onServer(SERVER_URL) : embedded());
	if (!process.env.TEST_SHARDS) return started;
	await cutInTwo(started.warehouse, 'fact_rows_v1');
	return {...started, warehouse: followedOnShards(started.warehouse)};
}

async function embedded(): Promise<TestWarehouse> {
	const parent = mkdtempSync(join(tmpdir(), 'millrace-warehouse-'));
	const directory = join(parent, 'clickhouse');
	await copyTemplate('clickhouse', directory);
	const engine = await startEmbeddedClickHouse({dataDir: directory});
	const {url, username, password} = engine;
	const warehouse = createWarehouse({url, username, password, onEngineError: tellIfAsked});
	const stop = async () => {
		await warehouse.close();
		await engine.close();
		rmSync(parent, {recursive: true, force: true, maxRetries: 10});
	};
	try {
		await migrate(warehouse);
	} catch (error) {
		await stop();
		throw error;
	}
	return {warehouse, embedded: engine, url, username, password, stop};
}

async function onServer(serverUrl: string): Promise<TestWarehouse> {
	const {username, password, origin: url} = new URL(serverUrl);
	const database = `millrace_test_${randomUUID().replaceAll('-', '')}`;
	const credentials = username ? {username, password} : {};
	const admin = createWarehouse({url, ...credentials});
	await admin.command(`CREATE DATABASE ${database}`);
	const warehouse = createWarehouse({url, ...credentials, database, onEngineError: tellIfAsked});
	await migrate(warehouse, {...credentials, database});
	const stop = async () => {
		await warehouse.close();
		await admin.command(`DROP DATABASE ${database}`);
		await admin.close();
	};
	return {warehouse, embedded: undefined, url, ...credentials, database, stop};
}

/** `TEST_ENGINE_ERRORS=1` prints what the engine said: errors themselves keep it back. */
function tellIfAsked(name: string, text: string): void {
	if (process.env.TEST_ENGINE_ERRORS) process.stderr.write(`${name}: ${text}\n`);
}
