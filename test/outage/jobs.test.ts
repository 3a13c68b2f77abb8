import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {openDatabase} from '../../src/postgres/database.ts';
import {ended, execute, imported, lines} from '../bulk/support/imports.ts';
import {startClickHouseFixture} from '../support/clickhouse-fixture.ts';
import {postgresPrograms, startPostgresServer} from '../support/postgres-server.ts';
import {startServiceProcess} from '../support/process.ts';
import {startTestBucket} from '../support/s3.ts';
import {clientOf, login} from '../support/service.ts';

const LINES = 60_000;
const KNOWN = 600;
const agentOf = (index: number) => ({type: 'USER_AGENT', user_agent_id: `vec:taken-over-${index}`});

test('a job whose instance is killed is taken over by the other one when its lease ends, and each line is done once', async t => {
	t.timeout(300_000);
	const programs = postgresPrograms();
	if (!programs) {
		t.log('SKIPPED: no PostgreSQL server programs on this machine');
		return t.pass();
	}
	const home = mkdtempSync(join(tmpdir(), 'millrace-jobs-'));
	t.teardown(() => rmSync(home, {recursive: true, force: true, maxRetries: 10}));
	const bucket = await startTestBucket(t);
	const [postgres, clickhouse] = await Promise.all([startPostgresServer(programs), startClickHouseFixture()]);
	t.teardown(() => Promise.all([postgres.stop(), clickhouse.stop()]));
	const environment = {
		DATABASE_URL: postgres.url(),
		CLICKHOUSE_URL: clickhouse.url,
		SECRET_KEY: 'a key for tests of two instances, long enough',
		LOG_LEVEL: 'silent',
		S3_BUCKET: 'acme',
		S3_ENDPOINT: bucket.url,
		S3_REGION: 'eu-west-1',
		S3_ACCESS_KEY_ID: 'test',
		S3_SECRET_ACCESS_KEY: 'test',
	};
	const start = async (name: string) => {
		const service = await startServiceProcess(join(home, name), environment);
		t.teardown(() => service.kill('SIGKILL'));
		return {...service, client: clientOf(service.url, await login(service.url))};
	};
	// In turn: their numbers are 1 and 2.
	const services = [await start('one'), await start('two')] as const;
	const {workspaces} = (await services[0].client.get('/v1/connected_user')).body.data;
	const datamartId: string = workspaces[0].datamarts[0].id;
	const database = await openDatabase({url: postgres.url(), poolSize: 1});
	t.teardown(() => database.close());

	const known = Array.from({length: KNOWN}, (_, index) => ({
		identifiers: [agentOf(index * (LINES / KNOWN))],
	}));
	await imported(services[1].client, datamartId, 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS', lines(known));
	const file = lines(Array.from({length: LINES}, (_, index) => agentOf(index)));
	const {path, answer} = await execute(services[0].client, datamartId, 'USER_IDENTIFIERS_DELETION', file);
	t.is(answer.status, 200);
	const {id} = answer.body.data;
	let claimer = 0;
	for (const until = Date.now() + 60_000; claimer === 0; await delay(2)) {
		const job = await database.run(sql => sql('job_executions').where({id}).first());
		if (job.status === 'RUNNING' && job.completed_tasks > 0) claimer = job.claimed_by;
		if (job.end_ts !== null || Date.now() > until) throw new Error(`not met in the middle: ${job.status}`);
	}
	t.true(claimer === 1 || claimer === 2);
	await services[claimer - 1]!.kill('SIGKILL');
	const {client} = services[2 - claimer]!;
	const execution = `${path}/${id}`;
	const running = (await client.get(execution)).body.data;
	t.like(running, {status: 'RUNNING', retry_count: 0}, 'its lease runs');
	t.true(running.completed_tasks > 0 && running.completed_tasks < LINES);

	const done = await ended(client, execution);
	t.like(done, {status: 'SUCCEEDED', completed_tasks: LINES, erroneous_tasks: 0, retry_count: 1});
	t.like(done.result.receipt, {found: KNOWN, removed: KNOWN, unknown: LINES - KNOWN});
	const uri = encodeURIComponent(done.result.receipt.receipt_file_uri);
	const receipt: {line: number; result: string}[] = (await client.get(`/v1/data_file/data?uri=${uri}`)).body
		.trim()
		.split('\n')
		.map((line: string) => JSON.parse(line));
	t.deepEqual(
		receipt.map(({line}) => line),
		Array.from({length: LINES}, (_, index) => index + 1),
	);
	t.is(receipt.filter(({result}) => result === 'removed').length, KNOWN);
	t.like((await client.post(`${execution}/receipt/verification`, agentOf(0))).body.data, {
		was_deleted: true,
		lines: [{line: 1, result: 'removed'}],
		receipt_valid: true,
	});
	t.is(
		(await client.get(`/v1/data_file/data?uri=${encodeURIComponent(done.parameters.file_uri)}`)).status,
		404,
	);
	t.deepEqual(
		[...bucket.objects].filter(([, bytes]) => bytes.includes('vec:taken-over-')).map(([key]) => key),
		[],
		'no object of the bucket names one of them',
	);
});
