import {once} from 'node:events';
import {createServer, type RequestListener} from 'node:http';
import type {AddressInfo} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import {runLoad} from '../../benchmarks/ingestion/run-load.ts';

const LOAD = {token: 'mics:one', connections: 3, name: 'test', requests: 90, activitiesPerRequest: 1};

/** A server that reads whole requests; its listener is told how many there were before. */
async function server(
	t: ExecutionContext,
	answer: (number: number, ...exchange: Parameters<RequestListener>) => void,
): Promise<{url: string; bodies: string[]}> {
	const bodies: string[] = [];
	const listening = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		bodies.push(Buffer.concat(chunks).toString());
		answer(bodies.length - 1, request, response);
	}).listen(0, '127.0.0.1');
	t.teardown(() => {
		listening.close();
		listening.closeAllConnections();
	});
	await once(listening, 'listening');
	return {url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/activities`, bodies};
}

test('every request of a load is a whole activity with its token, and is answered', async t => {
	const tokens = new Set<string | undefined>();
	const {url, bodies} = await server(t, (_, request, response) => {
		tokens.add(request.headers.authorization);
		response.end('{"status":"ok"}');
	});

	const {requests, failures, p50Ms, p99Ms, maxMs} = await runLoad({...LOAD, url});

	t.deepEqual({requests, failures}, {requests: 90, failures: 0});
	t.deepEqual([...tokens], ['Bearer mics:one']);
	t.is(bodies.filter(body => JSON.parse(body).$type === 'SITE_VISIT').length, 90);
	t.true(p50Ms > 0 && p50Ms <= p99Ms && p99Ms <= maxMs);
});

test('an answer in pieces is one answer', async t => {
	const {url} = await server(t, (_, __, response) => {
		response.writeHead(200, {'Content-Length': 6});
		response.write('one');
		setTimeout(() => response.end('two'), 2);
	});

	const {requests, failures} = await runLoad({...LOAD, requests: 9, url});

	t.deepEqual({requests, failures}, {requests: 9, failures: 0});
});

test('an answer that is no success counts as a failure', async t => {
	const {url} = await server(t, (number, _, response) => {
		response.statusCode = number % 3 === 0 ? 503 : 200;
		response.end('{}');
	});

	const {requests, failures} = await runLoad({...LOAD, url});

	t.deepEqual({requests, failures}, {requests: 60, failures: 30});
});

test('a request whose connection breaks counts as a failure, and the load goes on over another', async t => {
	const {url} = await server(t, (number, request, response) => {
		if (number % 10 === 0) request.socket.destroy();
		else response.end('{}');
	});

	const {requests, failures} = await runLoad({...LOAD, url});

	t.deepEqual({requests, failures}, {requests: 81, failures: 9});
});

test('a request that is never answered counts as a failure', async t => {
	const {url} = await server(t, (number, _, response) => {
		if (number !== 5) response.end('{}');
	});

	const {requests, failures} = await runLoad({...LOAD, url}, {patienceMs: 200});

	t.deepEqual({requests, failures}, {requests: 89, failures: 1});
});

test('a load with a rate sends no faster', async t => {
	const arrivals: number[] = [];
	const {url} = await server(t, (_, __, response) => {
		arrivals.push(performance.now());
		response.end('{}');
	});
	const began = performance.now();

	await runLoad({...LOAD, url, requests: 20, perSecond: 100});

	t.true(arrivals.every((at, number) => at - began >= number * 10 - 2));
});

test('a server that is not there is an error, not a result', async t => {
	const {url} = await server(t, () => {});
	const gone = new URL(url);
	gone.port = '1';

	await t.throwsAsync(runLoad({...LOAD, url: gone.href}), {code: 'ECONNREFUSED'});
});
