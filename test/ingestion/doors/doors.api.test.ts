import anyTest, {type TestFn} from 'ava';
import {MAX_PIXEL_BYTES} from '../../../src/ingestion/pixel/pixel.ts';
import {clientOf, startTestService, type TestService} from '../../support/service.ts';

interface Context {
	service: TestService;
	site: {id: string; token: string};
	app: {id: string; token: string};
	/** A second datamart of the same organisation. */
	otherDatamartId: string;
}

const test = anyTest as TestFn<Context>;

test.before(async t => {
	const service = await startTestService();
	const channels = await service.get(`/v1/datamarts/${service.datamartId}/channels`);
	const ofType = (type: string) =>
		channels.body.data.find((channel: {type: string}) => channel.type === type) as Context['site'];
	const other = await service.post('/v1/datamarts', {
		name: 'other',
		organisation_id: service.organisationId,
		time_zone: 'UTC',
	});
	t.is(other.status, 200, JSON.stringify(other.body));
	t.context = {
		service,
		site: ofType('SITE'),
		app: ofType('MOBILE_APPLICATION'),
		otherDatamartId: other.body.data.id,
	};
});
test.after.always(t => t.context.service?.stop());

let people = 0;
/** An activity of somebody nobody has seen before. */
function visit(more: object = {}) {
	people += 1;
	return {$type: 'SITE_VISIT', $user_agent_id: `vec:door-${people}-${Date.now()}`, ...more};
}

/** The user's activities, once everything accepted before is queryable. */
async function timelineOf(service: TestService, agentId: string) {
	// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service says.
	const answer: any = await service.post(
		`/v1/datamarts/${service.datamartId}/user_activities?async=false`,
		visit({$type: 'MARKER'}),
	);
	if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
	const path = `/v1/datamarts/${service.datamartId}/user_timelines/user_agent_id=${agentId}/user_activities`;
	return (await service.get(path)).body;
}

const pixelPath = (datamartId: string) => `/v1/datamarts/${datamartId}/user_activities/pixel.gif`;

function pixel({service, site}: Context, query: Record<string, string>, datamartId = service.datamartId) {
	const search = new URLSearchParams({token: site.token, ...query});
	return fetch(`${service.url}${pixelPath(datamartId)}?${search}`, {
		headers: {'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'},
	});
}

test('a page tracks with its channel’s public token, bare or after Bearer, and the visit is the channel’s', async t => {
	const {service, site} = t.context;
	for (const prefix of ['', 'Bearer ']) {
		const activity = visit({$events: [{$event_name: '$page_view'}]});
		const {status, body} = await clientOf(service.url).post(
			`/v1/datamarts/${service.datamartId}/user_activities`,
			activity,
			{authorization: prefix + site.token},
		);
		t.deepEqual([status, body], [200, {status: 'ok', data: true}]);
		const timeline = await timelineOf(service, activity.$user_agent_id);
		t.is(timeline.data.length, 1, JSON.stringify(timeline));
		t.is(timeline.data[0].$site_id, site.id);
	}
});

test('an app’s batch is stamped record by record, and a record for another channel is told apart', async t => {
	const {service, site, app} = t.context;
	const good = visit({$type: 'APP_VISIT'});
	const {status, body} = await clientOf(service.url).post(
		`/v1/datamarts/${service.datamartId}/user_activities`,
		[good, visit({$site_id: site.id}), visit({$app_id: app.id})],
		{authorization: app.token},
	);
	t.is(status, 200);
	t.deepEqual(
		body.data.records.map((record: {result: string}) => record.result),
		['accepted', 'rejected', 'accepted'],
	);
	t.is(body.data.records[1].error.errors[0].pointer, '/1/$site_id');
	t.is((await timelineOf(service, good.$user_agent_id)).data[0].$app_id, app.id);
});

test('a public token opens the activities of its datamart and nothing else that is served', async t => {
	const {service, site} = t.context;
	const tracking = new Set(['user_activities', 'user_activities/pixel.gif', 'user_activities/pixel']);
	const stranger = clientOf(service.url);
	let asked = 0;
	for (const route of service.routes) {
		for (const pattern of [route.path, ...(route.aliases ?? [])]) {
			const path = pattern
				.replace(':datamartId', service.datamartId)
				.replace(':organisationId', service.organisationId)
				.replaceAll(/:\w+/g, '1');
			if (route.action === 'public') continue;
			if (tracking.has(pattern.replace('/v1/datamarts/:datamartId/', ''))) continue;
			const {status, body} = await stranger.request(
				route.method,
				path,
				route.method === 'GET' || route.method === 'DELETE' ? undefined : {},
				{authorization: site.token},
			);
			t.true([401, 403, 404].includes(status), `${route.method} ${path}: ${status}`);
			t.is(body.data, undefined);
			// In the query it opens nothing at all but the pixel.
			const inQuery = await stranger.request(
				route.method,
				`${path}?token=${site.token}`,
				route.method === 'GET' || route.method === 'DELETE' ? undefined : {},
			);
			t.is(inQuery.status, 401, `${route.method} ${path}?token=`);
			asked += 1;
		}
	}
	t.true(asked > 15, `${asked} routes were tried`);
	const activities = `/v1/datamarts/${service.datamartId}/user_activities`;
	t.is((await stranger.post(`${activities}?token=${site.token}`, visit())).status, 401);
});

test('another datamart is not there for a public token, be it of the same organisation', async t => {
	const {service, site, otherDatamartId} = t.context;
	const stranger = clientOf(service.url);
	const own = `/v1/datamarts/${otherDatamartId}/user_activities`;
	t.is((await service.post(own, visit())).status, 200, 'it exists');
	for (const id of [otherDatamartId, '4711', 'x']) {
		const {status, body} = await stranger.post(`/v1/datamarts/${id}/user_activities`, visit(), {
			authorization: site.token,
		});
		t.is(status, 404);
		t.is(body.error_code, 'datamart_not_found');
		t.is((await pixel(t.context, {activity: JSON.stringify(visit())}, id)).status, 404);
	}
});

test('a page that can only load an image is tracked by it, with the browser it came with', async t => {
	const {service, site} = t.context;
	const json = visit({$events: [{$event_name: '$page_view', $properties: {name: 'Café + thé & 50%'}}]});
	const packed = visit({$events: [{$event_name: '$page_view', $properties: {name: '日本'}}]});
	const answers = await Promise.all([
		pixel(t.context, {activity: JSON.stringify(json)}),
		pixel(t.context, {activity: Buffer.from(JSON.stringify(packed)).toString('base64url')}),
	]);
	for (const answer of answers) {
		t.is(answer.status, 200);
		t.is(answer.headers.get('content-type'), 'image/gif');
		t.is(answer.headers.get('cache-control'), 'no-store');
		t.is(answer.headers.get('cross-origin-resource-policy'), 'cross-origin');
		const gif = Buffer.from(await answer.arrayBuffer());
		t.is(gif.subarray(0, 6).toString('latin1'), 'GIF89a');
		t.deepEqual([gif.readUInt16LE(6), gif.readUInt16LE(8)], [1, 1], 'one pixel');
	}
	for (const {$user_agent_id: agent, $events: events} of [json, packed] as never as {
		$user_agent_id: string;
		$events: {$properties: {name: string}}[];
	}[]) {
		const timeline = await timelineOf(service, agent);
		t.is(timeline.data.length, 1, JSON.stringify(timeline));
		t.is(timeline.data[0].$site_id, site.id);
		t.is(timeline.data[0].$events[0].$properties.name, events[0]!.$properties.name);
	}
});

test('looking whether the image is there is no visit', async t => {
	const {service, site} = t.context;
	const activity = visit();
	const search = new URLSearchParams({token: site.token, activity: JSON.stringify(activity)});
	const answer = await fetch(`${service.url}${pixelPath(service.datamartId)}?${search}`, {method: 'HEAD'});
	t.is(answer.status, 200);
	t.is((await timelineOf(service, activity.$user_agent_id)).error_code, 'user_point_not_found');
});

test('the pixel refuses in JSON, by name', async t => {
	const {service} = t.context;
	const activity = JSON.stringify(visit());
	const filler = MAX_PIXEL_BYTES - JSON.stringify(visit({filler: ''})).length;
	const cases: [string, Record<string, string>, number, string][] = [
		['no activity', {}, 400, 'field_invalid'],
		['an empty one', {activity: ''}, 400, 'field_invalid'],
		['half of one', {activity: activity.slice(0, 20)}, 400, 'json_malformed'],
		['neither JSON nor base64url', {activity: 'hello, you!'}, 400, 'json_malformed'],
		['an array', {activity: `[${activity}]`}, 400, 'json_malformed'],
		[
			'an array, packed',
			{activity: Buffer.from(`[${activity}]`).toString('base64url')},
			400,
			'field_invalid',
		],
		['one without a type', {activity: '{"$ts":1700000000000}'}, 400, 'field_invalid'],
		['another channel’s', {activity: JSON.stringify(visit({$site_id: '4711'}))}, 400, 'field_invalid'],
		[
			'one too long',
			{activity: JSON.stringify(visit({filler: 'x'.repeat(filler + 9)}))},
			413,
			'body_too_large',
		],
		['an unknown token', {activity, token: 'made-up'}, 401, 'token_unknown'],
		['no token', {activity, token: ''}, 401, 'token_unknown'],
		['a person’s token', {activity, token: service.token}, 401, 'token_unknown'],
	];
	for (const [title, query, status, code] of cases) {
		const answer = await pixel(t.context, query);
		const body = (await answer.json()) as {error_code: string; error: string};
		t.deepEqual([answer.status, body.error_code], [status, code], title);
		if (status === 413) t.true(body.error.includes(`${MAX_PIXEL_BYTES} bytes`));
	}
	const full = await pixel(t.context, {activity: JSON.stringify(visit({filler: 'x'.repeat(filler - 9)}))});
	t.is(full.status, 200, 'one just short enough is taken');
});

test('a person’s token may stand in the pixel’s header, as on every route', async t => {
	const {service} = t.context;
	const activity = visit({$site_id: '4711'});
	const search = new URLSearchParams({activity: JSON.stringify(activity)});
	const {status} = await service.get(`${pixelPath(service.datamartId)}?${search}`);
	t.is(status, 200);
	t.is((await timelineOf(service, activity.$user_agent_id)).data[0].$site_id, '4711');
});

test('a channel that is removed takes its token along', async t => {
	const {service} = t.context;
	const made = await service.post(`/v1/datamarts/${service.datamartId}/channels`, {
		name: 'short-lived',
		type: 'SITE',
		token: 'short.lived',
	});
	t.is(made.status, 200, JSON.stringify(made.body));
	const post = () =>
		clientOf(service.url).post(`/v1/datamarts/${service.datamartId}/user_activities`, visit(), {
			authorization: 'short.lived',
		});
	t.is((await post()).status, 200);
	await service.request('DELETE', `/v1/datamarts/${service.datamartId}/sites/${made.body.data.id}`);
	t.is((await post()).body.error_code, 'token_unknown');
});
