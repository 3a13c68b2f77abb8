import anyTest, {type TestFn} from 'ava';
import {send, startAnalyzerWorker} from '../../support/analyzer-worker.ts';
import {data, LOCAL_WORKERS, makePlugin} from '../../support/plugins.ts';
import {startTestService, type TestService} from '../../support/service.ts';
import {colleagueOf} from '../../support/stranger.ts';

const test = anyTest as TestFn<TestService>;

test.before(async t => {
	t.context = await startTestService(LOCAL_WORKERS);
});
test.after.always(async t => t.context?.stop?.());

test('an administrator asks what runs where a version’s worker is, and what it logs', async t => {
	const service = t.context;
	const levels: string[] = [];
	const worker = await startAnalyzerWorker(({method, path, body}, response) => {
		if (path === '/v1/metadata') return send(response, 200, {runtime: 'node', plugin_version: '1.0.0'});
		if (path !== '/v1/log_level') return send(response, 404, '<html>');
		if (method === 'PUT') levels.push(body.level);
		send(response, 200, method === 'PUT' ? '' : {level: levels.at(-1) ?? 'INFO'});
	});
	t.teardown(() => worker.close());
	const {path} = await makePlugin(service, service.organisationId);
	const ask = (action: unknown, args?: unknown) => service.post(`${path}/containers/action`, {action, args});
	t.is((await ask('CHECK')).body.error, 'Resource Not Found');
	await service.request('PUT', `${path}/worker`, {url: worker.url});
	t.like(data(await ask('check')), {action: 'CHECK', container: {status: 'RUNNING'}, result: null});
	t.deepEqual(data(await ask('GET_METADATA')).result, {runtime: 'node', plugin_version: '1.0.0'});
	t.is(data(await ask('SET_LOG_LEVEL', {level: 'DEBUG'})).result, null);
	t.deepEqual(data(await ask('GET_LOG_LEVEL')).result, {level: 'DEBUG'});
	for (const [action, args, pointer] of [
		['RESTART', undefined, '/action'],
		[undefined, undefined, '/action'],
		['SET_LOG_LEVEL', undefined, '/args'],
		['SET_LOG_LEVEL', {}, '/args/level'],
	] as const) {
		const refused = await ask(action, args);
		t.is(refused.status, 400);
		t.is(refused.body.errors[0].pointer, pointer);
	}
	await worker.close();
	t.is((await ask('GET_METADATA')).body.error_code, 'plugin_worker_failed');
	t.like(data(await ask('CHECK')), {container: {status: 'UNREACHABLE'}});
	const reader = await colleagueOf(service, 'EDITOR');
	t.is((await reader.post(`${path}/containers/action`, {action: 'CHECK'})).status, 403);
});
