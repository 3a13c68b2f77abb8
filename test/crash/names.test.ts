import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {z} from 'zod';
import {createWarehouse} from '../../src/warehouse/clickhouse.ts';
import {startEmbeddedClickHouse} from '../../src/warehouse/embedded/embedded-clickhouse.ts';
import type {Warehouse, WarehouseQuery} from '../../src/warehouse/warehouse.ts';
import {killIfThere} from '../support/process.ts';
import {Disk} from './disk.ts';

const counted: WarehouseQuery<void, {rows: number}> = {
	name: 'names.counted',
	lane: 'light',
	row: z.object({rows: z.coerce.number()}),
	build: () => ({text: 'SELECT count() AS rows FROM found', params: {}}),
};

async function count(warehouse: Warehouse): Promise<number> {
	for (const until = Date.now() + 20_000; ; await delay(50)) {
		try {
			return (await warehouse.read(counted, undefined)).rows[0]!.rows;
		} catch (error) {
			if (Date.now() > until) throw error;
		}
	}
}

test('rows that an engine was killed with before their name was on disk, and that the next one shows, are not taken by a power cut', async t => {
	const whyNot = Disk.whyNot();
	if (whyNot) {
		t.log(`SKIPPED: ${whyNot}`);
		return t.pass();
	}
	t.timeout(60_000);
	const disk = Disk.make();
	t.teardown(() => disk.remove());
	const dataDir = join(disk.directory, 'clickhouse');
	const engine = await startEmbeddedClickHouse({dataDir});
	t.teardown(() => engine.close());
	const warehouse = createWarehouse(engine);
	t.teardown(() => warehouse.close());
	// Its files are synced, its name is not: what a kill leaves that comes between the two.
	await warehouse.command(
		'CREATE TABLE found (n UInt64) ENGINE = MergeTree ORDER BY n SETTINGS fsync_after_insert = 1',
	);
	await warehouse.command('INSERT INTO found SELECT number FROM numbers(100)');
	const killed = engine.pid!;
	killIfThere(killed);
	while (engine.pid === killed || engine.pid === undefined) await delay(10);
	t.is(await count(warehouse), 100, 'the next engine shows them');

	const shown = engine.pid!;
	await disk.cutUnder([shown]);
	await Promise.all([engine.close(), delay(50).then(() => killIfThere(shown))]);
	await disk.restore();

	const after = await startEmbeddedClickHouse({dataDir});
	t.teardown(() => after.close());
	const stored = createWarehouse(after);
	t.teardown(() => stored.close());
	t.is(await count(stored), 100);
});
