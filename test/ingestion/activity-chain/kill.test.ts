import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {send, startAnalyzerWorker} from '../../support/analyzer-worker.ts';
import {type LinkedAnalyzer, linkAnalyzer} from '../../support/analyzers.ts';
import {type ServiceProcess, startServiceProcess} from '../../support/process.ts';
import {type Client, clientOf, login} from '../../support/service.ts';

const ROUNDS = 2;
/** Calls of a round before the service is killed. */
const CALLS = 150;
const LISTS = 8;
const A_LIST = 50;

interface Stored {
	readonly number: number;
	readonly analysed?: number;
	readonly processed_by?: string;
	readonly $error_analyzer_id?: string;
}

/** Everything of one person, page by page. */
async function timelineOf(client: Client, datamart: string, person: string): Promise<Stored[]> {
	const all: Stored[] = [];
	for (;;) {
		const path = `${datamart}/user_timelines/user_agent_id=${person}/user_activities`;
		const {body} = await client.get(`${path}?first_result=${all.length}&max_results=500`);
		all.push(...(body.data ?? []));
		if (all.length >= (body.total ?? 0)) return all;
	}
}

async function gauge(url: string, name: string): Promise<number> {
	const text = await (await fetch(`${url}/metrics`)).text();
	return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

test('killed with activities at their analyzers, again and again: each that was answered 200 is stored once, analysed', async t => {
	t.timeout(180_000);
	const dataDir = mkdtempSync(join(tmpdir(), 'millrace-chain-kill-'));
	let calls = 0;
	// Some are answered at once, most are under way when the service dies.
	const worker = await startAnalyzerWorker(({body}, response) => {
		const answer = {...body.activity, analysed: (body.activity.analysed ?? 0) + 1};
		setTimeout(() => send(response, 200, {status: 'ok', data: answer}), (calls++ % 10) * 60);
	});
	const environment = {PLUGIN_WORKER_ALLOWED_NETWORKS: '127.0.0.0/8'};
	let service: ServiceProcess = await startServiceProcess(dataDir, environment);
	t.teardown(async () => {
		await service.kill('SIGKILL');
		await worker.close();
		rmSync(dataDir, {recursive: true, force: true, maxRetries: 10});
	});
	const token = await login(service.url);
	const whoami = (await clientOf(service.url, token).get('/v1/connected_user')).body.data;
	const [{organisation_id: organisationId, datamarts}] = whoami.workspaces;
	const datamart = `/v1/datamarts/${datamarts[0].id}`;
	const channels = (await clientOf(service.url, token).get(`${datamart}/channels`)).body.data;
	const channelId = String(channels[0].id);
	const analyzers: LinkedAnalyzer[] = [];
	for (let position = 0; position < 2; position++) {
		analyzers.push(
			await linkAnalyzer(clientOf(service.url, token), {organisationId, channelId, url: worker.url}),
		);
	}

	let sent = 0;
	let waitedAtKill = 0;
	for (let round = 0; round < ROUNDS; round++) {
		const client = clientOf(service.url, token);
		const before = worker.requests.length;
		for (let list = 0; list < LISTS; list++) {
			const activities = Array.from({length: A_LIST}, () => ({
				$type: 'SITE_VISIT',
				$ts: 1_700_000_000_000 + sent,
				$site_id: channelId,
				$user_agent_id: 'vec:killed',
				number: sent++,
			}));
			const {status} = await client.post(`${datamart}/user_activities`, activities);
			t.is(status, 200);
		}
		for (const until = Date.now() + 30_000; Date.now() < until; await delay(5)) {
			if (worker.requests.length >= before + CALLS) break;
		}
		waitedAtKill += await gauge(service.url, 'millrace_chain_waiting_activities');
		await service.kill('SIGKILL');
		service = await startServiceProcess(dataDir, environment);
	}
	t.true(
		waitedAtKill > 100,
		`${waitedAtKill} activities were at their analyzers when the service was killed`,
	);

	const client = clientOf(service.url, token);
	for (const until = Date.now() + 60_000; Date.now() < until; await delay(100)) {
		if ((await gauge(service.url, 'millrace_chain_waiting_activities')) === 0) break;
	}
	await client.post(`${datamart}/user_activities?async=false`, {$type: 'MARKER'});
	const stored = await timelineOf(client, datamart, 'vec:killed');
	t.is(stored.length, sent, 'nothing is lost and nothing is there twice');
	t.is(new Set(stored.map(each => each.number)).size, sent);
	t.true(stored.every(each => each.analysed === 2));
	t.true(stored.every(each => each.processed_by === analyzers[1]!.analyzerId));
	t.true(stored.every(each => each.$error_analyzer_id === undefined));
	t.true(worker.requests.length > sent * 2, 'what was under way at a kill was sent to its analyzer again');
	t.log(
		`${sent} accepted, ${waitedAtKill} at their analyzers at ${ROUNDS} kills, ${worker.requests.length} calls`,
	);
	// Orderly too: what it leaves is nothing.
	t.is(await service.kill('SIGTERM'), 0);
});
