import {once} from 'node:events';
import {createServer, type RequestListener} from 'node:http';
import type {AddressInfo} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import {Api, Unreachable} from '../../src/cli/api.ts';

async function serve(t: ExecutionContext, listener: RequestListener): Promise<string> {
	const server = createServer(listener).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function patientApi(url: string, maxAttempts = 4) {
	const waits: number[] = [];
	const wait = async (ms: number) => void waits.push(ms);
	return {api: new Api({url, token: 'secret', maxAttempts, wait}), waits};
}

test('a client told to come back later comes back exactly then', async t => {
	let calls = 0;
	const url = await serve(t, (request, response) => {
		calls++;
		t.is(request.headers.authorization, 'Bearer secret');
		if (calls === 1) response.writeHead(429, {'retry-after': '3'}).end('{"error":"slow down"}');
		else if (calls === 2) response.writeHead(503, {'retry-after': '1'}).end('{"error":"starting"}');
		else response.end('{"status":"ok","data":true}');
	});
	const {api, waits} = patientApi(url);
	t.deepEqual(await api.post('/v1/x', '{}'), {status: 200, body: {status: 'ok', data: true} as object});
	t.deepEqual(waits, [3000, 1000]);
});

test('a connection that breaks is tried again, ever more slowly, and given up at last', async t => {
	const url = await serve(t, request => void request.socket.destroy());
	const {api, waits} = patientApi(url);
	const error = await t.throwsAsync(api.post('/v1/x', '{}'), {instanceOf: Unreachable});
	t.regex(error!.message, /cannot be reached: .*tried 4 times/);
	t.is(waits.length, 3);
	t.true(waits[2]! > waits[0]!);
});

test("a refusal is an answer, with the service's own words", async t => {
	let calls = 0;
	const url = await serve(t, (_, response) => {
		calls++;
		response.writeHead(403).end('{"status":"error","error":"not yours","error_code":"role_insufficient"}');
	});
	const {api, waits} = patientApi(url);
	t.like(await api.get('/v1/x'), {status: 403, body: {error: 'not yours'}});
	t.is(calls, 1);
	t.deepEqual(waits, []);
});

test('an answer that is no JSON is shown by its beginning', async t => {
	const url = await serve(t, (_, response) => void response.writeHead(404).end('<html>nothing here</html>'));
	t.like(await patientApi(url).api.get('/'), {status: 404, body: {error: '<html>nothing here</html>'}});
});
