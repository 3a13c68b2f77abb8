import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import anyTest, {type TestFn} from 'ava';
import {openDatabase} from '../../src/postgres/database.ts';
import {createWarehouse} from '../../src/warehouse/clickhouse.ts';
import {drainAll, inspectStores} from '../crash/check.ts';
import {Ledger} from '../crash/ledger.ts';
import {Load} from '../crash/load.ts';
import {Random} from '../crash/random.ts';
import {faultsOf} from '../crash/verdict.ts';
import {type ClickHouseFixture, startClickHouseFixture} from '../support/clickhouse-fixture.ts';
import {type PostgresServer, postgresPrograms, startPostgresServer} from '../support/postgres-server.ts';
import {type ServiceProcess, startServiceProcess} from '../support/process.ts';
import {startWire, type Wire} from '../support/proxy.ts';
import {type Client, clientOf, login} from '../support/service.ts';

/** How long a store is away, in seconds; a minute by hand before a release. */
const SECONDS = Number(process.env.OUTAGE_SECONDS ?? 3);
const SECRET_KEY = 'a key for tests of outages, as long as one has to be';
const SEED = 41;

interface World {
	readonly home: string;
	readonly postgres: PostgresServer;
	readonly clickhouse: ClickHouseFixture;
	/** The wires of the first instance; the second one has its own way. */
	readonly toPostgres: Wire;
	readonly toClickHouse: Wire;
	readonly service: ServiceProcess;
	readonly client: Client;
	readonly datamart: string;
	/** Of all outages: the stores are compared with everything that was ever sent. */
	readonly ledger: Ledger;
}

const test = anyTest as TestFn<{world?: World}>;

test.before(async t => {
	t.timeout(120_000);
	const programs = postgresPrograms();
	if (!programs) return;
	const [postgres, clickhouse] = await Promise.all([startPostgresServer(programs), startClickHouseFixture()]);
	const toPostgres = await startWire({port: postgres.port});
	const toClickHouse = await startWire({port: clickhouse.port});
	const home = mkdtempSync(join(tmpdir(), 'millrace-outage-'));
	const service = await startServiceProcess(join(home, 'first'), {
		DATABASE_URL: postgres.url(toPostgres.port),
		CLICKHOUSE_URL: `http://127.0.0.1:${toClickHouse.port}`,
		SECRET_KEY,
		LOG_LEVEL: 'silent',
	});
	const client = clientOf(service.url, await login(service.url));
	const {workspaces} = (await client.get('/v1/connected_user')).body.data;
	const datamart = `/v1/datamarts/${workspaces[0].datamarts[0].id}`;
	const ledger = new Ledger(join(home, 'ledger'));
	t.context.world = {home, postgres, clickhouse, toPostgres, toClickHouse, service, client, datamart, ledger};
});

test.after.always(async t => {
	const {world} = t.context;
	if (!world) return;
	await world.service.kill('SIGKILL');
	await Promise.all([world.toPostgres.close(), world.toClickHouse.close()]);
	await Promise.all([world.postgres.stop(), world.clickhouse.stop()]);
	rmSync(world.home, {recursive: true, force: true, maxRetries: 10});
});

/** A token of the right form that nobody was ever given. */
function unknownToken(): string {
	return `access:${Buffer.from(String(Math.random()).padEnd(40)).toString('base64url').slice(0, 43)}`;
}

async function statusOfUnknown(url: string): Promise<{status: number; retryAfter: string | null}> {
	const {status, headers} = await clientOf(url, unknownToken()).get('/v1/connected_user');
	return {status, retryAfter: headers.get('retry-after')};
}

for (const store of ['toPostgres', 'toClickHouse'] as const) {
	for (const way of ['refuse', 'swallow'] as const) {
		const name = store === 'toPostgres' ? 'PostgreSQL' : 'ClickHouse';
		const what = way === 'refuse' ? 'refuses connections' : 'is behind a network that swallows everything';
		test.serial(`${name} ${what}: activities go on being accepted, and all are there afterwards`, async t => {
			const {world} = t.context;
			if (!world) {
				t.log('SKIPPED: no PostgreSQL server programs on this machine');
				return t.pass();
			}
			t.timeout(120_000 + SECONDS * 5000);
			const {client, datamart, service, ledger} = world;
			const surprises: string[] = [];
			const unanswered: number[][] = [];
			const load = new Load({
				client,
				datamart,
				ledger,
				seed: SEED,
				random: new Random(ledger.sent.size),
				unanswered,
				onUnexpected: each => surprises.push(each),
			});
			await delay(1000);
			t.is((await statusOfUnknown(service.url)).status, 401);

			const before = ledger.acknowledgedCount;
			await world[store][way]();
			const asking = delay(200).then(() => statusOfUnknown(service.url));
			await delay(SECONDS * 1000);
			const {status, retryAfter} = await asking;
			const during = ledger.acknowledgedCount - before;
			await world[store].pass();
			const expected = store === 'toPostgres' ? 503 : 401;
			t.is(status, expected, 'a token that cannot be looked up is not called wrong');
			t.is(retryAfter !== null, status === 503);
			t.true(during > 100, `${during} activities were accepted meanwhile`);

			await delay(1000);
			await load.end();
			t.is(load.answers.get(0), undefined, 'every request was answered');
			t.deepEqual(surprises, []);
			const drainingSince = Date.now();
			await drainAll(client, datamart);
			t.log(`${during} accepted meanwhile; all queryable ${Date.now() - drainingSince} ms after the load`);
			t.is((await statusOfUnknown(service.url)).status, 401);
			t.deepEqual(await inspectedFaults(world), []);
		});
	}
}

/** The stores are asked past the proxies. */
async function inspectedFaults(world: World): Promise<string[]> {
	const warehouse = createWarehouse({url: world.clickhouse.url});
	const database = await openDatabase({url: world.postgres.url()});
	try {
		const datamartId = Number(world.datamart.split('/').at(-1));
		const verdict = await inspectStores(
			{warehouse, database},
			{
				datamartId,
				seed: SEED,
				ledger: world.ledger,
			},
		);
		return faultsOf(verdict);
	} finally {
		await Promise.all([warehouse.close(), database.close()]);
	}
}
