import {setTimeout as delay} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {
	createWorkerClient,
	type WorkerClientOptions,
} from '../../../src/plugins/worker-client/worker-client.ts';
import {type Answering, busyFirst, send, startAnalyzerWorker} from '../../support/analyzer-worker.ts';
import {freePort} from '../../support/process.ts';

const ok: Answering = (_, response) => send(response, 200, {result: true});
/** It has done what it was asked for, and the connection goes before it can say so. */
const silent: Answering = (_, response) => void response.socket?.destroy();

async function workerThat(t: ExecutionContext, answering: Answering) {
	const worker = await startAnalyzerWorker(answering);
	t.teardown(() => worker.close());
	return worker;
}

function clientFor(t: ExecutionContext, options: Partial<WorkerClientOptions> = {}) {
	const client = createWorkerClient({allowedNetworks: ['127.0.0.0/8'], ...options});
	t.teardown(() => client.close());
	return client;
}

const at = (url: string, maxQps: number | null = null) => ({workerId: 'a worker', url, maxQps});
const SEND = {path: '/v1/email_routing', body: {call_id: '1'}, isOnce: true};

test('what may be done once only is not asked again where the request may have arrived', async t => {
	const worker = await workerThat(t, silent);
	const {callWorker} = clientFor(t);
	const error = await t.throwsAsync(callWorker({...SEND, worker: at(worker.url)}));
	t.regex(error?.message ?? '', /cannot be reached/);
	t.is(worker.requests.length, 1);
	await t.throwsAsync(callWorker({...SEND, worker: at(worker.url), isOnce: false}));
	t.is(worker.requests.length, 5, 'anything else is asked four times');
});

test('what may be done once only is asked again where nobody was there to hear it', async t => {
	const port = await freePort();
	const {callWorker} = clientFor(t);
	const answer = callWorker({...SEND, worker: at(`http://127.0.0.1:${port}`)});
	await delay(60);
	const worker = await startAnalyzerWorker(ok, port);
	t.teardown(() => worker.close());
	t.true((await answer).tries > 1);
	t.is(worker.requests.length, 1);
});

test('a worker that is too busy has done nothing: it is asked again', async t => {
	const worker = await workerThat(t, busyFirst(1, ok));
	const {callWorker} = clientFor(t);
	t.is((await callWorker({...SEND, worker: at(worker.url)})).tries, 2);
});

test('each send has a connection of its own: none that was kept can be closed under it', async t => {
	const worker = await workerThat(t, ok);
	const {callWorker} = clientFor(t);
	for (let time = 0; time < 3; time++) await callWorker({...SEND, worker: at(worker.url)});
	t.is(worker.connections, 3);
});

test('the patient book no turns ahead: whoever comes between waits for one turn, not for all of theirs', async t => {
	const worker = await workerThat(t, ok);
	const {callWorker, states} = clientFor(t);
	const address = at(worker.url, 10);
	const calls = Array.from({length: 8}, () =>
		callWorker({worker: address, path: '/v1/activity_analysis', body: {}, isPatient: true}),
	);
	await delay(20);
	const waitMs = states.takeTurn(`${address.workerId} ${address.url}`, 10) ?? Number.POSITIVE_INFINITY;
	t.true(waitMs <= 200, `${waitMs} ms`);
	await Promise.all(calls);
	t.is(worker.requests.length, 8);
});

test('large answers are read one after the other where there is room for one, and small ones at once', async t => {
	const large = 'x'.repeat(300_000);
	const worker = await workerThat(t, ({body}, response) =>
		send(response, 200, {text: body.large ? large : ''}),
	);
	const {callWorker} = clientFor(t, {answerRoom: {bytes: 400_000, bytesPerWorker: 400_000}});
	const ask = (isLarge: boolean, more: object = {}) =>
		callWorker({worker: at(worker.url), path: '/', body: {large: isLarge}, ...more});
	const answers = await Promise.all(Array.from({length: 6}, () => ask(true)));
	t.true(answers.every(answer => (answer.json() as {text: string}).text === large));
	const kept = await ask(true, {keepsPlace: true});
	const refused = ask(true, {deadlineMs: 300});
	t.deepEqual((await ask(false)).json(), {text: ''});
	await t.throwsAsync(refused, {message: /no room for more large answers/});
	kept.place?.leave();
	await t.notThrowsAsync(ask(true));
});
