import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import anyTest, {type ExecutionContext} from 'ava';
import {drainAll} from '../crash/check.ts';
import {startClickHouseFixture} from '../support/clickhouse-fixture.ts';
import {postgresPrograms, startPostgresServer} from '../support/postgres-server.ts';
import {type ServiceProcess, startServiceProcess} from '../support/process.ts';
import {type Client, clientOf, login} from '../support/service.ts';
import {callRaw, type RawAnswer, signatureHeaders, type TestKey} from '../support/signed.ts';

const test = anyTest.serial;
const AGENTS = Array.from({length: 12}, (_, index) => `vec:replay${index}`);

/** Requests as somebody who listened on the wire has them: bytes and headers, to be sent again as they are. */
interface Heard {
	readonly path: string;
	readonly headers: Record<string, string>;
	readonly body: string;
}

interface World {
	readonly client: Client;
	readonly datamart: string;
	readonly heard: readonly Heard[];
}

function newHome(t: ExecutionContext): string {
	const home = mkdtempSync(join(tmpdir(), 'millrace-replay-'));
	t.teardown(() => rmSync(home, {recursive: true, force: true, maxRetries: 10}));
	return home;
}

/** Every second request is a list of two: its person is to have two activities. */
async function listen({url}: ServiceProcess): Promise<World> {
	const client = clientOf(url, await login(url));
	const {id, workspaces} = (await client.get('/v1/connected_user')).body.data;
	const datamart = `/v1/datamarts/${workspaces[0].datamarts[0].id}`;
	const {data} = (
		await client.post(`/v1/users/${id}/message_authentication_keys`, {
			scheme: 'HMAC_SHA256',
			key_id: 'phone',
		})
	).body;
	const key: TestKey = {keyId: 'phone', secretKey: data.secret_key};
	const path = `${datamart}/user_activities`;
	const heard = AGENTS.map((agent, index) => {
		const visit = {$type: 'APP_VISIT', $user_agent_id: agent, $events: [{$event_name: 'open'}]};
		const body = JSON.stringify(index % 2 === 0 ? visit : [visit, visit]);
		return {path, body, headers: signatureHeaders(key, path, body)};
	});
	return {client, datamart, heard};
}

const sendAll = (url: string, heard: readonly Heard[]): Promise<RawAnswer[]> =>
	Promise.all(heard.map(({path, headers, body}) => callRaw(url, 'POST', path, headers, body)));

async function storedOf({client, datamart}: Pick<World, 'client' | 'datamart'>): Promise<number[]> {
	const totals: number[] = [];
	for (const agent of AGENTS) {
		const path = `${datamart}/user_timelines/user_agent_id=${agent}/user_activities`;
		totals.push((await client.get(path)).body.total);
	}
	return totals;
}

const ONCE = AGENTS.map((_, index) => (index % 2 === 0 ? 1 : 2));

test('a signed request that is sent again after a kill, and after a stop, is answered as the first time and stored once', async t => {
	t.timeout(300_000);
	const dataDir = join(newHome(t), 'data');
	let service = await startServiceProcess(dataDir);
	t.teardown(() => service.kill('SIGKILL'));
	const {datamart, heard} = await listen(service);
	const first = await sendAll(service.url, heard);
	t.true(first.every(({status}) => status === 200));
	for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
		await service.kill(signal);
		service = await startServiceProcess(dataDir);
		t.deepEqual(await sendAll(service.url, heard), first, `after ${signal}`);
	}
	const client = clientOf(service.url, await login(service.url));
	await drainAll(client, datamart);
	t.deepEqual(await storedOf({client, datamart}), ONCE);
});

test('a signed request that is sent to two instances, at once and again after both were killed, is stored once', async t => {
	t.timeout(300_000);
	const programs = postgresPrograms();
	if (!programs) {
		t.log('SKIPPED: no PostgreSQL server programs on this machine');
		return t.pass();
	}
	const home = newHome(t);
	const [postgres, clickhouse] = await Promise.all([startPostgresServer(programs), startClickHouseFixture()]);
	t.teardown(() => Promise.all([postgres.stop(), clickhouse.stop()]));
	const start = () =>
		Promise.all(
			['one', 'two'].map(name =>
				startServiceProcess(join(home, name), {
					DATABASE_URL: postgres.url(),
					CLICKHOUSE_URL: clickhouse.url,
					SECRET_KEY: 'a key for tests of two instances, long enough',
					LOG_LEVEL: 'silent',
				}),
			),
		);
	let services = await start();
	t.teardown(() => Promise.all(services.map(service => service.kill('SIGKILL'))));
	const {datamart, heard} = await listen(services[0]!);
	const half = heard.length / 2;
	// One half at once to both; of the other, each instance hears the first time what the other one heard before the kill.
	const both = await Promise.all(services.map(({url}) => sendAll(url, heard.slice(0, half))));
	const early = await sendAll(services[0]!.url, heard.slice(half));
	t.true([...both.flat(), ...early].every(({status}) => status === 200));
	await Promise.all(services.map(service => service.kill('SIGKILL')));

	services = await start();
	const again = await Promise.all(services.map(({url}) => sendAll(url, heard)));
	t.true(again.flat().every(({status}) => status === 200));
	const clients = await Promise.all(services.map(async ({url}) => clientOf(url, await login(url))));
	for (const client of clients) await drainAll(client, datamart);
	t.deepEqual(await storedOf({client: clients[0]!, datamart}), ONCE);
});
