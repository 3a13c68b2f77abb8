import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {type ServiceProcess, startServiceProcess} from '../support/process.ts';
import {type Client, clientOf, login} from '../support/service.ts';

const ROUNDS = 4;
const TS = Date.UTC(2024, 4, 1);

async function connect(url: string): Promise<{client: Client; datamart: string}> {
	const client = clientOf(url, await login(url));
	const {workspaces} = (await client.get('/v1/connected_user')).body.data;
	return {client, datamart: `/v1/datamarts/${workspaces[0].datamarts[0].id}`};
}

/** Posts batches of new people until the service dies; answers who was promised and who was sent. */
async function loadUntilKilled(service: ServiceProcess, round: number, killAfterMs: number) {
	const {client, datamart} = await connect(service.url);
	const promised: string[] = [];
	const sent: string[] = [];
	let dead = false;
	const loader = async (lane: number) => {
		for (let batch = 0; !dead; batch++) {
			const people = Array.from(
				{length: 1 + (batch % 40)},
				(_, index) => `vec:r${round}l${lane}b${batch}i${index}`,
			);
			sent.push(...people);
			const body = people.map(agent => ({
				$type: 'SITE_VISIT',
				$ts: TS,
				$user_agent_id: agent,
				$events: [{$event_name: 'promise'}],
			}));
			const answer = await client.post(`${datamart}/user_activities`, body).catch(() => undefined);
			if (answer?.status === 200) promised.push(...people);
			else if (!answer) return;
		}
	};
	const loaders = [loader(0), loader(1), loader(2)];
	await delay(killAfterMs);
	await service.kill('SIGKILL');
	dead = true;
	await Promise.all(loaders);
	return {promised, sent};
}

test('kill -9 during an import, again and again: everything that was answered 200 is there once', async t => {
	const dataDir = mkdtempSync(join(tmpdir(), 'millrace-crash-'));
	t.teardown(() => rmSync(dataDir, {recursive: true, force: true}));
	const promised: string[] = [];
	const sent: string[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const service = await startServiceProcess(dataDir);
		const loaded = await loadUntilKilled(service, round, 150 + round * 170);
		promised.push(...loaded.promised);
		sent.push(...loaded.sent);
	}
	t.true(promised.length > 100, `${promised.length} promises were made`);

	const service = await startServiceProcess(dataDir);
	t.teardown(() => service.kill('SIGKILL'));
	const {client, datamart} = await connect(service.url);
	await client.post(`${datamart}/user_activities?async=false`, {$type: 'SITE_VISIT', $ts: TS});
	const step = {
		name: 'promise',
		filter_clause: {
			operator: 'AND',
			filters: [{dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: ['promise']}],
		},
	};
	const {body} = await client.post(`${datamart}/user_analytics_funnel`, {
		for: [step, step],
		in: {type: 'DATES', start_date: '2024-05-01', end_date: '2024-05-02'},
	});
	const {total, steps} = body.data.global;
	t.true(
		total >= promised.length && total <= sent.length,
		`${promised.length} promised, ${total} there, ${sent.length} sent`,
	);
	t.is(steps[1].count, 0, 'nobody has the same activity twice');
	const missing: string[] = [];
	for (const agent of promised) {
		const timeline = await client.get(`${datamart}/user_timelines/user_agent_id=${agent}/user_activities`);
		if (timeline.body.total !== 1) missing.push(agent);
	}
	t.deepEqual(missing, []);
	t.is(await service.kill('SIGTERM'), 0);
});

test('stop and start again: the same answers, the same login, the same token', async t => {
	const dataDir = mkdtempSync(join(tmpdir(), 'millrace-restart-'));
	t.teardown(() => rmSync(dataDir, {recursive: true, force: true}));
	const first = await startServiceProcess(dataDir);
	const token = await login(first.url);
	const before = clientOf(first.url, token);
	const whoami = (await before.get('/v1/connected_user')).body.data;
	const datamart = `/v1/datamarts/${whoami.workspaces[0].datamarts[0].id}`;
	const people = Array.from({length: 200}, (_, index) => ({
		$type: 'SITE_VISIT',
		$ts: TS + index,
		$user_agent_id: `vec:${index % 50}x`,
		$events: [{$event_name: index % 3 === 0 ? 'view' : 'buy', $properties: {$amount: index / 10}}],
	}));
	t.is((await before.post(`${datamart}/user_activities`, people)).status, 200);
	const ended = first.kill('SIGTERM');
	t.is(await ended, 0);

	const second = await startServiceProcess(dataDir);
	t.teardown(() => second.kill('SIGKILL'));
	const after = clientOf(second.url, token);
	t.deepEqual((await after.get('/v1/connected_user')).body.data, whoami);
	const named = (event: string) => ({
		name: event,
		filter_clause: {
			operator: 'AND',
			filters: [{dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: [event]}],
		},
	});
	const funnel = {
		for: [named('view'), named('buy')],
		in: {type: 'DATES', start_date: '2024-05-01', end_date: '2024-05-02'},
	};
	const answer = (await after.post(`${datamart}/user_analytics_funnel`, funnel)).body.data;
	t.is(answer.global.total, 50);
	await second.kill('SIGTERM');
	const third = await startServiceProcess(dataDir);
	t.teardown(() => third.kill('SIGKILL'));
	t.deepEqual(
		(await clientOf(third.url, token).post(`${datamart}/user_analytics_funnel`, funnel)).body.data,
		answer,
	);
	await third.kill('SIGTERM');
});
