import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {request} from 'node:http';
import {getPriority, tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {z} from 'zod';
import {DomainError} from '../../../src/errors.ts';
import {NICER} from '../../../src/lib/stand-back.ts';
import {createWarehouse} from '../../../src/warehouse/clickhouse.ts';
import {
	type EngineExit,
	startEmbeddedClickHouse,
} from '../../../src/warehouse/embedded/embedded-clickhouse.ts';
import type {Warehouse, WarehouseQuery} from '../../../src/warehouse/warehouse.ts';

const ids: WarehouseQuery<void, {ids: number[]}> = {
	name: 'test.ids',
	lane: 'light',
	row: z.object({ids: z.array(z.coerce.number())}),
	build: () => ({text: 'SELECT arraySort(groupArray(id)) AS ids FROM kept', params: {}}),
};

function directory(t: ExecutionContext): string {
	const path = mkdtempSync(join(tmpdir(), 'millrace-embedded-'));
	t.teardown(() => rmSync(path, {recursive: true, force: true}));
	return path;
}

async function started(t: ExecutionContext, dataDir: string) {
	const engine = await startEmbeddedClickHouse({dataDir});
	const warehouse = createWarehouse(engine);
	t.teardown(async () => {
		await warehouse.close();
		await engine.close();
	});
	return {engine, warehouse};
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

async function until(promise: () => boolean | Promise<boolean>, what: string): Promise<void> {
	for (const end = Date.now() + 20_000; Date.now() < end; await sleep(50)) if (await promise()) return;
	throw new Error(`still waiting for: ${what}`);
}

async function storeUntilItFails(warehouse: Warehouse): Promise<{acknowledged: number[]; error: unknown}> {
	const acknowledged: number[] = [];
	for (let id = 1; ; id++) {
		const block = {table: 'kept', columns: ['id'], rows: 1, payload: Buffer.from(`${id}\n`)};
		try {
			await warehouse.write({...block, deduplicationToken: `kept:${id}`});
			acknowledged.push(id);
		} catch (error) {
			return {acknowledged, error};
		}
	}
}

for (const signal of ['SIGSTOP', 'SIGSEGV'] as const) {
	test.serial(`an engine that answers no more (${signal}) is ended and comes back`, async t => {
		t.timeout(120_000);
		const {engine, warehouse} = await started(t, directory(t));
		const {pid} = engine;
		process.kill(pid!, signal);
		for (const patienceEnds = Date.now() + 60_000; Date.now() < patienceEnds; await sleep(200)) {
			if (engine.pid !== undefined && engine.pid !== pid && (await warehouse.ping())) break;
		}
		t.not(engine.pid, pid);
		t.true(await warehouse.ping());
	});
}

test.serial('an address that is none is refused before anything else, and the engine goes on', async t => {
	const {engine, warehouse} = await started(t, directory(t));
	const {pid} = engine;
	const {port} = new URL(engine.url);
	for (const path of ['//', '//:', '*', '/?query=SELECT%201']) {
		const status = await new Promise<number>((resolve, reject) => {
			const asked = request({host: '127.0.0.1', port, path}, answer =>
				resolve(answer.resume().statusCode ?? 0),
			);
			asked.on('error', reject).end();
		});
		t.is(status, 403, path);
	}
	t.is(engine.pid, pid);
	t.true(await warehouse.ping());
});

test.serial(
	'an engine killed in the middle of writes comes back, with every row it acknowledged',
	async t => {
		const {engine, warehouse} = await started(t, directory(t));
		const exits: EngineExit[] = [];
		engine.onExit(exit => exits.push(exit));
		await warehouse.command(`CREATE TABLE kept (id UInt32) ENGINE = MergeTree ORDER BY id
		SETTINGS non_replicated_deduplication_window = 1000`);

		for (const round of [1, 2]) {
			const {pid, url} = engine;
			await warehouse.command('TRUNCATE TABLE kept');
			const writing = storeUntilItFails(warehouse);
			await sleep(400);
			process.kill(pid!, 'SIGKILL');
			const {acknowledged, error} = await writing;

			t.true(error instanceof DomainError && error.code === 'store_unavailable', String(error));
			t.true(acknowledged.length > 0);
			await until(() => warehouse.ping(), 'the engine to come back');
			t.is(engine.url, url);
			t.not(engine.pid, pid);
			t.is(exits.length, round);
			t.is(exits.at(-1)?.signal, 'SIGKILL');

			const {rows} = await warehouse.read(ids, undefined);
			// The row in flight may or may not be there; its token lets the writer send it again.
			const next = acknowledged.length + 1;
			await warehouse.write({
				table: 'kept',
				columns: ['id'],
				rows: 1,
				payload: Buffer.from(`${next}\n`),
				deduplicationToken: `kept:${next}`,
			});
			t.deepEqual(
				rows[0]!.ids.filter(id => id < next),
				acknowledged,
			);
			t.deepEqual((await warehouse.read(ids, undefined)).rows[0]!.ids, [...acknowledged, next]);
		}
	},
);

test.serial('a second engine on the same directory is refused, and says why', async t => {
	const dataDir = directory(t);
	const {warehouse} = await started(t, dataDir);
	const error = await t.throwsAsync(startEmbeddedClickHouse({dataDir, lockPatienceMs: 300}), {
		instanceOf: DomainError,
		message: /in use by another process/,
	});
	t.true(error?.message.includes(dataDir));
	t.true(await warehouse.ping(), 'the first goes on');
});

test.serial('a directory that cannot be one is told, not waited for', async t => {
	const file = fileURLToPath(import.meta.url);
	await t.throwsAsync(startEmbeddedClickHouse({dataDir: join(file, 'x')}));
});

test.serial('rows are there after the engine was closed and started again, under a new secret', async t => {
	const dataDir = directory(t);
	const first = await startEmbeddedClickHouse({dataDir});
	const before = createWarehouse(first);
	await before.command('CREATE TABLE kept (id UInt32) ENGINE = MergeTree ORDER BY id');
	await before.write({table: 'kept', columns: ['id'], rows: 2, payload: Buffer.from('1\n2\n')});
	await before.close();
	const {pid} = first;
	await first.close();
	t.false(isAlive(pid!));

	const {engine, warehouse} = await started(t, dataDir);
	t.deepEqual((await warehouse.read(ids, undefined)).rows, [{ids: [1, 2]}]);
	t.not(engine.password, first.password);
});

test.serial('closing does not wait for a query that has no end', async t => {
	const engine = await startEmbeddedClickHouse({dataDir: directory(t)});
	const warehouse = createWarehouse(engine);
	const text = 'SELECT count() AS ids FROM numbers_mt(1000000000000) WHERE sipHash64(number) = 7';
	const endless = {...ids, lane: 'heavy' as const, build: () => ({text, params: {}})};
	const reading = t.throwsAsync(warehouse.read(endless, undefined, {deadlineMs: 60_000}), {
		instanceOf: DomainError,
	});
	await sleep(300);
	const {pid} = engine;
	const began = Date.now();
	await engine.close();
	t.true(Date.now() - began < 12_000);
	t.false(isAlive(pid!));
	t.is(((await reading) as DomainError).code, 'store_unavailable');
	await warehouse.close();
});

test.serial('the engine ends when its parent is killed, and its directory is free again', async t => {
	const dataDir = directory(t);
	const script = fileURLToPath(new URL('./parent.js', import.meta.url));
	const parent = spawn(process.execPath, [script, dataDir], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [line] = (await once(createInterface(parent.stdout!), 'line')) as [string];
	const child = JSON.parse(line) as {pid: number; url: string; username: string; password: string};
	t.true(isAlive(child.pid));
	const stranger = createWarehouse(child);
	t.true(await stranger.ping());
	await stranger.close();

	parent.kill('SIGKILL');
	await until(() => !isAlive(child.pid), 'the child to end');
	const {warehouse} = await started(t, dataDir);
	t.true(await warehouse.ping());
});

test.serial('a request without the secret of this start is refused', async t => {
	const {engine} = await started(t, directory(t));
	for (const authorization of ['', 'Basic', `Basic ${Buffer.from('default:').toString('base64')}`]) {
		const response = await fetch(`${engine.url}/?query=SELECT%201`, {headers: {authorization}});
		t.is(response.status, 403);
		t.is(response.headers.get('x-clickhouse-exception-code'), '516');
	}
	t.is(await (await fetch(`${engine.url}/ping`)).text(), 'Ok.\n');
});

test('the engine stands back behind whoever started it, however nice that is itself', async t => {
	const {engine} = await started(t, directory(t));
	const wanted = process.platform === 'linux' ? Math.min(getPriority() + NICER, 19) : getPriority();
	t.is(getPriority(engine.pid!), wanted);
});
