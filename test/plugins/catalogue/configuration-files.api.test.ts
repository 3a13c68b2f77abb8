import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import anyTest, {type TestFn} from 'ava';
import {startPluginWorker} from '../../support/plugin-worker.ts';
import {data, LOCAL_WORKERS, makeAnalyzer, makePlugin} from '../../support/plugins.ts';
import {clientOf, startTestService, type TestService} from '../../support/service.ts';

const test = anyTest as TestFn<TestService>;

test.before(async t => {
	t.context = await startTestService(LOCAL_WORKERS);
});
test.after.always(async t => t.context?.stop?.());

/** Nothing in it survives being read as text. */
const BYTES = Uint8Array.from([0xef, 0xbb, 0xbf, 0, 1, 0xff, 0xfe, 10, 13]);

async function bytesOf(service: TestService, path: string) {
	const response = await fetch(service.url + path, {headers: {authorization: service.token}});
	return {
		status: response.status,
		type: response.headers.get('content-type'),
		bytes: new Uint8Array(await response.arrayBuffer()),
	};
}

test('a configuration file comes back byte by byte, is listed, and is replaced', async t => {
	const service = t.context;
	const {path} = await makePlugin(service, service.organisationId);
	const file = `${path}/configuration_file/technical_name=settings.json`;
	t.is((await service.get(file)).body.error_code, 'configuration_file_not_found');
	const stored = await fetch(service.url + file, {
		method: 'PUT',
		headers: {authorization: service.token},
		body: BYTES,
	});
	t.is(stored.status, 200);
	t.deepEqual(await bytesOf(service, file), {
		status: 200,
		type: 'application/octet-stream',
		bytes: BYTES,
	});
	t.deepEqual((await service.get(`${path}/configuration_file.listing`)).body.data, [
		{technical_name: 'settings.json'},
	]);
	data(await service.request('PUT', file, '{"a":1}'));
	t.is(Buffer.from((await bytesOf(service, file)).bytes).toString(), '{"a":1}');
	data(await service.request('PUT', file, ''));
	t.is((await bytesOf(service, file)).bytes.length, 0);
	t.is((await service.get(`${path}/configuration_file.listing`)).body.total, 1);
});

test('a name that cannot be one is refused, and so is one file too many', async t => {
	const service = t.context;
	const {path, version} = await makePlugin(service, service.organisationId);
	for (const name of ['..%2Fetc', '%20', '.hidden', 'a%00b', 'x'.repeat(129)]) {
		const answer = await service.request('PUT', `${path}/configuration_file/technical_name=${name}`, 'x');
		t.is(answer.status, 400, name);
	}
	const put = (name: string) =>
		service.request('PUT', `${path}/configuration_file/technical_name=${name}`, 'x');
	const common = {plugin_version_id: Number(version.id), content: '', creation_ts: 0, last_modified_ts: 0};
	const former = Array.from({length: 98}, (_, i) => ({...common, technical_name: `former-${i}`}));
	await service.database.run(sql => sql('configuration_files').insert(former));
	const answers = await Promise.all(Array.from({length: 5}, (_, i) => put(`file-${i}`)));
	t.is(answers.filter(({status}) => status === 200).length, 2);
	t.is(answers.filter(({body}) => body.error_code === 'configuration_files_excessive').length, 3);
	t.is((await service.get(`${path}/configuration_file.listing`)).body.total, 100);
});

test('a plugin worker reads and writes the files of its own version, and nobody else asks so', async t => {
	const service = t.context;
	const {path} = await makePlugin(service, service.organisationId);
	const other = await makePlugin(service, service.organisationId);
	const set = data(await service.request('PUT', `${path}/worker`, {url: 'http://127.0.0.1:9'}));
	const worker = await startPluginWorker({gateway: service.url});
	t.teardown(() => worker.close());
	worker.comeUp(set);
	const own = '/v1/configuration/technical_name=rules';
	t.is((await worker.ask(own)).status, 404);
	data(await service.request('PUT', `${other.path}/configuration_file/technical_name=rules`, 'others'));
	t.is((await worker.ask(own)).status, 404);
	data(await service.request('PUT', `${path}/configuration_file/technical_name=rules`, 'mine'));
	t.is(await (await worker.ask(own)).text(), 'mine');
	t.is((await worker.ask(own, {method: 'PUT', body: 'learnt'})).status, 200);
	t.is(
		Buffer.from((await bytesOf(service, `${path}/configuration_file/technical_name=rules`)).bytes).toString(),
		'learnt',
	);
	t.is((await service.get(own)).status, 403);
	t.is((await clientOf(service.url).get(own)).status, 401);
	const trail = await service.get(
		`/v1/organisations/${service.organisationId}/audit_events?event=configuration_file_stored`,
	);
	t.like(trail.body.data[0], {credential: 'worker', credential_id: set.worker_id, user_id: null});
});

test('all of it is there after a restart, and the worker’s credentials still open the door', async t => {
	const directory = mkdtempSync(join(tmpdir(), 'millrace-plugins-'));
	t.teardown(() => rmSync(directory, {recursive: true, force: true}));
	const first = await startTestService(LOCAL_WORKERS, directory);
	const made = await makePlugin(first, first.organisationId);
	const analyzer = await makeAnalyzer(first, made, {
		properties: [{technical_name: 'limit', value: {value: 4}}],
	});
	const set = data(await first.request('PUT', `${made.path}/worker`, {url: 'http://127.0.0.1:9'}));
	data(await first.request('PUT', `${made.path}/configuration_file/technical_name=a`, 'kept'));
	const channel = data(
		await first.post(`/v1/datamarts/${first.datamartId}/channels`, {name: 'shop', type: 'SITE'}),
	);
	const links = `/v1/channels/${channel.id}/visit_analyzer_models`;
	const link = data(await first.post(links, {visit_analyzer_model_id: analyzer.id}));
	await first.stop();

	const again = await startTestService(LOCAL_WORKERS, directory);
	t.teardown(() => again.stop());
	t.deepEqual(data(await again.get(links)), [link]);
	t.deepEqual(data(await again.get(`/v1/visit_analyzer_models/${analyzer.id}`)), analyzer);
	const worker = await startPluginWorker({gateway: again.url});
	t.teardown(() => worker.close());
	worker.comeUp(set);
	const response = await worker.ask(`/v1/activity_analyzers/${analyzer.id}/properties`);
	const properties = (await response.json()) as {data: {technical_name: string; value: object}[]};
	t.deepEqual(properties.data.find(each => each.technical_name === 'limit')?.value, {value: 4});
	t.is(await (await worker.ask('/v1/configuration/technical_name=a')).text(), 'kept');
});
