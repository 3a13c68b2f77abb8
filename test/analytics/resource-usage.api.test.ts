import {randomUUID} from 'node:crypto';
import {setTimeout as delay} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {type Client, clientOf, login, startTestService, type TestService} from '../support/service.ts';

let service: TestService;
test.before(async () => {
	service = await startTestService();
});
test.after.always(async () => service?.stop());

const MONITORING = '/v1/platform_monitoring';
const PASSWORD = 'long enough, surely';

interface Place extends Client {
	readonly organisationId: number;
	readonly datamartId: number;
}

/** An organisation of its own with a datamart, and somebody who may do everything in it. */
async function newPlace(above?: Place): Promise<Place> {
	const organisation = await service.post('/v1/organisations', {
		name: randomUUID(),
		...(above && {administrator_id: above.organisationId}),
	});
	const {id: organisationId} = organisation.body.data;
	const datamart = await service.post('/v1/datamarts', {name: 'shop', organisation_id: organisationId});
	const email = `${randomUUID()}@example.org`;
	const person = {
		email,
		password: PASSWORD,
		first_name: 'A',
		last_name: 'B',
		organisation_id: organisationId,
	};
	const {id} = (await service.post('/v1/users', person)).body.data;
	const role = {organisation_id: organisationId, role: 'ORGANISATION_ADMIN'};
	await service.post(`/v1/users/${id}/user_roles`, role);
	const client = clientOf(service.url, await login(service.url, {email, password: PASSWORD}));
	return {...client, organisationId: Number(organisationId), datamartId: Number(datamart.body.data.id)};
}

/** Posts activities and waits until they are queryable; answers their bytes. */
async function bring(place: Place, activities: readonly object[]): Promise<number> {
	const path = `/v1/datamarts/${place.datamartId}/user_activities?async=false`;
	let bytes = 0;
	for (const activity of activities) {
		const text = JSON.stringify(activity);
		await place.post(path, text);
		bytes += Buffer.byteLength(text);
	}
	return bytes;
}

function visit(user: number, events = ['$page_view', 'buy']) {
	return {
		$type: 'SITE_VISIT',
		$site_id: '77',
		$user_agent_id: `vec:${user}`,
		$events: events.map($event_name => ({$event_name})),
	};
}

const DAYS = [{start_date: 'now-1d/d', end_date: 'now/d'}];

function body(dimensions: readonly string[], metrics: readonly string[], more: object = {}) {
	return {
		date_ranges: DAYS,
		dimensions: dimensions.map(name => ({name})),
		metrics: metrics.map(expression => ({expression})),
		dimension_filter_clauses: {operator: 'AND', filters: []},
		...more,
	};
}

function only(name: string, expressions: readonly (string | number)[], more: object = {}) {
	const filter = {dimension_name: name, operator: 'IN_LIST', expressions, ...more};
	return {dimension_filter_clauses: {operator: 'AND', filters: [filter]}};
}

async function viewOf(client: Client, cube: string, request: object) {
	const answer = await client.post(`${MONITORING}/${cube}`, request);
	if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
	return answer.body.data.report_view;
}

/** What a question cost is a fact a moment after its answer. */
async function eventually<T>(t: ExecutionContext, ask: () => Promise<T>, expected: T): Promise<void> {
	for (let tries = 0; tries < 100; tries++) {
		if (JSON.stringify(await ask()) === JSON.stringify(expected)) break;
		await delay(50);
	}
	t.deepEqual(await ask(), expected);
}

test('what was brought costs the bytes that were sent, by datamart, hour and collection, with typed values', async t => {
	const place = await newPlace();
	const before = Math.floor(Date.now() / 3_600_000) * 3_600_000;
	const bytes = await bring(place, [visit(1), visit(2), visit(1, [])]);
	const dimensions = ['DATE_TIME', 'community_id', 'organisation_id', 'Datamart_Id', 'source', 'collection'];
	const request = body(
		dimensions,
		['WRITE_COST', 'count', 'scan_cost'],
		only('collection', ['UserActivity']),
	);
	const view = await viewOf(place, 'resources_usage', request);
	t.deepEqual(view.columns_headers, [
		...['date_time', 'community_id', 'organisation_id', 'datamart_id', 'source', 'collection'],
		...['write_cost', 'count', 'scan_cost'],
	]);
	t.is(view.items_per_page, 100);
	t.is(view.total_items, view.rows.length);
	const sums = view.rows.reduce(
		(sum: number[], row: number[]) => sum.map((each, index) => each + row[6 + index]!),
		[0, 0, 0],
	);
	t.deepEqual(sums, [bytes, 3, 0]);
	const [time, ...tenants] = view.rows[0];
	t.true(time >= before && time % 3_600_000 === 0);
	t.deepEqual(tenants.slice(1, 5), [place.organisationId, place.datamartId, 'INGESTION', 'UserActivity']);
});

test('a question costs what the engine read for it, under its id, for what the client says it asks', async t => {
	const place = await newPlace();
	await bring(place, [visit(1), visit(2)]);
	// Each another question: one that is answered from memory costs nothing.
	const reportBy = (dimension: string, headers: Record<string, string>) => {
		const report = {...body([dimension], []), dimension_filter_clauses: null};
		return place.post(`/v1/datamarts/${place.datamartId}/user_activities_analytics`, report, headers);
	};
	const saying = 'DASHBOARD:HOME_DASHBOARD';
	t.is((await reportBy('event_type', {'X-Mics-OTQL-Source': saying})).status, 200);
	t.is((await reportBy('type', {'x-svc-otql-source': saying})).status, 200);
	t.is((await reportBy('channel_id', {'x-svc-otql-source': 'a b\tc'})).status, 200);
	const funnel = {for: [{name: 'all'}], in: {type: 'WINDOW', unit: 'DAY', offset: 1}};
	t.is((await place.post(`/v1/datamarts/${place.datamartId}/user_activities_funnel`, funnel)).status, 200);

	const ofDatamart = only('datamart_id', [place.datamartId]);
	const asked = body(['source', 'sub_source', 'resource_id'], ['count'], {
		dimension_filter_clauses: {
			operator: 'AND',
			filters: [
				...ofDatamart.dimension_filter_clauses.filters,
				{dimension_name: 'source', operator: 'EXACT', expressions: ['INGESTION'], not: true},
			],
		},
		order_by: [{field_name: 'source'}, {field_name: 'resource_id'}],
	});
	await eventually(t, async () => (await viewOf(place, 'resources_usage', asked)).rows, [
		['API', null, 'autocomplete.values', 0],
		['API', null, 'funnel.steps', 0],
		['DASHBOARD', 'HOME_DASHBOARD', 'autocomplete.values', 0],
	]);
	const perQuery = body(['execution_id', 'resource_id', 'scan_cost', 'user_id'], ['scan_cost', 'read_cost'], {
		...only('resource_id', ['autocomplete.values', 'funnel.steps']),
	});
	const {rows} = await viewOf(place, 'resources_usage', perQuery);
	t.is(rows.length, 4);
	t.is(new Set(rows.map(([id]: string[]) => id)).size, 4);
	for (const [id, , asDimension, user, scanned, bytes] of rows) {
		t.regex(id, /^[0-9a-f-]{36}$/);
		t.is(asDimension, scanned);
		// Whatever the statement itself looks at comes on top.
		t.true(scanned >= 1 && bytes > scanned, `${scanned} rows, ${bytes} bytes`);
		t.is(typeof user, 'number');
	}
	const byUser = await viewOf(place, 'resources_usage', body(['scan_cost', 'collection'], ['count']));
	t.deepEqual(byUser.columns_headers, ['scan_cost', 'collection', 'count']);
});

test('one sees one’s own organisations: those below too, a stranger’s never, whatever the filter says', async t => {
	const head = await newPlace();
	const branch = await newPlace(head);
	const stranger = await newPlace();
	const bytes = new Map<number, number>();
	for (const [index, place] of [head, branch, stranger].entries()) {
		const activities = Array.from({length: index + 1}, (_, user) => visit(user + 1));
		bytes.set(place.organisationId, await bring(place, activities));
	}
	const written = async (client: Client, more: object = {}) => {
		const {rows} = await viewOf(client, 'resources_usage', body(['organisation_id'], ['write_cost'], more));
		return rows.filter(([, cost]: number[]) => cost !== 0).sort((a: number[], b: number[]) => a[0]! - b[0]!);
	};
	const of = (place: Place) => [place.organisationId, bytes.get(place.organisationId)];
	t.deepEqual(await written(head), [of(head), of(branch)]);
	t.deepEqual(await written(branch), [of(branch)]);
	t.deepEqual(await written(stranger), [of(stranger)]);
	t.deepEqual(await written(head, only('organisation_id', [stranger.organisationId])), []);
	t.deepEqual(await written(head, only('datamart_id', [String(stranger.datamartId)])), []);
	const either = only('organisation_id', [stranger.organisationId], {operator: 'IN_LIST'});
	const everything = {dimension_name: 'community_id', operator: 'NUMERIC_GREATER_THAN', expressions: [0]};
	t.deepEqual(
		await written(branch, {
			dimension_filter_clauses: {
				operator: 'OR',
				filters: [...either.dimension_filter_clauses.filters, everything],
			},
		}),
		[of(branch)],
	);
	// The administrator of the community sees all of them.
	const all = new Map<number, number>(await written(service));
	for (const place of [head, branch, stranger]) t.is(all.get(place.organisationId), of(place)[1]);
	for (const cube of ['collections', 'data_ingestion']) {
		const metric = cube === 'collections' ? 'count' : 'event_count';
		const {rows} = await viewOf(branch, cube, body(['organisation_id', 'datamart_id'], [metric]));
		t.deepEqual([...new Set(rows.map(([id]: number[]) => id))], [branch.organisationId]);
		const foreign = only('datamart_id', [stranger.datamartId]);
		t.deepEqual((await viewOf(branch, cube, body([], [metric], foreign))).rows, [[0]]);
		t.deepEqual((await viewOf(branch, cube, body(['datamart_id'], [metric], foreign))).rows, []);
	}
});

test('collections tell how much there is: activities, events, people and their identifiers', async t => {
	const place = await newPlace();
	await bring(place, [
		visit(1),
		visit(2, ['buy']),
		visit(2, []),
		{
			...visit(3, []),
			$user_agent_id: undefined,
			$user_account_id: 'ann',
			$email_hash: {$hash: 'ab'.repeat(16)},
		},
		// Two people turn out to be one.
		{...visit(1, []), $user_account_id: 'ann'},
	]);
	const request = body(['collection'], ['count'], {order_by: {field_name: 'collection'}});
	t.deepEqual((await viewOf(place, 'collections', request)).rows, [
		['UserAccount', 1],
		['UserActivity', 5],
		['UserAgent', 2],
		['UserEmail', 1],
		['UserEvent', 3],
		['UserPoint', 2],
	]);
	const timed = body(
		['date_time', 'datamart_id', 'collection'],
		['count'],
		only('collection', ['UserPoint']),
	);
	const [[time, datamart, ...rest]] = (await viewOf(place, 'collections', timed)).rows;
	t.deepEqual([datamart, ...rest], [place.datamartId, 'UserPoint', 2]);
	t.is(time % 3_600_000, 0);
	t.deepEqual((await viewOf(place, 'collections', body(['collection'], []))).rows.length, 6);
	const past = {date_ranges: [{start_date: '2020-01-01T00:00:00', end_date: '2020-12-31T23:59:59'}]};
	t.deepEqual((await viewOf(place, 'collections', body(['collection'], ['count'], past))).rows, []);
});

test('data ingestion counts events by name, channel and minute, and tells which activities came no further', async t => {
	const place = await newPlace();
	await bring(place, [visit(1), visit(2, ['buy', 'buy'])]);
	await service.database.run(sql =>
		sql('dead_letters').insert({
			datamart_id: place.datamartId,
			instance: 9,
			arrival: place.datamartId,
			reason: 'facts_failed',
			message: 'no rows',
			received_ms: Date.now(),
			created_ms: Date.now(),
		}),
	);
	const dimensions = ['event_name', 'channel_id', 'pipeline_step', 'error_type'];
	const request = body(dimensions, ['event_count', 'error_count'], {order_by: {field_name: 'event_name'}});
	t.deepEqual((await viewOf(place, 'data_ingestion', request)).rows, [
		['$page_view', 77, 'DOCUMENT_STORE', null, 1, 0],
		['buy', 77, 'DOCUMENT_STORE', null, 3, 0],
		[null, null, 'DOCUMENT_STORE', 'facts_failed', 0, 1],
	]);
	const minutes = await viewOf(place, 'data_ingestion', body(['date_yyyy_mm_dd_hh_mm'], ['event_count']));
	t.regex(minutes.rows[0][0], /^\d{4}-\d\d-\d\d \d\d:\d\d$/);
	t.deepEqual((await viewOf(place, 'data_ingestion', body([], ['error_count', 'event_count']))).rows, [
		[1, 4],
	]);
});

test('a report names what it misses or does not know, and changes nothing', async t => {
	const good = body(['source'], ['scan_cost']);
	const bad = async (change: object) => {
		const {status, body: said} = await service.post(`${MONITORING}/resources_usage`, {...good, ...change});
		return [status, said.error_code, said.errors?.[0].pointer];
	};
	for (const field of ['date_ranges', 'dimensions', 'metrics']) {
		t.deepEqual(await bad({[field]: undefined}), [400, 'field_invalid', `/${field}`]);
	}
	t.deepEqual(await bad({dimensions: [{name: 'event_type'}]}), [
		400,
		'dimension_unknown',
		'/dimensions/0/name',
	]);
	t.deepEqual(await bad({metrics: [{expression: 'users'}]}), [
		400,
		'metric_unknown',
		'/metrics/0/expression',
	]);
	const named = '/dimension_filter_clauses/filters/0/dimension_name';
	t.deepEqual(await bad(only('channel_id', [1])), [400, 'dimension_unknown', named]);
	const inverted = [{start_date: 'now', end_date: 'now-1d'}];
	t.deepEqual(await bad({date_ranges: inverted}), [400, 'date_range_inverted', '/date_ranges/0/end_date']);
	// Clients in the field leave the filters out, or send none.
	for (const clause of [undefined, null, {}, {operator: 'OR', filters: []}]) {
		const {status} = await service.post(`${MONITORING}/resources_usage`, {
			...good,
			dimension_filter_clauses: clause,
		});
		t.is(status, 200);
	}
	t.is((await clientOf(service.url).post(`${MONITORING}/resources_usage`, good)).status, 401);
	t.deepEqual((await viewOf(service, 'resources_usage', body([], []))).rows, []);
});

test('quotes, NUL, emoji and very long texts stay values in every filter of the cubes', async t => {
	for (const text of [`' OR 1=1 --`, '\\', 'a\u0000b', '💥', '%', '{p0:String}', 'x'.repeat(100_000)]) {
		for (const cube of ['resources_usage', 'collections', 'data_ingestion']) {
			const name = {resources_usage: 'sub_source', collections: 'collection', data_ingestion: 'event_name'}[
				cube
			]!;
			for (const operator of ['EXACT', 'LIKE']) {
				const request = body([name], [], only(name, [text], {operator}));
				t.deepEqual(
					(await viewOf(service, cube, request)).rows,
					[],
					`${cube} ${operator} ${text.slice(0, 20)}`,
				);
			}
		}
	}
});
