import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {type Activity, MillraceClient} from '../../src/client/index.ts';
import {type ServiceProcess, startServiceProcess} from '../support/process.ts';
import {ADMIN} from '../support/service.ts';

const PEOPLE = 1500;
const KILLED_AFTER = 300;

function* visits(): Generator<Activity> {
	const $ts = Date.now() - 60_000;
	for (let person = 0; person < PEOPLE; person++) {
		yield {
			$type: 'SITE_VISIT',
			$ts,
			$user_agent_id: `vec:killed-${person}`,
			$events: [{$event_name: '$page_view', $ts}],
		};
	}
}

test('a service that is killed while activities are sent has each of them once, and the sender notices only a wait', async t => {
	t.timeout(300_000);
	const dataDir = mkdtempSync(join(tmpdir(), 'millrace-killed-'));
	let service: ServiceProcess = await startServiceProcess(dataDir);
	t.teardown(async () => {
		await service.kill('SIGTERM');
		rmSync(dataDir, {recursive: true, force: true, maxRetries: 10});
	});
	const {url} = service;
	const waits: string[] = [];
	const client = await new MillraceClient({
		url,
		maxAttempts: 300,
		maxWaitMs: 1000,
		onRetry: ({reason}) => waits.push(reason),
	}).login(ADMIN);
	const {workspaces} = await client.get('/v1/connected_user');
	const datamartId = workspaces[0]!.datamarts[0]!.id;

	// Some milliseconds later the next request is under way.
	const killAndRestart = async () => {
		await delay(5);
		await service.kill('SIGKILL');
		service = await startServiceProcess(dataDir, {PORT: new URL(url).port}, {untilReady: false});
	};
	let restarted: Promise<void> | undefined;
	let results = 0;
	for await (const {result, index} of client.sendEach(datamartId, visits(), {batchSize: 50})) {
		t.not(result, 'rejected');
		t.is(index, results++);
		if (results === KILLED_AFTER) restarted = killAndRestart();
	}
	await restarted;
	t.is(results, PEOPLE);
	t.true(waits.length > 0, 'it was away');

	await client.sendActivities(datamartId, [{$type: 'MARKER'}], {untilQueryable: true});
	const {global} = await client.post('/v1/datamarts/{datamartId}/user_analytics_funnel', {
		path: {datamartId},
		body: {
			for: [
				{
					name: 'seen',
					filter_clause: {
						filters: [{dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: ['$page_view']}],
					},
				},
			],
			in: {type: 'WINDOW', unit: 'DAY', offset: 7},
		},
	});
	t.is(global.steps[0]?.count, PEOPLE);
	const {report_view: view} = await client.post('/v1/datamarts/{datamartId}/user_activities_analytics', {
		path: {datamartId},
		body: {
			date_ranges: [
				{
					start_date: `${new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10)}T00:00:00`,
					end_date: `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T23:59:59`,
				},
			],
			dimensions: [],
			dimension_filter_clauses: {
				operator: 'AND',
				filters: [{dimension_name: 'TYPE', operator: 'EXACT', expressions: ['SITE_VISIT']}],
			},
			metrics: [{expression: 'sessions'}],
		},
	});
	t.deepEqual(view.rows, [[PEOPLE]], 'and none of them twice');
});
