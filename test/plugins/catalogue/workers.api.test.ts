import {setTimeout as delay} from 'node:timers/promises';
import anyTest, {type TestFn} from 'ava';
import {newWorkerCredentials} from '../../../src/identity/worker-credentials/worker-credentials.ts';
import {workerStore} from '../../../src/plugins/workers/workers.store.ts';
import {startPluginWorker} from '../../support/plugin-worker.ts';
import {data, LOCAL_WORKERS, makeAnalyzer, makePlugin} from '../../support/plugins.ts';
import {startTestService, type TestService} from '../../support/service.ts';
import {strangerTo, suborganisationOf} from '../../support/stranger.ts';

const test = anyTest as TestFn<TestService>;

test.before(async t => {
	t.context = await startTestService(LOCAL_WORKERS);
});
test.after.always(async t => t.context?.stop?.());

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9';

const basic = (id: string, token: string) => ({
	authorization: `Basic ${Buffer.from(`${id}:${token}`).toString('base64')}`,
});

/** A client without a token of its own: the header says who asks. */
async function as(
	service: TestService,
	headers: Record<string, string>,
	path: string,
	init: RequestInit = {},
) {
	const response = await fetch(service.url + path, {...init, headers});
	const text = await response.text();
	return {status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text};
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
	for (let i = 0; i < 200; i++) {
		if (await isSo()) return true;
		await delay(50);
	}
	return false;
}

test('credentials are there before the plugin worker is, and it is greeted once it comes up', async t => {
	const service = t.context;
	const {path} = await makePlugin(service, service.organisationId);
	// One of the kind that knows nothing before it is told.
	const worker = await startPluginWorker({gateway: service.url, isDown: true});
	t.teardown(() => worker.close());
	const set = data(await service.request('PUT', `${path}/worker`, {url: `${worker.url}/`}));
	t.like(set, {url: worker.url, reachable: false});
	t.regex(set.worker_id, /^[0-9a-f]{24}$/);
	t.regex(set.authentication_token, /^worker-[0-9A-Za-z]{42}$/);
	t.like(data(await service.get(`${path}/worker`)), {reachable: false, authentication_token: null});
	t.is(data(await service.get(path)).status, 'ACTIVE');

	worker.comeUp();
	t.true(await until(async () => data(await service.get(`${path}/worker`)).reachable));
	t.deepEqual(worker.told, {worker_id: set.worker_id, authentication_token: set.authentication_token});
	t.like(data(await service.get(`${path}/containers`))[0], {id: set.worker_id, status: 'RUNNING'});
	t.is((await worker.ask('/v1/configuration/technical_name=settings.json')).status, 404);
});

test('the token is shown once, the same address keeps it, another address and a rotation end it', async t => {
	const service = t.context;
	const {path} = await makePlugin(service, service.organisationId);
	const analyzer = await makeAnalyzer(service, {
		plugin: (await service.get(path)).body.data,
		version: {},
		path,
	});
	const reads = `/v1/activity_analyzers/${analyzer.id}`;
	const works = async ({worker_id: id, authentication_token: token}: Record<string, string>) =>
		(await as(service, basic(id!, token!), reads)).status;

	const first = data(await service.request('PUT', `${path}/worker`, {url: NOWHERE}));
	t.is(await works(first), 200);
	const same = data(await service.request('PUT', `${path}/worker`, {url: `${NOWHERE}/`}));
	t.like(same, {worker_id: first.worker_id, authentication_token: null});
	t.is(await works(first), 200);

	const rotated = data(await service.post(`${path}/worker/rotation`, {}));
	t.is(rotated.worker_id, first.worker_id);
	t.not(rotated.authentication_token, first.authentication_token);
	t.is(await works(first), 401);
	t.is(await works(rotated), 200);

	const moved = data(await service.request('PUT', `${path}/worker`, {url: 'http://127.0.0.1:10'}));
	t.not(moved.worker_id, first.worker_id);
	t.is(await works(rotated), 401);
	t.is(await works(moved), 200);

	t.is((await service.request('DELETE', `${path}/worker`)).status, 200);
	t.is(await works(moved), 401);
	t.is((await service.get(`${path}/worker`)).body.error_code, 'plugin_worker_not_found');
	t.is((await service.post(`${path}/worker/rotation`, {})).status, 404);
	t.deepEqual(data(await service.get(`${path}/containers`)), []);
});

test('credentials that are rotated while the worker moves stay those of the new place', async t => {
	const service = t.context;
	const {path, version} = await makePlugin(service, service.organisationId);
	const moved = data(await service.request('PUT', `${path}/worker`, {url: NOWHERE}));
	const {digest, workerId} = newWorkerCredentials();
	const former = {workerId, digest, tokenSealed: Buffer.from('sealed')};
	t.is(await workerStore(service.database).renew(Number(version.id), former), undefined);
	t.is(data(await service.get(`${path}/worker`)).worker_id, moved.worker_id);
});

test('an address that is none, or in a network nobody allowed, is refused and nothing is stored', async t => {
	const service = t.context;
	const {path} = await makePlugin(service, service.organisationId);
	const urls = [
		...[
			'',
			'worker',
			'ftp://127.0.0.1',
			'http://user:pass@127.0.0.1',
			'http://127.0.0.1/?a=b',
			'http://10.0.0.1',
		],
		...[
			'http://[::1]:80',
			'http://169.254.169.254/latest',
			'http://[::ffff:10.0.0.1]',
			'http://2130706433.0x7f',
		],
	];
	for (const url of urls) {
		const {status, body} = await service.request('PUT', `${path}/worker`, {url});
		if (url.endsWith('0x7f')) continue;
		t.is(status, 400, url);
		t.is(body.errors[0].pointer, '/url', url);
	}
	const missing = await service.request('PUT', `${path}/worker`, {});
	t.is(missing.body.errors[0].pointer, '/url');
});

test('a plugin worker makes its own calls within its organisation, and no others', async t => {
	const service = t.context;
	const {organisationId, datamartId} = service;
	const stranger = await strangerTo(service);
	const below = await suborganisationOf(service);
	const made = await makePlugin(service, organisationId);
	const other = await makePlugin(service, organisationId);
	const own = await makeAnalyzer(service, made);
	const sibling = await makeAnalyzer(service, other);
	const theirs = await makeAnalyzer(stranger, await makePlugin(stranger, stranger.organisationId));
	const lower = await makeAnalyzer(below, made, {organisation_id: below.organisationId});
	const lowerSibling = await makeAnalyzer(below, other, {organisation_id: below.organisationId});
	const {worker_id: id, authentication_token: token} = data(
		await service.request('PUT', `${made.path}/worker`, {url: NOWHERE}),
	);
	const get = (path: string) => as(service, basic(id, token), path);

	for (const {id: analyzer} of [own, sibling, lower]) {
		t.is((await get(`/v1/activity_analyzers/${analyzer}`)).body.data.id, analyzer);
		t.is((await get(`/v1/activity_analyzers/${analyzer}/properties`)).body.count, 5);
	}
	// Below its organisation it sees what it serves; elsewhere nothing.
	for (const {id: analyzer} of [lowerSibling, theirs]) {
		t.is((await get(`/v1/activity_analyzers/${analyzer}`)).body.error, 'Resource Not Found');
		t.is((await get(`/v1/activity_analyzers/${analyzer}/properties`)).status, 404);
	}
	const refused = [
		...['/v1/connected_user', '/v1/plugins', made.path, `/v1/visit_analyzer_models/${own.id}`],
		...['/v1/activity_analyzers', `/v1/datamarts/${datamartId}/channels`, '/v1/organisations'],
		...[`/v1/organisations/${organisationId}/audit_events`, `${made.path}/worker`],
	];
	for (const path of refused) t.is((await get(path)).status, 403, path);
	const activities = `/v1/datamarts/${datamartId}/user_activities`;
	const bounce = {
		$type: 'EMAIL',
		$ts: Date.now(),
		$email_hash: {$hash: 'abc'},
		$events: [{$event_name: '$email_hard_bounce', $properties: {$delivery_id: '1'}}],
	};
	const post = {method: 'POST', body: JSON.stringify(bounce)};
	t.is((await as(service, basic(id, token), activities, post)).status, 200);
	const datamarts = await stranger.get(`/v1/datamarts?organisation_id=${stranger.organisationId}`);
	t.is(datamarts.status, 200);
	t.is((await as(service, basic(id, token), '/v1/datamarts/987654/user_activities', post)).status, 404);
});

test('a plugin worker reaches the organisations that use its plugin, and those below them', async t => {
	const service = t.context;
	const below = await suborganisationOf(service);
	const made = await makePlugin(service, service.organisationId);
	const {worker_id: id, authentication_token: token} = data(
		await service.request('PUT', `${made.path}/worker`, {url: NOWHERE}),
	);
	const file = (organisationId: string) => `svc://data_file/tenants/${organisationId}/plugin/words.txt`;
	const put = (client: Pick<TestService, 'request'>, organisationId: string) =>
		client.request('PUT', `/v1/data_file/data?uri=${file(organisationId)}&name=words.txt`, {words: 1});
	t.is((await put(service, service.organisationId)).status, 200);
	t.is((await put(service, below.organisationId)).status, 200);
	const bounce = {$type: 'EMAIL', $ts: Date.now(), $email_hash: {$hash: 'abcdef'}};
	const reach = async () => ({
		own: (await as(service, basic(id, token), `/v1/data_file/data?uri=${file(service.organisationId)}`))
			.status,
		below: (await as(service, basic(id, token), `/v1/data_file/data?uri=${file(below.organisationId)}`))
			.status,
		activities: (
			await as(service, basic(id, token), `/v1/datamarts/${service.datamartId}/user_activities`, {
				method: 'POST',
				body: JSON.stringify(bounce),
			})
		).status,
	});
	t.deepEqual(await reach(), {own: 404, below: 404, activities: 404}, 'nobody uses its plugin');
	const lower = await makeAnalyzer(below, made, {organisation_id: below.organisationId});
	t.deepEqual(await reach(), {own: 404, below: 200, activities: 404});
	await makeAnalyzer(service, made);
	t.deepEqual(await reach(), {own: 200, below: 200, activities: 200}, 'what is shared is used below as well');
	t.is((await service.request('DELETE', `/v1/visit_analyzer_models/${lower.id}`)).status, 200);
	t.deepEqual(await reach(), {own: 200, below: 200, activities: 200});
});

test('wrong credentials are one answer, whatever is wrong with them', async t => {
	const service = t.context;
	const {path} = await makePlugin(service, service.organisationId);
	const {worker_id: id, authentication_token: token} = data(
		await service.request('PUT', `${path}/worker`, {url: NOWHERE}),
	);
	const answers = await Promise.all([
		as(service, basic(id, 'x'), '/v1/activity_analyzers/1'),
		as(service, basic('nobody', token), '/v1/activity_analyzers/1'),
		as(service, basic(id, `${token} `), '/v1/activity_analyzers/1'),
		as(service, basic(id, ''), '/v1/activity_analyzers/1'),
	]);
	const strip = ({status, body}: (typeof answers)[number]) => ({status, body: {...body, error_id: ''}});
	for (const answer of answers) t.deepEqual(strip(answer), strip(answers[0]!));
	t.is(answers[0]!.status, 401);
	t.is((await as(service, {authorization: 'Basic %%%'}, '/v1/activity_analyzers/1')).status, 401);
	t.is((await as(service, {authorization: `Bearer ${token}`}, '/v1/activity_analyzers/1')).status, 401);
});

test('a worker fetches its instance and properties in parallel, once, and works with them', async t => {
	const service = t.context;
	const made = await makePlugin(service, service.organisationId);
	const analyzer = await makeAnalyzer(service, made, {
		properties: [{technical_name: 'field', value: {value: 'title'}}],
	});
	const worker = await startPluginWorker({
		gateway: service.url,
		isDown: true,
		analyse: (activity, {properties}) => ({...activity, field: properties.get('field').value.value}),
	});
	t.teardown(() => worker.close());
	worker.comeUp(data(await service.request('PUT', `${made.path}/worker`, {url: worker.url})));
	const call = async () => {
		const response = await fetch(`${worker.url}/v1/activity_analysis`, {
			method: 'POST',
			body: JSON.stringify({
				activity_analyzer_id: analyzer.id,
				datamart_id: '1',
				activity: {$type: 'SITE_VISIT'},
			}),
		});
		return JSON.parse(await response.text());
	};
	const both = await Promise.all([call(), call()]);
	for (const answer of both) t.deepEqual(answer.data, {$type: 'SITE_VISIT', field: 'title'});
	await call();
	const base = `/v1/activity_analyzers/${analyzer.id}`;
	t.deepEqual(worker.asked, [base, `${base}/properties`]);
});

test('an activity goes through a plugin worker that was linked, with the settings of its instance', async t => {
	const service = t.context;
	const made = await makePlugin(service, service.organisationId);
	const analyzer = await makeAnalyzer(service, made, {
		properties: [{technical_name: 'field', value: {value: 'cleaned'}}],
	});
	const worker = await startPluginWorker({
		gateway: service.url,
		isDown: true,
		analyse: (activity, {properties}) => ({...activity, topic: properties.get('field').value.value}),
	});
	t.teardown(() => worker.close());
	worker.comeUp(data(await service.request('PUT', `${made.path}/worker`, {url: worker.url})));
	const channels = `/v1/datamarts/${service.datamartId}/channels`;
	const channel = data(await service.post(channels, {name: 'shop', type: 'SITE'}));
	data(
		await service.post(`/v1/channels/${channel.id}/visit_analyzer_models`, {
			visit_analyzer_model_id: analyzer.id,
		}),
	);
	data(
		await service.post(`/v1/datamarts/${service.datamartId}/user_activities?async=false`, {
			$type: 'SITE_VISIT',
			$ts: Date.now(),
			$site_id: channel.id,
			$user_agent_id: 'vec:analysed',
			$events: [{$event_name: '$page_view', $ts: Date.now(), $properties: {}}],
		}),
	);
	const timeline = `/v1/datamarts/${service.datamartId}/user_timelines/user_agent_id=vec:analysed/user_activities`;
	const [activity] = data(await service.get(timeline));
	t.like(activity, {topic: 'cleaned', processed_by: analyzer.id});
	t.deepEqual([...worker.asked].sort(), [
		`/v1/activity_analyzers/${analyzer.id}`,
		`/v1/activity_analyzers/${analyzer.id}/properties`,
	]);
});

test('an email router asks for its properties alone, and reports a bounce with its own credentials', async t => {
	const service = t.context;
	const made = await makePlugin(service, service.organisationId, 'EMAIL_ROUTER');
	const router = data(
		await service.post('/v1/email_routers', {
			name: 'mailer',
			organisation_id: service.organisationId,
			version_id: made.version.id,
		}),
	);
	const worker = await startPluginWorker({
		gateway: service.url,
		isDown: true,
		route: (_, {properties}) => ({result: properties.get('limit').value.value === 3}),
	});
	t.teardown(() => worker.close());
	worker.comeUp(data(await service.request('PUT', `${made.path}/worker`, {url: worker.url})));
	const routed = await fetch(`${worker.url}/v1/email_routing`, {
		method: 'POST',
		body: JSON.stringify({email_router_id: router.id, user_identifiers: []}),
	});
	t.deepEqual(JSON.parse(await routed.text()), {result: true});
	t.deepEqual(worker.asked, [`/v1/email_routers/${router.id}/properties`]);
	t.is((await worker.ask(`/v1/email_routers/${router.id}`)).status, 403);
	const bounce = {
		$type: 'EMAIL',
		$email_hash: {$hash: 'abc'},
		$events: [{$event_name: '$email_hard_bounce'}],
	};
	const path = `/v1/datamarts/${service.datamartId}/user_activities`;
	t.is((await worker.ask(path, {method: 'POST', body: JSON.stringify(bounce)})).status, 200);
});

test('who set a worker and who rotated its token is in the trail, the token is not', async t => {
	const service = t.context;
	const {path, version} = await makePlugin(service, service.organisationId);
	const set = data(await service.request('PUT', `${path}/worker`, {url: NOWHERE}));
	const rotated = data(await service.post(`${path}/worker/rotation`, {}));
	const trail = await service.get(`/v1/organisations/${service.organisationId}/audit_events?max_results=500`);
	const events = trail.body.data.filter((each: {resource_id: string}) => each.resource_id === version.id);
	const names = events.map((each: {event: string}) => each.event);
	for (const name of ['plugin_worker_changed', 'plugin_worker_rotated', 'plugin_version_created']) {
		t.true(names.includes(name), name);
	}
	const text = JSON.stringify(trail.body);
	t.false(text.includes(set.authentication_token));
	t.false(text.includes(rotated.authentication_token));
});
