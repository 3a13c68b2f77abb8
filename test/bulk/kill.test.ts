import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {type ServiceProcess, startServiceProcess} from '../support/process.ts';
import {type Client, clientOf, login} from '../support/service.ts';
import {postValues, valuesWith} from './support/final-values.ts';
import {type DocumentType, ended, execute, imported, lines} from './support/imports.ts';

interface Running {
	readonly client: Client;
	readonly datamartId: string;
	/** Kills it without asking and starts it again on the same directory. */
	restart(): Promise<Running>;
}

async function start(t: ExecutionContext, dataDir: string): Promise<Running> {
	const service: ServiceProcess = await startServiceProcess(dataDir);
	t.teardown(async () => {
		if (service.child.exitCode === null && service.child.signalCode === null) await service.kill('SIGKILL');
	});
	const client = clientOf(service.url, await login(service.url));
	const {workspaces} = (await client.get('/v1/connected_user')).body.data;
	return {
		client,
		datamartId: workspaces[0].datamarts[0].id,
		async restart() {
			await service.kill('SIGKILL');
			return start(t, dataDir);
		},
	};
}

async function fresh(t: ExecutionContext): Promise<Running> {
	const dataDir = mkdtempSync(join(tmpdir(), 'millrace-bulk-kill-'));
	t.teardown(() => rmSync(dataDir, {recursive: true, force: true, maxRetries: 10}));
	return start(t, dataDir);
}

/** Until the job is in the middle of its lines. */
async function begun({client}: Running, path: string): Promise<void> {
	for (const until = Date.now() + 60_000; ; await delay(2)) {
		const {data} = (await client.get(path)).body;
		if (data.status === 'RUNNING' && data.completed_tasks > 0) return;
		if (!['PENDING', 'RUNNING'].includes(data.status) || Date.now() > until) {
			throw new Error(`it was not met in the middle: ${JSON.stringify(data)}`);
		}
	}
}

/** Posts a file, kills the service in the middle of it, and answers how it ended after the restart. */
async function killedWhile(running: Running, documentType: DocumentType, file: string) {
	const {path, answer} = await execute(running.client, running.datamartId, documentType, file);
	const execution = `${path}/${answer.body.data.id}`;
	await begun(running, execution);
	const again = await running.restart();
	return {again, done: await ended(again.client, execution, 120_000)};
}

const LINES = 16_000;
const PEOPLE = 8;
const agentOf = (index: number) => `vec:kill-${index}`;
const visit = (agent: string) => ({
	$type: 'SITE_VISIT',
	$ts: Date.now(),
	$user_identifiers: [{$type: 'USER_AGENT', $user_agent_id: agent}],
});

test.serial('activities: each line is stored once, and each bad one told of once', async t => {
	const running = await fresh(t);
	const values = Array.from({length: LINES}, (_, index) => visit(agentOf(index % PEOPLE)));
	const file = `${lines(values.slice(0, 8_000))}bad\n${lines(values.slice(8_000))}bad\n`;
	const {again, done} = await killedWhile(running, 'USER_ACTIVITY', file);
	t.like(done, {
		status: 'SUCCEEDED',
		num_tasks: LINES + 2,
		completed_tasks: LINES,
		erroneous_tasks: 2,
		retry_count: 1,
	});
	for (let person = 0; person < PEOPLE; person++) {
		const path = `/v1/datamarts/${again.datamartId}/user_timelines/user_agent_id=${agentOf(person)}/user_activities`;
		t.is((await again.client.get(path)).body.total, LINES / PEOPLE);
	}
	const faults = await again.client.get(
		`/v1/data_file/data?uri=${encodeURIComponent(done.result.error_file_uri)}`,
	);
	t.deepEqual(
		(faults.body as string)
			.trim()
			.split('\n')
			.map(line => JSON.parse(line).line),
		[8_001, LINES + 2],
	);
});

test.serial(
	'associations, segments, deletions: each line is applied once, and the counts are right',
	async t => {
		let running = await fresh(t);
		const people = Array.from({length: LINES}, (_, index) => index);

		const links = people.map(index => ({
			identifiers: [
				{type: 'USER_AGENT', user_agent_id: agentOf(index)},
				{type: 'USER_ACCOUNT', user_account_id: `account-${index}`},
			],
		}));
		const linked = await killedWhile(running, 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS', lines(links));
		t.like(linked.done, {status: 'SUCCEEDED', completed_tasks: LINES, erroneous_tasks: 0, retry_count: 1});
		running = linked.again;
		const identifiersOf = async (index: number) =>
			(
				await running.client.get(
					`/v1/datamarts/${running.datamartId}/user_identifiers/user_account_id=account-${index}`,
				)
			).body;
		for (const index of [0, 7_999, LINES - 1]) t.is((await identifiersOf(index)).data.length, 3);

		const memberships = people.map(index => ({
			operation: 'UPDATE',
			user_agent_id: agentOf(index),
			segment_id: `segment-${index % 3}`,
			expiration_duration: 0,
		}));
		const entered = await killedWhile(running, 'USER_SEGMENT', lines(memberships));
		t.like(entered.done, {status: 'SUCCEEDED', completed_tasks: LINES, erroneous_tasks: 0, retry_count: 1});
		running = entered.again;
		for (const index of [0, 7_999, LINES - 1]) {
			const path = `/v1/datamarts/${running.datamartId}/user_points/user_agent_id=${agentOf(index)}/user_segments`;
			const {data} = (await running.client.get(path)).body;
			t.deepEqual(
				data.map((each: {segment_id: string}) => each.segment_id),
				[`segment-${index % 3}`],
			);
		}

		const deletions = people.map(index => ({type: 'USER_AGENT', user_agent_id: agentOf(index)}));
		const deleted = await killedWhile(
			running,
			'USER_IDENTIFIERS_DELETION',
			lines([...deletions, {type: 'USER_AGENT', user_agent_id: 'vec:nobody'}]),
		);
		t.like(deleted.done, {
			status: 'SUCCEEDED',
			completed_tasks: LINES + 1,
			erroneous_tasks: 0,
			retry_count: 1,
		});
		t.like(deleted.done.result.receipt, {found: LINES, removed: LINES, unknown: 1});
		running = deleted.again;
		for (const index of [0, 7_999, LINES - 1]) {
			const path = `/v1/datamarts/${running.datamartId}/user_identifiers/user_agent_id=${agentOf(index)}`;
			t.is((await running.client.get(path)).status, 404);
			t.is((await identifiersOf(index)).data.length, 2, 'the account and the user point stay');
		}
		const again = await imported(
			running.client,
			running.datamartId,
			'USER_IDENTIFIERS_DELETION',
			lines(deletions.slice(0, 10)),
		);
		t.like(again.result.receipt, {removed: 0, unknown: 10});
	},
);

test.serial('final values: they hold whole after the restart, each once', async t => {
	const running = await fresh(t);
	const {client, datamartId} = running;
	const rows = Array.from({length: 100_000}, (_, index) => `profiles,country,value ${index}\n`).join('');
	const {body} = await postValues(client, datamartId, `level1,level2,final_value\n${rows}`);
	const path = `/v1/datamarts/${datamartId}/reference_table_job_executions/${body.data.id}`;
	await begun(running, path);
	const again = await running.restart();
	const done = await ended(again.client, path, 120_000);
	t.like(done, {status: 'SUCCEEDED', num_tasks: 100_000, completed_tasks: 100_000, retry_count: 1});
	t.deepEqual(await valuesWith(again.client, datamartId, 'value 4242'), [
		'value 4242',
		...Array.from({length: 10}, (_, digit) => `value 4242${digit}`),
	]);
});
