import anyTest, {type TestFn} from 'ava';
import {startTestService, type TestService} from '../../support/service.ts';

/** Segments of people through the whole service: written, read by every form of address, and asked for in a funnel. */
const test = anyTest as TestFn<{service: TestService}>;

test.before(async t => {
	t.context.service = await startTestService();
});
test.after.always(async t => t.context.service?.stop());

const TS = Date.UTC(2026, 2, 3, 12);

/** Visits with these identifiers, answered once they are queryable. */
async function visit(service: TestService, ...identifiers: object[]): Promise<void> {
	const answer = await service.post(`/v1/datamarts/${service.datamartId}/user_activities?async=false`, {
		$type: 'SITE_VISIT',
		$ts: TS,
		$user_identifiers: identifiers,
		$events: [{$event_name: '$page_view', $ts: TS}],
	});
	if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

const agent = (id: string) => ({$type: 'USER_AGENT', $user_agent_id: id});
const account = (id: string) => ({$type: 'USER_ACCOUNT', $user_account_id: id});
const email = (hash: string) => ({$type: 'USER_EMAIL', $hash: hash});

async function membersIn(service: TestService, segment: string, not = false): Promise<number> {
	const filter = {dimension_name: 'SEGMENT_ID', operator: 'EXACT', expressions: [segment], not};
	const answer = await service.post(`/v1/datamarts/${service.datamartId}/user_analytics_funnel`, {
		for: [{name: 'member', filter_clause: {operator: 'AND', filters: [filter]}}],
		in: {type: 'DATES', start_date: '2026-03-03', end_date: '2026-03-04'},
	});
	return answer.body.data.global.steps[0].count;
}

const ids = (answer: {body: {data: {segment_id: string}[]}}) => answer.body.data.map(each => each.segment_id);

test.serial(
	'a membership written by one identifier is read by every other form, and a funnel knows it at once',
	async t => {
		const {service} = t.context;
		await visit(service, agent('vec:s1'), account('ann'), email('hash-ann'));
		const points = `/v1/datamarts/${service.datamartId}/user_points`;
		const before = Date.now();
		const entered = await service.request('PUT', `${points}/user_agent_id=vec:s1/user_segments/vip`, {
			data_bag: {tier: 'gold'},
		});
		t.is(entered.status, 200);
		t.is(await membersIn(service, 'vip'), 1);
		t.true(Date.now() - before < 1000, 'within a second');

		const [{compartment_id: compartment}] = (
			await service.get(`/v1/datamarts/${service.datamartId}/compartments`)
		).body.data;
		const identifiers = await service.get(
			`/v1/datamarts/${service.datamartId}/user_identifiers/user_agent_id=vec:s1`,
		);
		const userPoint = identifiers.body.data[0].user_point_id;
		const segments = `/v1/datamarts/${service.datamartId}/user_segments`;
		for (const path of [
			`${points}/compartmentId=${compartment},user_account_id=ann/user_segments`,
			`${points}/email_hash=hash-ann/user_segments`,
			`${points}/user_agent_id=vec:s1/user_segments`,
			`${points}/${userPoint}/user_segments`,
			`${segments}/${userPoint}`,
			`${segments}/user_agent_id=vec:s1`,
			`${segments}/email_hash=hash-ann`,
			`${segments}/compartment_id=${compartment}/user_account_id=ann`,
		]) {
			const {status, body} = await service.get(path);
			t.is(status, 200, path);
			t.like(body, {status: 'ok', count: 1, total: 1, first_result: 0, max_results: 50}, path);
			const [{creation_ts: created, last_modified_ts: modified, ...rest}] = body.data;
			t.deepEqual(rest, {segment_id: 'vip', data_bag: {tier: 'gold'}}, path);
			t.true(created >= before && modified === created);
		}
	},
);

test.serial(
	'writing again keeps the creation, moves the last change and replaces bag and end; leaving ends it',
	async t => {
		const {service} = t.context;
		await visit(service, agent('vec:s2'));
		const mine = `/v1/datamarts/${service.datamartId}/user_points/user_agent_id=vec:s2/user_segments`;
		const first = (await service.request('PUT', `${mine}/loyal`, {data_bag: 'as text'})).body.data;
		t.is(first.data_bag, 'as text');
		t.false('expiration_ts' in first);
		const end = Date.now() + 3_600_000;
		const second = (await service.request('PUT', `${mine}/loyal`, {expiration_ts: end})).body.data;
		t.is(second.creation_ts, first.creation_ts);
		t.true(second.last_modified_ts >= first.last_modified_ts);
		t.like(second, {data_bag: null, expiration_ts: end});
		t.deepEqual((await service.get(mine)).body.data, [second]);
		t.is((await service.request('PUT', `${mine}/empty`)).status, 200, 'no body is needed');
		t.deepEqual(ids(await service.get(mine)), ['empty', 'loyal']);

		t.deepEqual((await service.request('DELETE', `${mine}/loyal`)).body, {status: 'ok', data: {}});
		t.deepEqual(ids(await service.get(mine)), ['empty']);
		t.is(await membersIn(service, 'loyal'), 0);
		const again = await service.request('DELETE', `${mine}/loyal`);
		t.like(again, {status: 404, body: {error: 'Resource Not Found', error_code: 'user_segment_not_found'}});
	},
);

test.serial('an expired membership is none, for the reader and for the funnel', async t => {
	const {service} = t.context;
	await visit(service, agent('vec:s3'));
	const mine = `/v1/datamarts/${service.datamartId}/user_points/user_agent_id=vec:s3/user_segments`;
	await service.request('PUT', `${mine}/trial`, {expiration_ts: Date.now() - 1});
	t.deepEqual((await service.get(mine)).body.data, []);
	t.is(await membersIn(service, 'trial'), 0);
});

test.serial('people who turn out to be one keep the segments of both, and leave them as one', async t => {
	const {service} = t.context;
	await visit(service, agent('vec:s4'));
	await visit(service, account('bob'));
	const points = `/v1/datamarts/${service.datamartId}/user_points`;
	const asAgent = `${points}/user_agent_id=vec:s4/user_segments`;
	const asAccount = `${points}/user_account_id=bob/user_segments`;
	const older = (await service.request('PUT', `${asAgent}/both`, {data_bag: 'old'})).body.data;
	await service.request('PUT', `${asAccount}/both`, {data_bag: 'new', expiration_ts: Date.now() + 3_600_000});
	await service.request('PUT', `${asAccount}/one`);
	t.is(await membersIn(service, 'both'), 2);

	await visit(service, agent('vec:s4'), account('bob'));

	for (const path of [asAgent, asAccount]) {
		const {data} = (await service.get(path)).body;
		t.deepEqual(
			data.map((each: {segment_id: string}) => each.segment_id),
			['both', 'one'],
		);
		t.like(data[0], {creation_ts: older.creation_ts, data_bag: 'new'});
		t.false('expiration_ts' in data[0], 'one of the two had no end');
	}
	t.is(await membersIn(service, 'both'), 1, 'one person, counted once');

	const end = Date.now() + 60_000;
	await service.request('PUT', `${asAgent}/both`, {expiration_ts: end});
	t.is((await service.get(asAccount)).body.data[0].expiration_ts, end, 'a new end holds for all of them');
	await service.request('DELETE', `${asAgent}/both`);
	t.deepEqual(ids(await service.get(asAccount)), ['one']);
	t.is(await membersIn(service, 'both'), 0);
});

test.serial(
	'nobody of that name, and nobody of another datamart, has segments: Resource Not Found',
	async t => {
		const {service} = t.context;
		await visit(service, agent('vec:s5'));
		const made = await service.post('/v1/datamarts', {
			name: 'other',
			organisation_id: service.organisationId,
		});
		const other = made.body.data.id;
		const known = await service.get(
			`/v1/datamarts/${service.datamartId}/user_identifiers/user_agent_id=vec:s5`,
		);
		const userPoint = known.body.data[0].user_point_id;
		for (const path of [
			`/v1/datamarts/${service.datamartId}/user_points/email_hash=nobody/user_segments`,
			`/v1/datamarts/${service.datamartId}/user_segments/user_agent_id=nobody`,
			`/v1/datamarts/${service.datamartId}/user_points/987654/user_segments`,
			`/v1/datamarts/${other}/user_points/user_agent_id=vec:s5/user_segments`,
			`/v1/datamarts/${other}/user_segments/${userPoint}`,
		]) {
			t.like(await service.get(path), {status: 404, body: {error: 'Resource Not Found'}}, path);
		}
		const write = `/v1/datamarts/${other}/user_points/${userPoint}/user_segments/vip`;
		t.is((await service.request('PUT', write)).status, 404);
	},
);

test.serial(
	'a membership that makes no sense is refused by field, and a strange segment is none',
	async t => {
		const {service} = t.context;
		await visit(service, agent('vec:s6'));
		const mine = `/v1/datamarts/${service.datamartId}/user_points/user_agent_id=vec:s6/user_segments`;
		for (const [pointer, body] of [
			['/data_bag', {data_bag: [1]}],
			['/data_bag', {data_bag: 'x'.repeat(17_000)}],
			['/expiration_ts', {expiration_ts: 'soon'}],
			['/expiration_ts', {expiration_ts: 1.5}],
		] as const) {
			const {status, body: answer} = await service.request('PUT', `${mine}/vip`, body);
			t.deepEqual([status, answer.errors?.[0]?.pointer], [400, pointer]);
		}
		t.is((await service.request('PUT', `${mine}/a%20b`)).status, 404);
		t.is((await service.request('PUT', `${mine}/vip`, '{')).status, 400);
		const hostile = {data_bag: {text: "a\tb\n\\'); DROP"}};
		t.deepEqual((await service.request('PUT', `${mine}/odd`, hostile)).body.data.data_bag, hostile.data_bag);
		t.deepEqual((await service.get(mine)).body.data[0].data_bag, hostile.data_bag);
	},
);
