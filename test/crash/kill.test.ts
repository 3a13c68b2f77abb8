import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {startServiceProcess} from '../support/process.ts';
import {clientOf, login} from '../support/service.ts';
import {crash, type Mode} from './crash.ts';
import {Disk} from './disk.ts';
import {faultsOf} from './verdict.ts';

const TS = Date.UTC(2024, 4, 1);

/** The short form of `npm run crash` (docs/durability.md): the same rounds, fewer. */
async function holds(t: ExecutionContext, mode: Mode, rounds: number): Promise<void> {
	t.timeout(180_000);
	const seed = Number(process.env.CRASH_SEED ?? 20);
	const report = await crash({rounds, seed, mode});
	t.deepEqual(faultsOf(report), []);
	t.deepEqual(report.surprises, []);
	t.true(report.acknowledged > 100, `${report.acknowledged} activities were acknowledged`);
	t.log(`${report.acknowledged} acknowledged in ${rounds} rounds`, report.phases);
}

test.serial(
	'kill -9, again and again: everything that was answered 200 is there once, and nobody is two people',
	t => holds(t, 'kill', 4),
);

test.serial(
	'a journal cut behind its last answer, and an engine that forgot what it has: the same holds',
	t => holds(t, 'files', 2),
);

test.serial('the power goes, again and again: the same holds', async t => {
	const whyNot = Disk.whyNot();
	if (whyNot) {
		t.log(`SKIPPED: ${whyNot}`);
		return t.pass();
	}
	await holds(t, 'power', 2);
});

test.serial('stop and start again: the same answers, the same login, the same token', async t => {
	const dataDir = mkdtempSync(join(tmpdir(), 'millrace-restart-'));
	t.teardown(() => rmSync(dataDir, {recursive: true, force: true, maxRetries: 10}));
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
