import {setTimeout as delay} from 'node:timers/promises';
import anyTest, {type TestFn} from 'ava';
import {imported, lines} from '../../bulk/support/imports.ts';
import {type Answer, startTestService, type TestService} from '../../support/service.ts';

/** Random histories of writes, with questions in between: what is kept must be what the engine would say now. */
const test = anyTest as TestFn<{service: TestService; channelId: string}>;

test.before(async t => {
	const service = await startTestService();
	const channels = await service.get(`/v1/datamarts/${service.datamartId}/channels`);
	t.context = {service, channelId: channels.body.data[0].id};
});
test.after.always(async t => t.context.service?.stop());

const MARCH = Date.UTC(2026, 2, 1);
const DAY_MS = 86_400_000;

/** mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
	let state = seed;
	return below => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
	};
}

function agent(person: number) {
	return {$type: 'USER_AGENT', $user_agent_id: `vec:p${person}`};
}
function account(person: number) {
	return {$type: 'USER_ACCOUNT', $user_account_id: `account ${person}`};
}

/** Days with facts are in March alone: a period that begins earlier is another question with the same answer. */
let earlier = 0;
function anotherStart(): string {
	earlier += 1;
	return new Date(Date.UTC(2012, 0, 1) + earlier * DAY_MS).toISOString().slice(0, 10);
}

type Question = (startDate: string) => readonly [path: string, body: object];

function funnel(filters: object[], more: object = {}): Question {
	return start => [
		'user_analytics_funnel',
		{
			for: [
				{name: 'a', filter_clause: {operator: 'OR', filters: []}},
				{name: 'b', filter_clause: {operator: 'OR', filters}, ...more},
			],
			in: {type: 'DATES', start_date: start, end_date: '2026-03-20'},
		},
	];
}

function report(dimensions: string[], filters: object[] = []): Question {
	return start => [
		'user_activities_analytics',
		{
			dimensions: dimensions.map(name => ({name})),
			metrics: [{expression: 'users'}, {expression: 'sessions'}],
			dimension_filter_clauses: {operator: 'AND', filters},
			metric_filter_clauses: {operator: 'AND', filters: []},
			date_ranges: [{start_date: `${start}T00:00:00`, end_date: '2026-03-20T00:00:00'}],
			order_by: null,
		},
	];
}

function list(name: string): Question {
	return start => [
		'user_activities_analytics',
		{
			dimensions: [{name}],
			metrics: [],
			dimension_filter_clauses: {
				operator: 'OR',
				filters: [{dimension_name: name, operator: 'LIKE', expressions: ['']}],
			},
			metric_filter_clauses: {operator: 'AND', filters: []},
			date_ranges: [{start_date: `${start}T00:00:00`, end_date: '2026-03-20T00:00:00'}],
			order_by: null,
		},
	];
}

const SEGMENT = {dimension_name: 'SEGMENT_ID', operator: 'EXACT', expressions: ['7']};
const VIEW = {dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: ['view']};
const QUESTIONS: readonly Question[] = [
	funnel([VIEW]),
	funnel([VIEW], {group_by_dimensions: ['CHANNEL_ID']}),
	funnel([SEGMENT]),
	report(['channel_name']),
	report(['date_yyyy_mm_dd']),
	report([], [SEGMENT]),
	list('event_type'),
	list('channel_name'),
];

test.serial('whatever is written in between, a kept answer is what the engine would say now', async t => {
	t.timeout(5 * 60_000);
	const {service, channelId} = t.context;
	const at = `/v1/datamarts/${service.datamartId}`;
	const below = randomOf(20_26);
	const post = async (path: string, body: object): Promise<Answer> => {
		const answer = await service.post(`${at}/${path}`, body);
		t.is(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
		return answer;
	};
	let clock = 0;
	const visit = (identifiers: object[]) =>
		post('user_activities?async=false', {
			$type: 'SITE_VISIT',
			$site_id: channelId,
			$ts: MARCH + below(12) * DAY_MS + clock++,
			$user_identifiers: identifiers,
			$events: [{$event_name: ['view', 'buy'][below(2)], $ts: MARCH + below(12) * DAY_MS + clock++}],
		});
	const writes = [
		() => visit([agent(below(6))]),
		() => visit([account(below(6))]),
		// Two people turn out to be one.
		() => visit([agent(below(6)), account(below(6))]),
		() => service.request('PUT', `${at}/user_points/user_agent_id=vec:p${below(6)}/user_segments/7`, {}),
		// Whoever comes with it later is somebody else.
		async () => {
			const file = lines([{type: 'USER_AGENT', user_agent_id: `vec:p${below(6)}`}]);
			const done = await imported(service, service.datamartId, 'USER_IDENTIFIERS_DELETION', file);
			t.is(done.status, 'SUCCEEDED');
		},
		// A membership that has ended when the next question is asked.
		async () => {
			const expires = Date.now() + 500;
			const membership = `${at}/user_points/user_agent_id=vec:p${below(6)}/user_segments/7`;
			await service.request('PUT', membership, {expiration_ts: expires});
			for (const question of QUESTIONS) await post(...question('2026-03-01'));
			await delay(Math.max(0, expires + 1 - Date.now()));
		},
		() => service.request('DELETE', `${at}/user_points/user_agent_id=vec:p${below(6)}/user_segments/7`),
		() => service.request('PUT', `/v1/channels/${channelId}`, {name: `shop ${below(1000)}`}),
	];
	for (let person = 0; person < 6; person++) await visit([agent(person)]);
	let hits = 0;
	for (let round = 0; round < 40; round++) {
		if (below(3) > 0) await writes[below(writes.length)]!();
		for (const question of QUESTIONS.filter(() => below(2) === 0)) {
			const kept = await post(...question('2026-03-01'));
			const fresh = await post(...question(anotherStart()));
			if (kept.headers.has('age')) hits += 1;
			t.false(fresh.headers.has('age'));
			t.deepEqual(kept.body.data, fresh.body.data, `round ${round}: ${JSON.stringify(question(''))}`);
		}
	}
	t.true(hits > 10, `${hits} answers were kept`);
});

test.serial('an answer from memory says how old it is and of which version of the data', async t => {
	const {service} = t.context;
	const at = `/v1/datamarts/${service.datamartId}`;
	const [path, body] = funnel([VIEW])('2026-03-02');
	const first = await service.post(`${at}/${path}`, body);
	const second = await service.post(`${at}/${path}`, body);
	t.is(first.headers.get('age'), null);
	t.regex(second.headers.get('age')!, /^\d+$/);
	t.is(second.headers.get('x-data-version'), first.headers.get('x-data-version'));
	t.is(second.headers.get('cache-control'), 'no-store');
	t.deepEqual(second.body, first.body);
	await service.post(`${at}/user_activities?async=false`, {
		$type: 'SITE_VISIT',
		$ts: Date.now(),
		$user_identifiers: [agent(100)],
		$events: [{$event_name: 'view', $ts: Date.now()}],
	});
	const today = await service.post(`${at}/${path}`, body);
	t.truthy(today.headers.get('age'), 'what happens today leaves the past as it is');
});
