import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {postgresPrograms} from '../support/postgres-server.ts';
import {enginesFor} from '../support/server-engines.ts';
import {startTestService} from '../support/service.ts';

const NOON = Date.UTC(2026, 2, 10, 12);

function visit(person: string, events: readonly string[], more: object = {}) {
	return {
		$type: 'SITE_VISIT',
		$session_status: 'CLOSED_SESSION',
		$ts: NOON,
		$user_agent_id: `vec:${person}`,
		$events: events.map(($event_name, at) => ({$event_name, $ts: NOON + at * 1000, $properties: {}})),
		...more,
	};
}

const step = (event: string) => ({
	name: event,
	filter_clause: {
		operator: 'AND',
		filters: [{dimension_name: 'EVENT_TYPE', operator: 'IN_LIST', expressions: [event]}],
	},
});

test('on a real PostgreSQL and over ClickHouse’s wire a visit is stored, merged, asked for, and there after a restart', async t => {
	t.timeout(180_000);
	if (!process.env.TEST_DATABASE_URL && !postgresPrograms()) {
		t.log('SKIPPED: no TEST_DATABASE_URL and no PostgreSQL server programs on this machine');
		return t.pass();
	}
	const directory = mkdtempSync(join(tmpdir(), 'millrace-servers-'));
	t.teardown(() => rmSync(directory, {recursive: true, force: true}));
	const engines = await enginesFor(directory, 'server');
	t.teardown(() => engines.stop());
	const first = await startTestService(engines.environment, directory);
	t.falsy(first.database.embedded);
	const datamart = `/v1/datamarts/${first.datamartId}`;
	const visits = [
		visit('ann', ['view', 'buy']),
		visit('bob', ['buy', 'view']),
		// Two agents of one account are one person.
		visit('eve', ['view'], {$user_account_id: 'acc-eve'}),
		visit('eva', ['nothing', 'nothing', 'buy'], {$user_account_id: 'acc-eve'}),
	];
	const stored = await first.post(`${datamart}/user_activities?async=false`, visits);
	t.is(stored.status, 200, JSON.stringify(stored.body));

	const asked = {
		for: [step('view'), step('buy')],
		in: {type: 'DATES', start_date: '2026-03-10', end_date: '2026-03-11'},
	};
	const funnel = await first.post(`${datamart}/user_analytics_funnel`, asked);
	t.is(funnel.status, 200, JSON.stringify(funnel.body));
	t.regex(JSON.stringify(funnel.body.data), /"count":3.*"count":2/);
	await first.stop();

	const second = await startTestService(engines.environment, directory);
	t.teardown(() => second.stop());
	t.deepEqual((await second.post(`${datamart}/user_analytics_funnel`, asked)).body.data, funnel.body.data);
	const again = await second.get(`${datamart}/user_timelines/user_agent_id=vec:ann/user_activities`);
	t.is(again.body.data.length, 1);
});
