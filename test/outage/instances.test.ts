import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {z} from 'zod';
import {openDatabase} from '../../src/postgres/database.ts';
import {createWarehouse} from '../../src/warehouse/clickhouse.ts';
import type {WarehouseQuery} from '../../src/warehouse/warehouse.ts';
import {startClickHouseFixture} from '../support/clickhouse-fixture.ts';
import {postgresPrograms, startPostgresServer} from '../support/postgres-server.ts';
import {startServiceProcess} from '../support/process.ts';
import {clientOf, login} from '../support/service.ts';

const ROUNDS = 12;
const PEOPLE = 40;

/** Of each person of the test: activities, and the user points they stand under. */
const people: WarehouseQuery<void, {person: string; rows: number; points: number}> = {
	name: 'instances.people',
	lane: 'light',
	row: z.object({person: z.string(), rows: z.coerce.number(), points: z.coerce.number()}),
	build: () => ({
		text: `SELECT product_id[1] AS person, count() AS rows,
				uniqExact(dictGetOrDefault('user_point_merges', 'into_user_point_id', user_point_id, user_point_id)) AS points
			FROM fact_rows_v1 WHERE event_type = 'met' GROUP BY person`,
		params: {},
	}),
};

test('two instances that meet the same new identifiers at the same time make one user point of each', async t => {
	t.timeout(180_000);
	const programs = postgresPrograms();
	if (!programs) {
		t.log('SKIPPED: no PostgreSQL server programs on this machine');
		return t.pass();
	}
	const home = mkdtempSync(join(tmpdir(), 'millrace-instances-'));
	t.teardown(() => rmSync(home, {recursive: true, force: true, maxRetries: 10}));
	const [postgres, clickhouse] = await Promise.all([startPostgresServer(programs), startClickHouseFixture()]);
	t.teardown(() => Promise.all([postgres.stop(), clickhouse.stop()]));
	const environment = {
		DATABASE_URL: postgres.url(),
		CLICKHOUSE_URL: clickhouse.url,
		SECRET_KEY: 'a key for tests of two instances, long enough',
		LOG_LEVEL: 'silent',
	};
	// Together: migrations and the first boot are shared as well.
	const services = await Promise.all(
		['one', 'two'].map(name => startServiceProcess(join(home, name), environment)),
	);
	t.teardown(() => Promise.all(services.map(service => service.kill('SIGKILL'))));
	const token = await login(services[0]!.url);
	const clients = services.map(({url}) => clientOf(url, token));
	const {workspaces} = (await clients[0]!.get('/v1/connected_user')).body.data;
	const path = `/v1/datamarts/${workspaces[0].datamarts[0].id}/user_activities?async=false`;

	for (let round = 0; round < ROUNDS; round++) {
		// One side knows a person by agent and account, the other by agent alone: somebody has to merge, or to wait.
		const activities = (withAccount: boolean) =>
			Array.from({length: PEOPLE}, (_, index) => {
				const person = `r${round}p${index}`;
				return {
					$type: 'SITE_VISIT',
					$user_agent_id: `vec:${person}`,
					...(withAccount ? {$user_account_id: `acc-${person}`} : {}),
					$events: [{$event_name: 'met', $properties: {$items: [{$id: person}]}}],
				};
			});
		const answers = await Promise.all(
			clients.map((client, side) => client.post(path, activities(side === round % 2))),
		);
		t.deepEqual(
			answers.map(({status}) => status),
			[200, 200],
		);
	}

	const warehouse = createWarehouse({url: clickhouse.url});
	const database = await openDatabase({url: postgres.url()});
	try {
		const {rows} = await warehouse.read(people, undefined);
		t.is(rows.length, ROUNDS * PEOPLE);
		t.deepEqual(
			rows.filter(({rows, points}) => rows !== 2 || points !== 1),
			[],
		);
		const [stored] = await database.run(sql => sql('user_points').whereNull('merged_into').count());
		t.is(Number(stored?.count), ROUNDS * PEOPLE);
	} finally {
		await Promise.all([warehouse.close(), database.close()]);
	}
	t.deepEqual(await Promise.all(services.map(service => service.kill('SIGTERM'))), [0, 0]);
});
