import {setTimeout as delay} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {
	createWorkerClient,
	type WorkerClientOptions,
} from '../../../src/plugins/worker-client/worker-client.ts';
import {WorkerError, type WorkerFault} from '../../../src/plugins/worker-client/worker-error.ts';
import {
	type AnalyzerWorker,
	type Answering,
	busyFirst,
	cutShort,
	hang,
	send,
	startAnalyzerWorker,
	status,
} from '../../support/analyzer-worker.ts';

const ok: Answering = (_, response) => send(response, 200, {status: 'ok'});

async function workerThat(t: ExecutionContext, answering: Answering): Promise<AnalyzerWorker> {
	const worker = await startAnalyzerWorker(answering);
	t.teardown(() => worker.close());
	return worker;
}

function clientFor(t: ExecutionContext, options: Partial<WorkerClientOptions> = {}) {
	const client = createWorkerClient({allowedNetworks: ['127.0.0.0/8'], ...options});
	t.teardown(() => client.close());
	return client;
}

const at = (url: string, maxQps: number | null = null) => ({workerId: `worker at ${url}`, url, maxQps});
const PATH = '/v1/activity_analysis';

async function failure(
	t: ExecutionContext,
	call: Promise<unknown>,
	fault: WorkerFault,
): Promise<WorkerError> {
	const error = await t.throwsAsync(call, {instanceOf: WorkerError});
	t.is(error?.fault, fault);
	t.is(error?.code, 'plugin_worker_failed');
	t.notRegex(error?.message ?? '', /127\.0\.0\.1|localhost|:\d{2,5}\b|\[::/, 'an error names no address');
	return error!;
}

test.serial(
	'a plugin worker is sent JSON, and its answer is read as JSON whatever its content type says',
	async t => {
		const worker = await workerThat(t, ok);
		const {callWorker} = clientFor(t);
		const answer = await callWorker({worker: at(worker.url), path: PATH, body: {a: 1}});
		t.deepEqual(answer.json(), {status: 'ok'});
		t.is(answer.tries, 1);
		const [request] = worker.requests;
		t.is(request?.method, 'POST');
		t.is(request?.path, PATH);
		t.deepEqual(request?.body, {a: 1});
		t.is(request?.headers['content-type'], 'application/json');
		t.is(request?.headers.authorization, undefined, 'the token of a worker is not sent around');
	},
);

test.serial('a worker below a path is called below it', async t => {
	const worker = await workerThat(t, ok);
	const {callWorker} = clientFor(t);
	await callWorker({worker: at(`${worker.url}/plugins/a`), path: '/v1/status', method: 'GET'});
	t.is(worker.requests[0]?.path, '/plugins/a/v1/status');
	t.is(worker.requests[0]?.method, 'GET');
});

test.serial('a busy worker is asked again, with pauses, until it answers', async t => {
	const worker = await workerThat(t, busyFirst(2, ok));
	const {callWorker} = clientFor(t);
	const answer = await callWorker({worker: at(worker.url), path: PATH, body: {}});
	t.is(answer.tries, 3);
	t.is(worker.requests.length, 3);
});

test.serial('a worker that stays busy fails at the deadline', async t => {
	const worker = await workerThat(t, busyFirst(1_000));
	const {callWorker} = clientFor(t);
	const error = await failure(t, callWorker({worker: at(worker.url), path: PATH, deadlineMs: 1_500}), 'busy');
	t.true(error.tries > 1);
	t.is(worker.requests.length, error.tries);
});

for (const code of [400, 404, 500, 503]) {
	test.serial(`a ${code} is an answer: it is not asked for again`, async t => {
		const worker = await workerThat(t, status(code));
		const {callWorker} = clientFor(t);
		const error = await failure(t, callWorker({worker: at(worker.url), path: PATH}), 'error_status');
		t.is(error.status, code);
		t.notRegex(error.message, /plugin\.ts/, 'what the plugin prints is kept back');
		t.is(worker.requests.length, 1);
	});
}

test.serial(
	'a connection that is refused is tried again, and an error says so without saying where',
	async t => {
		const worker = await workerThat(t, ok);
		await worker.close();
		const {callWorker} = clientFor(t);
		const error = await failure(t, callWorker({worker: at(worker.url), path: PATH}), 'unreachable');
		t.is(error.tries, 4);
		t.regex(error.message, /refused/);
	},
);

test.serial('a worker that comes up between two tries is reached', async t => {
	const gone = await workerThat(t, ok);
	await gone.close();
	const {callWorker} = clientFor(t);
	const call = callWorker({worker: at(gone.url), path: PATH});
	await delay(30);
	const back = await startAnalyzerWorker(ok, gone.port);
	t.teardown(() => back.close());
	t.is((await call).status, 200);
});

test.serial('connections are kept and used again', async t => {
	const worker = await workerThat(t, ok);
	const {callWorker} = clientFor(t);
	for (let call = 0; call < 20; call++) await callWorker({worker: at(worker.url), path: PATH, body: {}});
	t.is(worker.requests.length, 20);
	// The next call may come before the last connection is free again.
	t.true(worker.connections <= 3);
});

test.serial(
	'a kept connection that the worker has closed meanwhile costs another try, not the call',
	async t => {
		const worker = await workerThat(t, (request, response) => {
			if (request.index !== 1) return ok(request, response);
			response.socket?.destroy();
		});
		const {callWorker} = clientFor(t);
		await callWorker({worker: at(worker.url), path: PATH, body: {}});
		const answer = await callWorker({worker: at(worker.url), path: PATH, body: {}});
		t.is(answer.tries, 2);
	},
);

test.serial('an answer that breaks off has failed, and is not asked for again', async t => {
	const worker = await workerThat(t, cutShort);
	const {callWorker} = clientFor(t);
	await failure(t, callWorker({worker: at(worker.url), path: PATH}), 'answer_cut');
	t.is(worker.requests.length, 1);
});

test.serial('a worker that hangs is given up at the deadline', async t => {
	const worker = await workerThat(t, hang);
	const {callWorker} = clientFor(t);
	const began = performance.now();
	await failure(t, callWorker({worker: at(worker.url), path: PATH, deadlineMs: 200}), 'timed_out');
	t.true(performance.now() - began < 3_000);
	t.is(worker.requests.length, 1);
});

test.serial('a worker that hangs in the middle of its answer is given up at the deadline', async t => {
	const worker = await workerThat(t, (_, response) => {
		response.writeHead(200);
		response.write('{"status":');
	});
	const {callWorker} = clientFor(t);
	await failure(t, callWorker({worker: at(worker.url), path: PATH, deadlineMs: 200}), 'timed_out');
});

test.serial('sizes are capped both ways', async t => {
	const worker = await workerThat(t, (_, response) => send(response, 200, `"${'x'.repeat(3_000)}"`));
	const {callWorker} = clientFor(t, {maxAnswerBytes: 2_000, maxRequestBytes: 1_000});
	await failure(
		t,
		callWorker({worker: at(worker.url), path: PATH, body: 'é'.repeat(501)}),
		'request_too_large',
	);
	t.is(worker.requests.length, 0);
	await failure(t, callWorker({worker: at(worker.url), path: PATH, body: {}}), 'answer_too_large');
	// Without a length told beforehand as well.
	worker.answer((_, response) => {
		for (let part = 0; part < 30; part++) response.write('x'.repeat(100));
		response.end();
	});
	await failure(t, callWorker({worker: at(worker.url), path: PATH, body: {}}), 'answer_too_large');
});

test.serial('what is not JSON has failed', async t => {
	const worker = await workerThat(t, status(200, '<html>'));
	const {callWorker} = clientFor(t);
	const answer = await callWorker({worker: at(worker.url), path: PATH, body: {}});
	t.throws(() => answer.json(), {instanceOf: WorkerError, message: /JSON/});
});

test.serial('a redirect is not followed', async t => {
	const inner = await workerThat(t, ok);
	const worker = await workerThat(t, (_, response) => {
		response.writeHead(307, {location: inner.url});
		response.end();
	});
	const {callWorker} = clientFor(t);
	const error = await failure(t, callWorker({worker: at(worker.url), path: PATH}), 'error_status');
	t.is(error.status, 307);
	t.is(inner.requests.length, 0);
});

test.serial('an inner address is refused unless its network is listed, however it is written', async t => {
	const worker = await workerThat(t, ok);
	const {callWorker} = clientFor(t, {allowedNetworks: []});
	const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '[::1]', 'localhost', '0'];
	for (const host of hosts) {
		await failure(
			t,
			callWorker({worker: at(`http://${host}:${worker.port}`), path: PATH}),
			'address_refused',
		);
	}
	t.is(worker.connections, 0);
});

test.serial('only http and https are spoken', async t => {
	const {callWorker} = clientFor(t);
	for (const url of ['file:///etc', 'gopher://127.0.0.1', 'unix:/tmp/socket', 'nonsense']) {
		await failure(t, callWorker({worker: at(url), path: PATH}), 'address_refused');
	}
});

test.serial('whoever gives a call up is told so at once', async t => {
	const worker = await workerThat(t, hang);
	const {callWorker} = clientFor(t);
	const giveUp = new AbortController();
	const call = callWorker({worker: at(worker.url), path: PATH, signal: giveUp.signal});
	setTimeout(() => giveUp.abort(), 20);
	await failure(t, call, 'aborted');
	await failure(t, callWorker({worker: at(worker.url), path: PATH, signal: giveUp.signal}), 'aborted');
});

test.serial('after five failures in a row a worker is left alone; others are not', async t => {
	const away = await workerThat(t, ok);
	await away.close();
	const there = await workerThat(t, ok);
	const client = clientFor(t);
	const call = (url: string) => client.callWorker({worker: at(url), path: PATH});
	for (let time = 0; time < 5; time++) await failure(t, call(away.url), 'unreachable');
	t.is(client.states.resting, 1);
	const error = await failure(t, call(away.url), 'resting');
	t.is(error.tries, 0);
	t.is((await call(there.url)).status, 200);
});

test.serial(
	'a worker that is greeted before it is up is called once it is, however often it was greeted',
	async t => {
		let isUp = false;
		const worker = await workerThat(t, (request, response) => {
			if (isUp) ok(request, response);
			else response.socket?.destroy();
		});
		const client = clientFor(t);
		const call = () => client.callWorker({worker: at(worker.url), path: PATH});
		const greet = () => client.callWorker({worker: at(worker.url), path: PATH, evenResting: true});
		for (let time = 0; time < 6; time++) await failure(t, greet(), 'unreachable');
		t.is(client.states.resting, 0);
		for (let time = 0; time < 5; time++) await failure(t, call(), 'unreachable');
		await failure(t, call(), 'resting');
		isUp = true;
		// A greeting goes there all the same, and its answer ends the rest.
		t.is((await greet()).status, 200);
		t.is((await call()).status, 200);
	},
);

test.serial('a plugin that breaks on every activity is not left alone: it answers', async t => {
	const worker = await workerThat(t, status(500));
	const client = clientFor(t);
	for (let time = 0; time < 10; time++) {
		await failure(t, client.callWorker({worker: at(worker.url), path: PATH}), 'error_status');
	}
	t.is(client.states.resting, 0);
});

test.serial('max_qps spreads calls, over all threads that share the state', async t => {
	const worker = await workerThat(t, ok);
	const first = clientFor(t);
	const second = clientFor(t, {states: first.states.buffer});
	const began = performance.now();
	await Promise.all(
		Array.from({length: 10}, (_, index) =>
			(index % 2 ? first : second).callWorker({worker: at(worker.url, 40), path: PATH, body: {}}),
		),
	);
	// Ten calls, 25 ms apart, the first at once.
	t.true(performance.now() - began >= 220);
	t.is(worker.requests.length, 10);
});
