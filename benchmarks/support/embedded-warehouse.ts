import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createWarehouse} from '../../src/warehouse/clickhouse.ts';
import {startEmbeddedClickHouse} from '../../src/warehouse/embedded/embedded-clickhouse.ts';
import {migrate} from '../../src/warehouse/migrate.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';

/** A migrated warehouse on the embedded engine, as the service runs it, in a directory that is removed afterwards. */
export async function withEmbeddedWarehouse<Result>(
	use: (warehouse: Warehouse) => Promise<Result>,
): Promise<Result> {
	const dataDir = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
	const engine = await startEmbeddedClickHouse({dataDir});
	const {url, username, password} = engine;
	const warehouse = createWarehouse({
		url,
		username,
		password,
		onEngineError: (name, text) => process.stderr.write(`${name}: ${text}\n`),
	});
	try {
		await migrate(warehouse);
		return await use(warehouse);
	} finally {
		await warehouse.close();
		await engine.close();
		await rm(dataDir, {recursive: true, force: true});
	}
}
