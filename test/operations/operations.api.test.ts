import {spawnSync} from 'node:child_process';
import {Writable} from 'node:stream';
import anyTest, {type TestFn} from 'ava';
import {clientOf, startTestService, type TestService} from '../support/service.ts';

const METRICS_TOKEN = 'metrics-are-read-with-this-alone';
const lines: string[] = [];
const logTo = new Writable({
	write(line, _, done) {
		lines.push(String(line));
		done();
	},
});

const test = anyTest as TestFn<{service: TestService; path: string}>;

test.before(async t => {
	const service = await startTestService({METRICS_TOKEN, SLOW_MS: '1', LOG_LEVEL: 'debug'}, undefined, logTo);
	t.context = {service, path: `/v1/datamarts/${service.datamartId}/user_activities`};
});
test.after.always(async t => t.context.service?.stop());

const asScraper = (url: string) => clientOf(url, METRICS_TOKEN).get('/metrics');

test('metrics are for whoever shows the configured token, and for nobody else', async t => {
	const {url, token} = t.context.service;
	const answers = await Promise.all([
		clientOf(url).get('/metrics'),
		clientOf(url, 'another').get('/metrics'),
		clientOf(url, token).get('/metrics'),
		asScraper(url),
	]);
	t.deepEqual(
		answers.map(({status}) => status),
		[401, 401, 401, 200],
	);
	t.is(answers[0].body.error_code, 'token_missing');
});

test('metrics tell of doors, drain, questions, statements, jobs, threads, memory and disk, well formed', async t => {
	const {service, path} = t.context;
	await service.post(`${path}?async=false`, {$type: 'SITE_VISIT', $user_agent_id: 'vec:metrics'});
	const report = await service.post(`/v1/datamarts/${service.datamartId}/user_analytics_funnel`, {
		for: [{name: 'any', filter_clause: {operator: 'AND', filters: []}}],
		in: {type: 'WINDOW', unit: 'DAY', offset: 7},
	});
	t.is(report.status, 200, JSON.stringify(report.body));
	const {body} = await asScraper(service.url);
	const value = (series: string) => {
		const line = body.split('\n').find((one: string) => one.startsWith(`${series} `));
		return line === undefined ? undefined : Number(line.split(' ')[1]);
	};
	const atLeast: readonly (readonly [string, number])[] = [
		['millrace_accepted_activities_total{door="single"}', 1],
		['millrace_drained_activities_total', 1],
		['millrace_query_seconds_count{name="funnel.steps"}', 1],
		['millrace_warehouse_seconds_count{name="funnel.steps"}', 1],
		['millrace_warehouse_read_rows_total{name="funnel.steps"}', 1],
		['millrace_queries_running{lane="heavy"}', 0],
		['millrace_thread_active_seconds_total{thread="main"}', 0.01],
		['millrace_thread_active_seconds_total{thread="drain"}', 0.001],
		['millrace_disk_free_bytes', 1],
		['millrace_disk_size_bytes', 1],
		['process_resident_memory_bytes', 1],
		['process_cpu_seconds_total', 0.1],
		['nodejs_eventloop_lag_p99_seconds', 0],
	];
	for (const [series, least] of atLeast) t.true((value(series) ?? -1) >= least, `${series} ${value(series)}`);
	if (process.platform === 'linux') t.true(value('millrace_engine_memory_bytes')! > 10_000_000);

	const promtool = spawnSync('promtool', ['check', 'metrics'], {input: body, encoding: 'utf8'});
	if (promtool.error) return void t.log('promtool is not installed: the form was not checked by it');
	const ours = `${promtool.stdout}${promtool.stderr}`
		.split('\n')
		.filter(line => line.startsWith('millrace_'));
	t.deepEqual(ours, []);
});

test('each answer carries the id of its request: the sender’s where it is sane, ours otherwise', async t => {
	const {service, path} = t.context;
	const visit = {$type: 'SITE_VISIT', $user_agent_id: 'vec:ids'};
	const given = async (id: string) =>
		(await service.post(path, visit, {'x-request-id': id})).headers.get('x-request-id');
	t.is(await given('trace-me.1/a:b=c'), 'trace-me.1/a:b=c');
	for (const odd of ['ann@example.org', 'two words', 'x'.repeat(129), '"'])
		t.regex((await given(odd))!, /^[\da-f-]{36}$/);
	const answers = await Promise.all([
		service.get('/health/live'),
		service.get('/v1/nothing', {'x-request-id': 'long-way'}),
		service.post(path, '{', {'x-request-id': 'short-way'}),
		service.post(path, '{'),
	]);
	t.regex(answers[0].headers.get('x-request-id')!, /^[\da-f-]{36}$/);
	t.is(answers[1].body.error_id, 'long-way');
	t.is(answers[2].body.error_id, 'short-way');
	t.is(answers[3].body.error_id, answers[3].headers.get('x-request-id'));
});

test('what was slow is in the log, by its request, and what nobody may read is not', async t => {
	const {service, path} = t.context;
	const headers = {'x-request-id': 'found-again'};
	const hidden = [
		'vec:nobody-reads-this',
		'reader@hidden.example',
		'a password typed wrong',
		'tok-nobody-knows',
	];
	const [agent, email, password, token] = hidden as [string, string, string, string];
	const visit = {
		$type: 'SITE_VISIT',
		$user_agent_id: agent,
		$user_identifiers: [{$type: 'USER_EMAIL', $hash: 'abc', $email: email}],
	};
	await service.post(`${path}?async=false`, visit, headers);
	await service.post(path, {...visit, $ts: agent});
	await service.post('/v1/authentication/access_tokens', {email, password});
	await clientOf(service.url, token).get('/v1/connected_user');
	await service.get(
		`/v1/datamarts/${service.datamartId}/user_timelines/user_agent_id=${agent}/user_activities`,
	);
	await service.get(`${path}/pixel.gif?token=${token}&activity=${encodeURIComponent(JSON.stringify(visit))}`);
	const logged = lines.map(line => JSON.parse(line));
	const slow = logged.find(line => line.requestId === 'found-again');
	t.like(slow, {level: 40, msg: 'a request was slow', method: 'POST', status: 200});
	t.is(slow.route, '/v1/datamarts/:datamartId/user_activities');
	t.truthy(logged.find(line => line.msg === 'a statement was slow' && line.name));
	const all = lines.join('');
	for (const secret of [...hidden, service.token, METRICS_TOKEN]) t.false(all.includes(secret), secret);
});
