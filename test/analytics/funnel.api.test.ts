import anyTest, {type TestFn} from 'ava';
import {clientOf, startTestService, type TestService} from '../support/service.ts';

const test = anyTest as TestFn<{service: TestService; path: string; channelId: string}>;
const NOON = Date.UTC(2026, 2, 10, 12);
const PERIOD = {type: 'DATES', start_date: '2026-03-10', end_date: '2026-03-11'};

function visit(people: readonly string[], site: string, events: readonly string[], more: object = {}) {
	return {
		$type: 'SITE_VISIT',
		$site_id: site,
		$session_status: 'CLOSED_SESSION',
		$ts: NOON,
		$user_identifiers: people.map(name => ({$type: 'USER_AGENT', $user_agent_id: `vec:${name}`})),
		$events: events.map(($event_name, at) => ({
			$event_name,
			$ts: NOON + at * 1000,
			$properties: {$items: [{$product_id: `p${at % 2}`, $price: 10, $qty: 2}]},
		})),
		...more,
	};
}

const step = (event: string, more: object = {}) => ({
	name: event,
	filter_clause: {
		operator: 'AND',
		filters: [{dimension_name: 'event_type', operator: 'EXACT', expressions: [event], not: null}],
	},
	...more,
});

test.before(async t => {
	const service = await startTestService();
	t.context.service = service;
	const datamart = `/v1/datamarts/${service.datamartId}`;
	t.context.path = `${datamart}/user_analytics_funnel`;
	const channel = {name: 'Shop', type: 'SITE', organisation_id: service.organisationId};
	const {body} = await service.post(`${datamart}/channels`, channel);
	t.context.channelId = String(body.data.id);
	const posted = await service.post(`${datamart}/user_activities?async=false`, [
		visit(['ann'], t.context.channelId, ['view', 'other', 'buy']),
		visit(['bob'], t.context.channelId, ['view']),
		visit(['bob2'], '99', ['buy'], {$ts: NOON + 60_000, $events: [{$event_name: 'buy', $ts: NOON + 60_000}]}),
		visit(['cid'], '99', ['view']),
		visit([], '99', ['view']),
	]);
	t.is(posted.status, 200, JSON.stringify(posted.body));
});
test.after.always(t => t.context.service?.stop());

test.serial('the answer as the field’s clients read it, by either name of the path', async t => {
	const {service, path, channelId} = t.context;
	const asked = {for: [step('view', {group_by_dimension: 'channel_id'}), step('buy')], in: PERIOD, limit: 5};

	const {status, body} = await service.post(path, asked);

	const steps = [
		{name: 'view', count: 3, interaction_duration: 0},
		{name: 'buy', count: 1, interaction_duration: 2, conversion: 2, amount: 20},
	];
	const shop = {
		dimension_names: ['channel_id'],
		dimension_values: [channelId],
		dimension_name: 'channel_id',
		dimension_value: channelId,
		dimension_decorator: 'Shop',
		funnel: {total: 2, steps: [{...steps[0], count: 2}, steps[1]]},
	};
	t.is(status, 200);
	t.deepEqual(body.data.global, {total: 4, steps});
	t.deepEqual(body.data.grouped_by[0], shop);
	t.is(body.data.grouped_by[1].dimension_value, '99');
	t.false('dimension_decorator' in body.data.grouped_by[1]);
	const other = await service.post(path.replace('user_analytics_funnel', 'user_activities_funnel'), asked);
	t.deepEqual(other.body, body);
});

test.serial('the user points of a step, and those lost at it, page by page', async t => {
	const {service, path} = t.context;
	const asked = {for: [step('view'), step('buy')], in: PERIOD};
	const list = async (more: object, at = path, query = '') =>
		(await service.post(`${at}/user_points${query}`, {...asked, ...more})).body;

	const lost = await list({step: 2, lost: true, max_results: 1});
	t.like(lost, {status: 'ok', count: 1, total: 2, first_result: 0, max_results: 1});
	const rest = await list({step: 2, lost: true, max_results: 1, cursor: lost.cursor});
	t.like(rest, {count: 1, total: 2, first_result: 1, cursor: null});
	t.deepEqual(
		[lost.data[0], rest.data[0]].map(each => [each.reached_step, each.ts]),
		[
			[1, NOON],
			[1, NOON],
		],
	);
	const byPlace = await list(
		{step: 'buy', lost: true},
		path.replace('analytics', 'activities'),
		'?first_result=1',
	);
	t.deepEqual(byPlace.data, rest.data);

	const [buyer] = (await list({step: 2})).data;
	const {body} = await service.get(
		`/v1/datamarts/${service.datamartId}/user_timelines/${buyer.user_point_id}/user_activities`,
	);
	t.is(body.data[0].$user_identifiers[0].$user_agent_id, 'vec:ann');
	t.is((await service.post(path, {...asked, as_of: lost.as_of})).body.data.global.total, 4);
});

test.serial('people who turn out to be one are listed once, and not in lists begun before', async t => {
	const {service, path} = t.context;
	const asked = {for: [step('view'), step('buy')], in: PERIOD, step: 1, max_results: 1};
	const before = (await service.post(`${path}/user_points`, asked)).body;
	const datamart = `/v1/datamarts/${service.datamartId}`;

	await service.post(`${datamart}/user_activities?async=false`, [
		visit(['bob', 'bob2'], '99', ['view']),
		visit(['dora'], '99', ['view']),
	]);

	const ids = async (more: object) => {
		const listed: string[] = [];
		let cursor: string | null = null;
		do {
			const {body} = await service.post(`${path}/user_points`, {...asked, ...more, ...(cursor && {cursor})});
			listed.push(...body.data.map((each: {user_point_id: string}) => each.user_point_id));
			t.true(body.total >= listed.length);
			cursor = body.cursor;
		} while (cursor);
		return listed;
	};
	const {data} = (await service.post(path, asked)).body;
	t.deepEqual(
		data.global.steps.map((each: {count: number}) => each.count),
		[4, 2],
	);
	t.is((await ids({})).length, 4);
	t.is((await ids({step: 2})).length, 2);
	const {body} = await service.post(`${path}/user_points`, {
		...asked,
		max_results: 50,
		cursor: before.cursor,
	});
	t.is(1 + body.count, 3);
	t.is((await ids({step: 2, as_of: before.as_of})).length, 1);
});

test.serial('what cannot be answered is refused by its field', async t => {
	const {service, path} = t.context;
	for (const [more, pointer] of [
		[{step: 3}, '/step'],
		[{step: 1, holding_dimension: 'COLOUR'}, '/holding_dimension'],
		[{step: 1, sample_factor: 0.1}, '/sample_factor'],
		[{step: 1, for: []}, '/for'],
		[{step: 1, cursor: 'x'}, '/cursor'],
	] as const) {
		const {status, body} = await service.post(`${path}/user_points`, {
			for: [step('view'), step('buy')],
			in: PERIOD,
			...more,
		});
		t.deepEqual([status, body.errors?.[0]?.pointer], [400, pointer], JSON.stringify(body));
	}
	t.is(
		(await service.post(`${path}/user_points?max_results=900`, {for: [step('a')], in: PERIOD, step: 1}))
			.status,
		400,
	);
	t.is((await clientOf(service.url).post(`${path}/user_points`, {})).status, 401);
	t.is((await service.post('/v1/datamarts/424242/user_analytics_funnel/user_points', {})).status, 404);
});
