import anyTest, {type TestFn} from 'ava';
import {loadAnalyzerChains} from '../../../src/plugins/channel-links/analyzer-links.store.ts';
import {AnalyzerLinks} from '../../../src/plugins/channel-links/analyzer-links.ts';
import {RevisionWatcher} from '../../../src/postgres/revisions.ts';
import {data, LOCAL_WORKERS, makeAnalyzer, makePlugin} from '../../support/plugins.ts';
import {startTestService, type TestService} from '../../support/service.ts';
import {strangerTo, suborganisationOf} from '../../support/stranger.ts';

const test = anyTest as TestFn<TestService>;

test.before(async t => {
	t.context = await startTestService(LOCAL_WORKERS);
});
test.after.always(async t => t.context?.stop?.());

async function channel({datamartId, post}: TestService) {
	const made = data(await post(`/v1/datamarts/${datamartId}/channels`, {name: 'shop', type: 'SITE'}));
	return {id: made.id as string, path: `/v1/channels/${made.id}/visit_analyzer_models`};
}

interface Link {
	id: string;
	visit_analyzer_model_id: string;
	execution_order: number;
}

const orderOf = (links: Link[]) => links.map(each => each.visit_analyzer_model_id);

test('analyzers run in the order they were posted; the sixth is refused, and room is made by removing one', async t => {
	const service = t.context;
	const {get, post, request} = service;
	const made = await makePlugin(service, service.organisationId);
	const analyzers: {id: string}[] = [];
	for (let i = 0; i < 6; i++) analyzers.push(await makeAnalyzer(service, made, {name: `analyzer ${i}`}));
	const ids = analyzers.map(each => each.id);
	const {id, path} = await channel(service);

	for (const analyzer of [3, 1, 4, 0, 2]) {
		const link = data(await post(path, {channel_id: id, visit_analyzer_model_id: ids[analyzer]}));
		t.like(link, {channel_id: id, visit_analyzer_model_id: ids[analyzer]});
		t.is(typeof link.created_by, 'string');
	}
	const listed = await get(path);
	t.deepEqual(
		orderOf(listed.body.data),
		[3, 1, 4, 0, 2].map(each => ids[each]),
	);
	const orders = listed.body.data.map((each: Link) => each.execution_order);
	t.deepEqual(
		orders,
		[...orders].sort((a, b) => a - b),
	);
	t.like(listed.body, {count: 5, total: 5});

	const sixth = await post(path, {visit_analyzer_model_id: ids[5]});
	t.is(sixth.status, 400);
	t.is(sixth.body.error_code, 'channel_links_excessive');
	t.is((await get(path)).body.total, 5);

	const first = listed.body.data[0] as Link;
	t.deepEqual(data(await get(`${path}/${first.id}`)), first);
	t.is((await request('DELETE', `${path}/${first.id}`)).status, 200);
	t.is((await get(`${path}/${first.id}`)).body.error_code, 'channel_link_not_found');
	data(await post(path, {visit_analyzer_model_id: Number(ids[5])}));
	t.deepEqual(
		orderOf((await get(path)).body.data),
		[1, 4, 0, 2, 5].map(each => ids[each]),
	);
});

test('of ten that are posted at once five stand, each with a place of its own', async t => {
	const service = t.context;
	const analyzer = await makeAnalyzer(service, await makePlugin(service, service.organisationId));
	const {path} = await channel(service);
	const answers = await Promise.all(
		Array.from({length: 10}, () => service.post(path, {visit_analyzer_model_id: analyzer.id})),
	);
	t.is(answers.filter(({status}) => status === 200).length, 5);
	t.is(answers.filter(({body}) => body.error_code === 'channel_links_excessive').length, 5);
	const orders = (await service.get(path)).body.data.map((each: Link) => each.execution_order);
	t.deepEqual(orders, [1, 2, 3, 4, 5]);
});

test('what is no analyzer of the channel’s organisation is not linked, and another’s channel is not there', async t => {
	const service = t.context;
	const stranger = await strangerTo(service);
	const below = await suborganisationOf(service);
	const {path} = await channel(service);
	const router = await makePlugin(service, service.organisationId, 'EMAIL_ROUTER');
	const mailer = data(
		await service.post('/v1/email_routers', {
			name: 'mailer',
			organisation_id: service.organisationId,
			version_id: router.version.id,
		}),
	);
	const theirs = await makeAnalyzer(stranger, await makePlugin(stranger, stranger.organisationId));
	const lower = await makeAnalyzer(below, await makePlugin(below, below.organisationId));
	for (const id of [mailer.id, theirs.id, lower.id, '987654', 'x', null, undefined]) {
		const {status, body} = await service.post(path, {visit_analyzer_model_id: id});
		t.is(status, 400, String(id));
		t.is(body.errors[0].pointer, '/visit_analyzer_model_id');
	}
	for (const answer of [
		await stranger.get(path),
		await stranger.post(path, {visit_analyzer_model_id: theirs.id}),
		await service.get('/v1/channels/987654/visit_analyzer_models'),
	]) {
		t.is(answer.status, 404);
		t.is(answer.body.error, 'Resource Not Found');
	}
	// What an organisation above made may be used below.
	const shared = await makeAnalyzer(service, await makePlugin(service, service.organisationId));
	const datamart = data(
		await below.post('/v1/datamarts', {name: 'below', organisation_id: below.organisationId}),
	);
	const lowChannel = data(
		await below.post(`/v1/datamarts/${datamart.id}/channels`, {name: 'low', type: 'SITE'}),
	);
	const lowPath = `/v1/channels/${lowChannel.id}/visit_analyzer_models`;
	t.is((await below.post(lowPath, {visit_analyzer_model_id: shared.id})).status, 200);
});

test('every instance has the chains in memory within a second of a change, in order, with whom to call', async t => {
	const service = t.context;
	const made = await makePlugin(service, service.organisationId, 'ACTIVITY_ANALYZER', {max_qps: 5});
	const {id, path} = await channel(service);
	const load = () => loadAnalyzerChains(service.database, sealed => `${sealed.length} bytes`);
	const links = await AnalyzerLinks.open(load);
	const watcher = await RevisionWatcher.start(service.database);
	t.teardown(() => watcher.close());
	watcher.on('analyzers', () => links.refresh());
	const heard: number[] = [];
	links.onChange(chains => heard.push(chains.get(Number(id))?.length ?? 0));
	const until = async (isSo: () => boolean) => {
		const start = performance.now();
		while (!isSo() && performance.now() - start < 5_000) await new Promise(done => setTimeout(done, 20));
		return performance.now() - start;
	};
	const chain = () => links.linksOf(Number(id));
	t.deepEqual(chain(), []);

	const first = await makeAnalyzer(service, made, {error_recovery_strategy: 'DROP'});
	const second = await makeAnalyzer(service, made);
	for (const {id: analyzer} of [second, first]) {
		data(await service.post(path, {visit_analyzer_model_id: analyzer}));
	}
	t.true((await until(() => chain().length === 2)) < 1_000);
	t.deepEqual(
		chain().map(link => [link.analyzerId, link.errorRecoveryStrategy, link.worker]),
		[
			[Number(second.id), 'STORE_WITH_ERROR_ID', undefined],
			[Number(first.id), 'DROP', undefined],
		],
	);
	t.true(heard.includes(2));

	const worker = data(await service.request('PUT', `${made.path}/worker`, {url: 'http://127.0.0.1:9'}));
	t.true((await until(() => chain()[0]?.worker !== undefined)) < 1_000);
	t.like(chain()[0]!.worker, {
		url: 'http://127.0.0.1:9',
		workerId: worker.worker_id,
		maxQps: 5,
		pluginVersionId: Number(made.version.id),
	});
	await service.request('PUT', made.path, {max_qps: 7});
	t.true((await until(() => chain()[0]?.worker?.maxQps === 7)) < 1_000);
	await service.request('PUT', `/v1/visit_analyzer_models/${first.id}`, {
		error_recovery_strategy: 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS',
	});
	t.true((await until(() => chain()[1]?.errorRecoveryStrategy !== 'DROP')) < 1_000);
	await service.request('DELETE', `/v1/datamarts/${service.datamartId}/sites/${id}`);
	t.true((await until(() => chain().length === 0)) < 1_000);
});
