import anyTest, {type TestFn} from 'ava';
import {
	type AnalyzerWorker,
	adding,
	busyFirst,
	hang,
	send,
	startAnalyzerWorker,
	status,
} from '../../support/analyzer-worker.ts';
import {linkAnalyzer} from '../../support/analyzers.ts';
import {startTestService, type TestService} from '../../support/service.ts';

const test = anyTest as TestFn<{service: TestService; worker: AnalyzerWorker}>;

test.before(async t => {
	const worker = await startAnalyzerWorker();
	const service = await startTestService({PLUGIN_WORKER_ALLOWED_NETWORKS: '127.0.0.0/8'});
	t.context = {service, worker};
});
test.after.always(async t => {
	await t.context.service?.stop();
	await t.context.worker?.close();
});

async function newChannel({service}: {service: TestService}, type = 'SITE') {
	const body = {name: 'a channel', type};
	const {data} = (await service.post(`/v1/datamarts/${service.datamartId}/channels`, body)).body;
	return data as {id: string; token: string};
}

const door = (service: TestService, query = '') =>
	`/v1/datamarts/${service.datamartId}/user_activities${query}`;

const visit = (channelId: string, person: string, more: object = {}) => ({
	$type: 'SITE_VISIT',
	$ts: Date.now(),
	$site_id: channelId,
	$user_agent_id: `vec:${person}`,
	$events: [{$event_name: '$page_view'}],
	...more,
});

async function timeline(service: TestService, person: string) {
	const selector = `user_agent_id=vec:${person}`;
	const answer = await service.get(
		`/v1/datamarts/${service.datamartId}/user_timelines/${selector}/user_activities`,
	);
	return answer.body.data ?? [];
}

const traces = (service: TestService, rest: string) =>
	`/v1/datamarts/${service.datamartId}/activity_traces${rest}`;

test.serial(
	'an activity of a channel with an analyzer is answered at once, and stored as the analyzer made it',
	async t => {
		const {service, worker} = t.context;
		worker.answer(adding({recognised: 'yes'}));
		const channel = await newChannel(t.context);
		const {analyzerId} = await linkAnalyzer(service, {
			organisationId: service.organisationId,
			channelId: channel.id,
			url: worker.url,
		});
		const answer = await service.post(door(service, '?async=false'), visit(channel.id, 'ann'));
		t.deepEqual(answer.body, {status: 'ok', data: true});
		const [activity] = await timeline(service, 'ann');
		t.is(activity.recognised, 'yes');
		t.is(activity.processed_by, analyzerId);
		t.is(activity.$user_agent_id, 'vec:ann');
		t.is(activity.$events[0].processed_by, analyzerId);
	},
);

test.serial(
	'arrays, lines and the pixel go through analyzers as well; processing_pipeline=false does not',
	async t => {
		const {service, worker} = t.context;
		worker.answer(adding({recognised: 'yes'}));
		const channel = await newChannel(t.context);
		await linkAnalyzer(service, {
			organisationId: service.organisationId,
			channelId: channel.id,
			url: worker.url,
		});
		const many = await service.post(door(service, '?async=false'), [
			visit(channel.id, 'bea'),
			visit('7', 'bea'),
		]);
		t.is(many.body.data.records.length, 2);
		const lines = [visit(channel.id, 'bea'), visit(channel.id, 'bea')]
			.map(each => JSON.stringify(each))
			.join('\n');
		await service.request('POST', door(service, '?async=false'), lines, {
			'content-type': 'application/x-ndjson',
		});
		const pixel = encodeURIComponent(JSON.stringify(visit(channel.id, 'bea')));
		const loaded = await fetch(
			`${service.url}${door(service)}/pixel.gif?token=${channel.token}&activity=${pixel}`,
		);
		t.is(loaded.status, 200);
		await service.post(door(service, '?async=false&processing_pipeline=false'), visit(channel.id, 'bea'));
		let seen = await timeline(service, 'bea');
		for (let look = 0; look < 100 && seen.length < 6; look++) {
			await new Promise(resolve => setTimeout(resolve, 50));
			seen = await timeline(service, 'bea');
		}
		t.is(seen.length, 6);
		t.is(seen.filter((each: {recognised?: string}) => each.recognised === 'yes').length, 4);
	},
);

test.serial(
	'an administrator sees each step of an activity’s way, by its $unique_key and by the error it carries',
	async t => {
		const {service, worker} = t.context;
		const channel = await newChannel(t.context);
		const link = () =>
			linkAnalyzer(service, {
				organisationId: service.organisationId,
				channelId: channel.id,
				url: worker.url,
			});
		const [first, second] = [await link(), await link()];
		worker.answer((request, response) => {
			if (request.body?.activity_analyzer_id !== second.analyzerId) {
				return adding({$topics: {shoes: {red: 1}}, $ts: null})(request, response);
			}
			status(500)(request, response);
		});
		const activity = visit(channel.id, 'cleo', {$unique_key: 'order 66'});
		await service.post(door(service, '?async=false'), activity);
		const {body, status: code} = await service.get(traces(service, '/order%2066'));
		t.is(code, 200);
		const trace = body.data;
		t.is(trace.outcome, 'STORED_WITH_ERROR');
		t.is(trace.channel_id, channel.id);
		t.deepEqual(
			trace.steps.map((step: Record<string, unknown>) => [
				step.activity_analyzer_id,
				step.status,
				step.error_code,
			]),
			[
				[first.analyzerId, 'ok', undefined],
				[second.analyzerId, 'error', 'error_status'],
			],
		);
		t.deepEqual(trace.steps[0].changes, [
			{path: '/$ts', change: 'changed'},
			{path: '/$topics', change: 'added'},
		]);
		t.true(trace.steps[0].duration > 0 && trace.steps[0].start_ts <= Date.now());
		const [stored] = await timeline(service, 'cleo');
		t.is(stored.$error_analyzer_id, trace.steps[1].error_id);
		t.is(stored.processed_by, first.analyzerId);
		for (const id of [stored.$error_analyzer_id, trace.id]) {
			t.deepEqual((await service.get(traces(service, `/${id}`))).body.data, trace);
		}
		const listed = await service.get(
			traces(service, `?error_id=${stored.$error_analyzer_id}&outcome=STORED_WITH_ERROR`),
		);
		t.deepEqual(listed.body.data, [trace]);
		t.is(listed.body.total, 1);
		const none = await service.get(traces(service, `?channel_id=${channel.id}&outcome=DROPPED`));
		t.deepEqual(none.body.data, []);
		t.false(JSON.stringify(body).includes('cleo'), 'a trace tells no identifier');
	},
);

test.serial(
	'a trace that is not there is not found, and a question that is wrong names its field',
	async t => {
		const {service} = t.context;
		for (const id of ['1-99999999', 'nonsense', '00000000-0000-4000-8000-000000000000']) {
			const {status: code, body} = await service.get(traces(service, `/${id}`));
			t.is(code, 404);
			t.is(body.error, 'Resource Not Found');
		}
		const bad = await service.get(traces(service, '?channel_id=x'));
		t.is(bad.status, 400);
		t.is(bad.body.errors[0].pointer, '?channel_id');
	},
);

test.serial('an activity that is dropped is in no report, and its trace says who dropped it', async t => {
	const {service, worker} = t.context;
	worker.answer(({body}, response) => send(response, 200, {status: 'error', data: body?.activity}));
	const channel = await newChannel(t.context);
	await linkAnalyzer(service, {
		organisationId: service.organisationId,
		channelId: channel.id,
		url: worker.url,
		strategy: 'DROP',
	});
	const answer = await service.post(
		door(service, '?async=false'),
		visit(channel.id, 'dora', {$unique_key: 'dropped'}),
	);
	t.is(answer.status, 200);
	t.deepEqual(await timeline(service, 'dora'), []);
	t.is((await service.get(traces(service, '/dropped'))).body.data.outcome, 'DROPPED');
});

test.serial('a busy worker is asked again; one that hangs does not hold up the other channels', async t => {
	const {service, worker} = t.context;
	const [stuck, free] = [await newChannel(t.context), await newChannel(t.context)];
	const hanging = await startAnalyzerWorker(hang);
	t.teardown(() => hanging.close());
	const {organisationId} = service;
	await linkAnalyzer(service, {organisationId, channelId: stuck.id, url: hanging.url});
	await linkAnalyzer(service, {organisationId, channelId: free.id, url: worker.url});
	worker.answer(busyFirst(2, adding({recognised: 'yes'})));
	await service.post(
		door(service),
		Array.from({length: 100}, () => visit(stuck.id, 'eve')),
	);
	await service.post(door(service, '?async=false'), visit(free.id, 'fay'));
	t.is((await timeline(service, 'fay'))[0].recognised, 'yes');
	t.deepEqual(await timeline(service, 'eve'), [], 'the other is still with its worker');
	const metrics = String((await fetch(`${service.url}/metrics`).then(response => response.text())) ?? '');
	t.regex(metrics, /millrace_chain_waiting_activities 100\n/);
	t.regex(metrics, /millrace_analyzer_calls_total\{result="ok"\} \d+/);
});
