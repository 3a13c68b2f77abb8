import test from 'ava';
import {startTestService, type TestService} from '../../support/service.ts';

let service: TestService;
test.before(async () => {
	service = await startTestService();
});
test.after.always(() => service?.stop());

const MORNING = Date.UTC(2026, 2, 10, 8);
const HOUR = 3_600_000;

const post = (...activities: readonly object[]) =>
	service.post(`/v1/datamarts/${service.datamartId}/user_activities?async=false`, activities);

type Told = Record<string, unknown>;

/** What is told of each identifier of somebody, by its text. */
async function identifiersOf(selector: string): Promise<Map<unknown, Told>> {
	const {status, body} = await service.get(
		`/v1/datamarts/${service.datamartId}/user_identifiers/${selector}`,
	);
	if (status !== 200) throw new Error(`${status} ${body.error}`);
	return new Map(
		body.data.map((each: Told) => [each.hash ?? each.user_agent_id ?? each.user_account_id, each]),
	);
}

test('agents and e-mails tell when they were last seen, whichever way and in whichever order they came', async t => {
	await post(
		{
			$type: 'SITE_VISIT',
			$ts: MORNING + 5 * HOUR,
			$user_identifiers: [
				{$type: 'USER_AGENT', $user_agent_id: 'vec:laptop'},
				{$type: 'USER_EMAIL', $hash: 'ann', $email: 'ann@example.org'},
			],
		},
		{$type: 'SITE_VISIT', $ts: MORNING, $user_agent_id: 'vec:laptop', $email_hash: {$hash: 'ann'}},
		{$type: 'APP_VISIT', $ts: MORNING + 7 * HOUR, $user_agent_id: 'vec:phone', $email_hash: {$hash: 'ann'}},
	);

	const told = await identifiersOf('user_agent_id=vec:laptop');

	t.like(told.get('vec:laptop'), {type: 'USER_AGENT', last_activity_ts: MORNING + 5 * HOUR});
	t.like(told.get('vec:phone'), {type: 'USER_AGENT', last_activity_ts: MORNING + 7 * HOUR});
	t.like(told.get('ann'), {type: 'USER_EMAIL', last_activity_ts: MORNING + 7 * HOUR});
});

test('after a merge an identifier still tells of its own activities', async t => {
	await post({$type: 'TOUCH', $ts: MORNING, $user_agent_id: 'vec:old'});
	await post({$type: 'TOUCH', $ts: MORNING + HOUR, $user_agent_id: 'vec:new'});
	const both = ['vec:old', 'vec:new'].map($user_agent_id => ({$type: 'USER_AGENT', $user_agent_id}));
	await post({$type: 'TOUCH', $ts: MORNING - HOUR, $user_identifiers: both});

	const told = await identifiersOf('user_agent_id=vec:new');

	t.is(told.get('vec:old')?.last_activity_ts, MORNING);
	t.is(told.get('vec:new')?.last_activity_ts, MORNING + HOUR);
});

test('one that was declared and never seen tells when it was learnt', async t => {
	await post({$type: 'TOUCH', $ts: MORNING, $user_agent_id: 'vec:seen'});
	const identifiers = ['vec:seen', 'vec:declared'].map(user_agent_id => ({
		type: 'USER_AGENT',
		user_agent_id,
	}));
	const path = `/v1/datamarts/${service.datamartId}/user_identifiers_association_declarations`;
	t.is((await service.post(path, {identifiers})).status, 200);

	const told = (await identifiersOf('user_agent_id=vec:seen')).get('vec:declared');

	t.is(told?.last_activity_ts, told?.creation_ts);
	t.is(typeof told?.creation_ts, 'number');
});
