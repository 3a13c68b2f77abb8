import {setTimeout as delay} from 'node:timers/promises';
import anyTest, {type TestFn} from 'ava';
import {hashPassword} from '../../../src/identity/passwords.ts';
import type {Role} from '../../../src/identity/principal.ts';
import {userRoleStore} from '../../../src/identity/users/user-roles.store.ts';
import {userStore} from '../../../src/identity/users/users.store.ts';
import {
	type Answer,
	type Client,
	clientOf,
	login,
	startTestService,
	type TestService,
} from '../../support/service.ts';

const test = anyTest as TestFn<{service: TestService; reader: Client; other: Client}>;

/** Each step of a long day of activities, so that a funnel of many windows is busy for a while. */
const DAY = Date.UTC(2026, 1, 10, 12);
const PEOPLE = 400;

test.before(async t => {
	const service = await startTestService({
		QUERIES_PER_CALLER: '1',
		QUERIES_WAITING_PER_CALLER: '2',
		QUERY_WAIT_SECONDS: '60',
	});
	const lines = Array.from({length: PEOPLE}, (_, person) =>
		JSON.stringify({
			$type: 'SITE_VISIT',
			$ts: DAY + person,
			$user_identifiers: [{$type: 'USER_AGENT', $user_agent_id: `vec:p${person}`}],
			$events: Array.from({length: 30}, (_, index) => ({
				$event_name: `e${index}`,
				$ts: DAY + index * 60_000,
			})),
		}),
	);
	const {body} = await service.request(
		'POST',
		`/v1/datamarts/${service.datamartId}/user_activities?async=false`,
		lines.join('\n'),
		{'content-type': 'application/x-ndjson'},
	);
	t.true(body.data.records.every((each: {result: string}) => each.result === 'accepted'));
	t.context = {service, reader: await person(service, 'READER'), other: await person(service, 'READER')};
});
test.after.always(async t => t.context.service?.stop());

let people = 0;
async function person({database, url, organisationId, get}: TestService, role: Role): Promise<Client> {
	people += 1;
	const email = `person${people}@example.org`;
	const password = 'correct horse battery';
	const {community_id} = (await get(`/v1/organisations/${organisationId}`)).body.data;
	const {id} = await userStore(database).create({
		communityId: Number(community_id),
		organisationId: Number(organisationId),
		email,
		firstName: 'Ann',
		lastName: 'Example',
		locale: null,
		passwordHash: await hashPassword(password),
	});
	await userRoleStore(database).grant({userId: id, organisationId: Number(organisationId), role});
	return clientOf(url, await login(url, {email, password}));
}

/** Takes the engine some seconds: every step has a window, and each condition is another one. */
function longFunnel(salt: string): object {
	const filter = (expression: string) => ({
		dimension_name: 'EVENT_TYPE',
		operator: 'LIKE',
		expressions: [expression],
	});
	return {
		for: Array.from({length: 32}, (_, index) => ({
			name: `step ${index}`,
			filter_clause: {
				operator: 'OR',
				filters: Array.from({length: 14}, (_, more) => filter(`e${salt}${index % 3}${more}`)).concat(
					filter('e'),
				),
			},
			max_days_after_previous_step: index === 0 ? undefined : 1,
		})),
		in: {type: 'DATES', start_date: '2026-02-01', end_date: '2026-03-01'},
	};
}

const funnelOf = ({datamartId}: TestService) => `/v1/datamarts/${datamartId}/user_analytics_funnel`;

/** The query that a request under way is; fails where that is answered before. */
async function openQuery(client: Client, coming: Promise<Answer>): Promise<{id: string; name: string}> {
	let answered: Answer | undefined;
	void coming.then(answer => {
		answered = answer;
	});
	while (!answered) {
		const {body} = await client.get('/v1/queries');
		if (body.data.length > 0) return body.data[0];
		await delay(10);
	}
	throw new Error(`answered before it was seen: ${JSON.stringify(answered.body).slice(0, 500)}`);
}

test.serial('every answer of a question has its id, refusals of the engine’s too', async t => {
	const {service} = t.context;
	const funnel = {
		for: [{name: 'a', filter_clause: {operator: 'OR', filters: []}}],
		in: {type: 'DATES', start_date: '2026-02-01', end_date: '2026-03-01'},
	};
	const {status, headers} = await service.post(funnelOf(service), funnel);
	t.is(status, 200);
	t.regex(headers.get('x-query-id')!, /^[\da-f-]{36}$/);
	const usage = await service.post('/v1/platform_monitoring/resources_usage', {
		dimensions: [],
		metrics: [{expression: 'scan_cost'}],
		dimension_filter_clauses: {operator: 'OR', filters: []},
		metric_filter_clauses: {operator: 'OR', filters: []},
		date_ranges: [{start_date: '2026-01-01T00:00:00', end_date: '2030-01-01T00:00:00'}],
		order_by: {},
	});
	t.is(usage.headers.get('x-query-id') === null, usage.status !== 200);
	t.deepEqual((await service.get('/v1/queries')).body.data, []);
});

test.serial('a running query is listed for its caller, and cancelled by its id', async t => {
	const {service, reader, other} = t.context;
	const coming = reader.post(funnelOf(service), longFunnel('a'));
	const open = await openQuery(reader, coming);
	t.is(open.name, 'funnel.steps');
	t.is((await reader.get(`/v1/queries/${open.id}`)).body.data.datamart_id, service.datamartId);
	t.is((await other.get(`/v1/queries/${open.id}`)).status, 404);
	t.is((await other.request('DELETE', `/v1/queries/${open.id}`)).status, 404);
	t.deepEqual((await other.get('/v1/queries')).body.data, []);
	const cancelled = await reader.request('DELETE', `/v1/queries/${open.id}`);
	t.deepEqual([cancelled.status, cancelled.body], [200, {status: 'ok', data: {}}]);
	const {status, body, headers} = await coming;
	t.deepEqual([status, body.error_code, headers.get('x-query-id')], [409, 'query_cancelled', open.id]);
	t.is((await reader.get(`/v1/queries/${open.id}`)).status, 404);
});

test.serial('an administrator sees and cancels the queries of their organisation', async t => {
	const {service, reader} = t.context;
	const coming = reader.post(funnelOf(service), longFunnel('b'));
	const {id} = await openQuery(service, coming);
	t.is((await service.request('DELETE', `/v1/queries/${id}`)).status, 200);
	t.is((await coming).body.error_code, 'query_cancelled');
	const {body} = await service.get(
		`/v1/organisations/${service.organisationId}/audit_events?max_results=500`,
	);
	t.true(JSON.stringify(body.data).includes(id), 'and it stands in the trail');
});

test.serial('who asks too much at once is told when to come back, and others are answered', async t => {
	const {service, reader, other} = t.context;
	const salts = ['c', 'd', 'e', 'f', 'g'];
	const coming = salts.map(salt => reader.post(funnelOf(service), longFunnel(salt)));
	const refused = await Promise.race(
		coming.map(async each => {
			const answer = await each;
			return answer.status === 429 ? answer : new Promise<never>(() => undefined);
		}),
	);
	t.is(refused.body.error_code, 'queries_excessive');
	t.true(Number(refused.headers.get('retry-after')) >= 1);
	t.truthy(refused.headers.get('x-query-id'));
	const small = await other.post(funnelOf(service), {
		for: [{name: 'a', filter_clause: {operator: 'OR', filters: []}}],
		in: {type: 'DATES', start_date: '2026-02-10', end_date: '2026-02-11'},
	});
	t.deepEqual([small.status, small.body.data.global.total], [200, PEOPLE]);
	for (const {id} of (await reader.get('/v1/queries')).body.data)
		await reader.request('DELETE', `/v1/queries/${id}`);
	const ends = (await Promise.all(coming)).map(each => each.status);
	t.is(ends.filter(status => status === 429).length, 2);
});
