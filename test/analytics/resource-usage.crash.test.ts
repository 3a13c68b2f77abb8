import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {childrenOf, killIfThere, startServiceProcess, untilGone} from '../support/process.ts';
import {type Client, clientOf, login} from '../support/service.ts';

const ROUNDS = 3;
const LAST_YEAR = [{start_date: 'now-1y', end_date: 'now/d'}];

/** Of the same length, whichever it is. */
function activity(index: number): string {
	const user = String(index).padStart(8, '0');
	return JSON.stringify({
		$type: 'SITE_VISIT',
		$user_agent_id: `vec:u${user}`,
		$events: [{$event_name: 'visit'}],
	});
}

const ACTIVITY_BYTES = Buffer.byteLength(activity(0));

interface Sent {
	activities: number;
	acknowledged: number;
	questions: number;
	readonly answered: Set<string>;
}

/** Sends activities and asks questions, each under a name of its own, until nobody answers any more. */
async function load(client: Client, datamart: string, sent: Sent, signal: AbortSignal): Promise<void> {
	const lane = async (step: () => Promise<void>) => {
		while (!signal.aborted) {
			try {
				await step();
			} catch {
				// The service has been killed.
				await delay(5);
			}
		}
	};
	const post = async () => {
		const batch = Array.from({length: 20}, () => activity(sent.activities++));
		const {status} = await client.post(`/v1/datamarts/${datamart}/user_activities`, `[${batch.join()}]`);
		if (status === 200) sent.acknowledged += batch.length;
	};
	const ask = async () => {
		const name = `q${sent.questions++}`;
		const body = {date_ranges: LAST_YEAR, dimensions: [{name: 'type'}], metrics: []};
		const path = `/v1/datamarts/${datamart}/user_activities_analytics`;
		const {status} = await client.post(path, body, {'x-svc-otql-source': `TEST:${name}`});
		if (status === 200) sent.answered.add(name);
	};
	await Promise.all([lane(post), lane(post), lane(ask), lane(ask)]);
}

test('kill -9 while batches are written and questions are asked: usage is what was accepted and answered, to the byte', async t => {
	t.timeout(240_000);
	const dataDir = mkdtempSync(join(tmpdir(), 'millrace-usage-'));
	t.teardown(() => rmSync(dataDir, {recursive: true, force: true, maxRetries: 10}));
	const sent: Sent = {activities: 0, acknowledged: 0, questions: 0, answered: new Set()};
	let token: string | undefined;
	let datamart = '';
	for (let round = 0; round < ROUNDS; round++) {
		const service = await startServiceProcess(dataDir);
		token ??= await login(service.url);
		const client = clientOf(service.url, token);
		const {workspaces} = (await client.get('/v1/connected_user')).body.data;
		datamart = workspaces[0].datamarts[0].id;
		const stop = new AbortController();
		const loading = load(client, datamart, sent, stop.signal);
		await delay(900 + round * 370);
		const children = childrenOf(service.child.pid!);
		const ended = service.kill('SIGKILL');
		for (const pid of children) killIfThere(pid);
		await ended;
		stop.abort();
		await loading;
		await untilGone(children);
	}

	const service = await startServiceProcess(dataDir);
	t.teardown(() => service.kill('SIGKILL'));
	const client = clientOf(service.url, token);
	const last = await client.post(
		`/v1/datamarts/${datamart}/user_activities?async=false`,
		activity(sent.activities++),
	);
	t.is(last.status, 200);
	const rowsOf = async (path: string, dimensions: string[], metrics: string[], filters: object[] = []) => {
		const body = {
			date_ranges: LAST_YEAR,
			dimensions: dimensions.map(name => ({name})),
			metrics: metrics.map(expression => ({expression})),
			dimension_filter_clauses: {operator: 'AND', filters},
		};
		return (await client.post(path, body)).body.data.report_view.rows;
	};
	const monitoring = '/v1/platform_monitoring/resources_usage';
	const [[stored]] = await rowsOf(`/v1/datamarts/${datamart}/user_activities_analytics`, [], ['sessions']);
	const [[bytes, count]] = await rowsOf(monitoring, [], ['write_cost', 'count']);
	t.is(count, stored);
	t.is(bytes, stored * ACTIVITY_BYTES);
	t.true(sent.acknowledged < stored && stored <= sent.activities, `${stored} of ${sent.activities} stored`);
	// The same from the facts themselves, an hour at a time.
	const hours = await rowsOf(monitoring, ['date_time'], ['write_cost']);
	t.is(
		hours.reduce((sum: number, [, cost]: number[]) => sum + cost!, 0),
		bytes,
	);

	const names = [...sent.answered];
	t.true(names.length > 0, `${names.length} questions were answered`);
	const executions = new Map<string, number>();
	for (let from = 0; from < names.length; from += 100) {
		const some = {
			dimension_name: 'sub_source',
			operator: 'IN_LIST',
			expressions: names.slice(from, from + 100),
		};
		for (const [name] of await rowsOf(monitoring, ['sub_source', 'execution_id'], ['scan_cost'], [some])) {
			executions.set(name, (executions.get(name) ?? 0) + 1);
		}
	}
	t.deepEqual(
		names.filter(name => executions.get(name) !== 1),
		[],
		'a question that was answered is charged once',
	);
	t.log(`${stored} activities, ${names.length} questions, ${ROUNDS} rounds`);
});
