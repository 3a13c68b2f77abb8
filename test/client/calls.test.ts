import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import {setTimeout as delay} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {
	type ClientOptions,
	MillraceClient,
	MillraceError,
	RefusedError,
	UnreachableError,
} from '../../src/client/index.ts';

interface Seen {
	readonly method: string;
	readonly url: string;
	readonly headers: IncomingMessage['headers'];
	readonly body: string;
}

type Answer = (response: ServerResponse, call: number, request: IncomingMessage) => void;

/** A service that answers by a rule, and a client of it that notes its waits instead of waiting. */
async function against(t: ExecutionContext, answer: Answer, options: Partial<ClientOptions> = {}) {
	const seen: Seen[] = [];
	const server = createServer(async (request, response) => {
		const {method = '', url = '', headers} = request;
		seen.push({method, url, headers, body: await text(request)});
		answer(response, seen.length, request);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const waits: number[] = [];
	const wait = async (ms: number) => void waits.push(ms);
	return {client: new MillraceClient({url, token: 'secret', wait, ...options}), seen, waits, url};
}

const OK = '{"status":"ok","data":[]}';
const refusal = (code: string, more: object = {}) =>
	JSON.stringify({status: 'error', error: 'no', error_code: code, error_id: 'e-1', ...more});
const channels = (client: MillraceClient) =>
	client.get('/v1/datamarts/{datamartId}/channels', {path: {datamartId: 1}});
const newUser = (client: MillraceClient) =>
	client.post('/v1/users', {
		body: {organisation_id: '1', first_name: 'Ann', last_name: 'Example', email: 'ann@example.org'},
	});

test('a client told to come back later comes back exactly then', async t => {
	const {client, seen, waits} = await against(t, (response, call) => {
		if (call === 1) response.writeHead(429, {'retry-after': '3'}).end(refusal('rate_limit_exceeded'));
		else if (call === 2) response.writeHead(503, {'retry-after': '0'}).end(refusal('store_unavailable'));
		else response.end(OK);
	});
	t.deepEqual(await channels(client), []);
	t.deepEqual(waits, [3000, 0]);
	t.is(seen[2]!.headers.authorization, 'Bearer secret');
});

test('a date in Retry-After is waited for as well', async t => {
	const {client, waits} = await against(t, (response, call) => {
		if (call > 1) return response.end(OK);
		const date = new Date(Date.now() + 20_000).toUTCString();
		return response.writeHead(503, {'retry-after': date}).end(refusal('store_unavailable'));
	});
	await channels(client);
	t.true(waits[0]! > 15_000 && waits[0]! <= 20_000, String(waits[0]));
});

test('a service that asks for more patience than there is gets its refusal thrown, not an early return', async t => {
	const {client, seen} = await against(t, response => {
		response.writeHead(503, {'retry-after': '3600'}).end(refusal('store_unavailable'));
	});
	const error = await t.throwsAsync(channels(client), {instanceOf: RefusedError});
	t.like(error, {status: 503, retryAfterMs: 3_600_000, attempts: 1});
	t.is(seen.length, 1);
});

test('tries have a bound, and waits grow between them', async t => {
	const {client, seen, waits} = await against(t, response => void response.writeHead(503).end('down'), {
		maxAttempts: 4,
	});
	const error = await t.throwsAsync(channels(client), {instanceOf: RefusedError, message: /tried 4 times/});
	t.like(error, {status: 503, error: 'down', errorCode: undefined, attempts: 4});
	t.is(seen.length, 4);
	t.is(waits.length, 3);
	t.true(waits[2]! > waits[0]!);
});

test('a connection that breaks is tried again where that does no harm', async t => {
	const retries: string[] = [];
	const {client, seen} = await against(
		t,
		(response, call, request) => {
			if (call < 3) request.socket.destroy();
			else response.end(OK);
		},
		{onRetry: ({reason, attempt}) => retries.push(`${attempt}: ${reason}`)},
	);
	t.deepEqual(await channels(client), []);
	t.is(seen.length, 3);
	t.is(retries.length, 2);
	t.regex(retries[1]!, /^3: .*cannot be reached/);
});

test('what would be made twice is never sent again after a lost answer, nor after a 502 or a 503', async t => {
	const rules: [string, Answer, string][] = [
		['a broken connection', (_, __, request) => void request.socket.destroy(), 'UnreachableError'],
		['a gateway', response => void response.writeHead(502).end('bad gateway'), 'RefusedError'],
		[
			'stores that went away',
			response => void response.writeHead(503, {'retry-after': '1'}).end(refusal('store_unavailable')),
			'RefusedError',
		],
	];
	for (const [what, rule, name] of rules) {
		const {client, seen} = await against(t, rule);
		const error = await t.throwsAsync(newUser(client), {name}, what);
		t.true(error instanceof MillraceError, what);
		if (error instanceof UnreachableError) t.true(error.mayHaveBeenTaken, what);
		t.is(seen.length, 1, what);
	}
});

test('it is sent again where it certainly was not taken: too many requests, or nobody listening', async t => {
	const {client, seen, waits} = await against(t, (response, call) => {
		if (call === 1) response.writeHead(429, {'retry-after': '2'}).end(refusal('rate_limit_exceeded'));
		else response.end('{"status":"ok","data":{"id":"5"}}');
	});
	t.like(await newUser(client), {id: '5'});
	t.is(seen.length, 2);
	t.deepEqual(waits, [2000]);

	const nobody = createServer().listen(0, '127.0.0.1');
	await once(nobody, 'listening');
	const {port} = nobody.address() as AddressInfo;
	nobody.close();
	await once(nobody, 'close');
	let tries = 0;
	const lonely = new MillraceClient({
		url: `http://127.0.0.1:${port}`,
		maxAttempts: 3,
		wait: async () => void tries++,
	});
	const error = await t.throwsAsync(newUser(lonely), {instanceOf: UnreachableError});
	t.is(tries, 2);
	t.false((error as UnreachableError).mayHaveBeenTaken);
});

test('activities have a key of their own, the same in every attempt, and one that is given is kept', async t => {
	const {client, seen} = await against(t, (response, call, request) => {
		if (call === 1) request.socket.destroy();
		else response.end('{"status":"ok","data":true}');
	});
	const path = '/v1/datamarts/{datamartId}/user_activities';
	const body = {$type: 'SITE_VISIT'};
	t.true(await client.post(path, {path: {datamartId: 1}, body}));
	await client.post(path, {path: {datamartId: 1}, body});
	await client.post(path, {path: {datamartId: 1}, body, headers: {'Idempotency-Key': 'mine'}});
	const [lost, again, other, given] = seen.map(({headers}) => headers['idempotency-key']);
	t.regex(String(lost), /^[0-9a-f-]{36}$/);
	t.is(again, lost);
	t.not(other, lost);
	t.is(given, 'mine');
});

test('a question that is asked by POST is asked again, and what the caller calls repeatable as well', async t => {
	const answer: Answer = (response, call) => {
		if (call % 2 === 1) response.writeHead(503).end();
		else response.end(OK);
	};
	const {client, seen} = await against(t, answer);
	await client.post('/v1/datamarts/{datamartId}/user_analytics_funnel', {
		path: {datamartId: 1},
		raw: {content: '{}', type: 'application/json'},
	});
	await client.post('/v1/organisations', {body: {name: 'x', community_id: '1'} as never, repeatable: true});
	t.is(seen.length, 4);
	t.is(seen[1]!.headers['content-type'], 'application/json');
});

test('a refusal is told with its status, code, id and fields, and asked for once', async t => {
	const {client, seen} = await against(t, response => {
		const errors = [
			{pointer: '/for/0/name', message: 'is needed'},
			{pointer: '/in', message: 'is needed'},
		];
		response.writeHead(400).end(refusal('field_invalid', {errors}));
	});
	const error = await t.throwsAsync(channels(client), {instanceOf: RefusedError});
	t.like(error, {
		status: 400,
		error: 'no',
		errorCode: 'field_invalid',
		errorId: 'e-1',
		pointers: ['/for/0/name', '/in'],
		message: 'GET /v1/datamarts/1/channels: 400 no',
	});
	t.is(seen.length, 1);
});

test('what would fail again, or had better not be tried again unasked, is told at once', async t => {
	const rules = [
		[502, 'plugin_worker_failed'],
		[504, 'query_timed_out'],
		[429, 'logins_excessive'],
		[403, 'role_insufficient'],
	] as const;
	for (const [status, code] of rules) {
		const {client, seen} = await against(t, response => {
			response.writeHead(status, {'retry-after': '1'}).end(refusal(code));
		});
		const error = await t.throwsAsync(channels(client), {instanceOf: RefusedError}, code);
		t.like(error, {status, errorCode: code});
		t.is(seen.length, 1, code);
	}
});

test('a file is sent as it lies there in every attempt, and read into memory only to be signed', async t => {
	class WatchedFile extends Blob {
		reads = 0;
		override arrayBuffer() {
			this.reads++;
			return super.arrayBuffer();
		}
	}
	const content = new WatchedFile(['{"$type":"APP_VISIT"}']);
	const answer: Answer = (response, call) =>
		void (call % 2 ? response.writeHead(503).end() : response.end(OK));
	const {client, seen, url} = await against(t, answer);
	const send = (who: MillraceClient) =>
		who.post('/v1/datamarts/{datamartId}/user_activities', {
			path: {datamartId: 1},
			raw: {content, type: 'application/json'},
		});
	await send(client);
	t.is(content.reads, 0);
	const signingKey = {keyId: 'app', secretKey: 'f'.repeat(32)};
	await send(new MillraceClient({url, signingKey, wait: async () => {}}));
	t.is(content.reads, 2);
	t.deepEqual(
		seen.map(({body}) => body),
		Array(4).fill('{"$type":"APP_VISIT"}'),
	);
	t.is(seen[0]!.headers['content-type'], 'application/json');
});

test('nothing to send is nothing sent', async t => {
	const {client, seen} = await against(t, response => void response.end(OK));
	t.deepEqual(await client.sendLines(1, []), []);
	t.like(await client.sendActivities(1, []), {accepted: 0, records: []});
	t.is(seen.length, 0);
});

test('an answer of something else than the service is a refusal that shows its beginning', async t => {
	const {client} = await against(t, (response, call, {url = ''}) => {
		if (call === 1) response.end('<html>log in first</html>');
		else response.writeHead(302, {location: `${url}?elsewhere`}).end();
	});
	await t.throwsAsync(channels(client), {instanceOf: RefusedError, message: /no answer of Millrace: <html>/});
	await t.throwsAsync(channels(client), {instanceOf: RefusedError, message: /302/});
});

test('an answer that does not come in time, or breaks off in the middle, is none', async t => {
	const silent = await against(t, () => {}, {maxAttempts: 1, timeoutMs: 100});
	await t.throwsAsync(newUser(silent.client), {
		instanceOf: UnreachableError,
		message: /no answer within 0\.1 s; it may have been taken$/,
	});
	await t.throwsAsync(channels(silent.client), {
		instanceOf: UnreachableError,
		message: /no answer within 0\.1 s$/,
	});
	const broken = await against(t, (response, call) => {
		if (call > 1) return void response.end(OK);
		response.writeHead(200, {'content-length': '100'}).write('{"status":"ok",');
		setTimeout(() => response.destroy(), 50);
	});
	t.deepEqual(await channels(broken.client), []);
	t.is(broken.seen.length, 2);
});

test('a caller who gives up is let go at once, with their own reason, in a call as well as in a wait', async t => {
	const reason = new Error('changed my mind');
	const controllers: AbortController[] = [];
	const giveUp = () => setTimeout(() => controllers.at(-1)?.abort(reason), 50);
	const call = (client: MillraceClient) => {
		const controller = new AbortController();
		controllers.push(controller);
		const path = {datamartId: 1};
		return client.get('/v1/datamarts/{datamartId}/channels', {path, signal: controller.signal});
	};
	const {url} = await against(t, giveUp);
	t.is(await t.throwsAsync(call(new MillraceClient({url}))), reason);
	const busy = await against(t, response => {
		response.writeHead(503, {'retry-after': '30'}).end(refusal('store_unavailable'));
		giveUp();
	});
	t.is(await t.throwsAsync(call(new MillraceClient({url: busy.url}))), reason);
	await delay(10);
	t.is(busy.seen.length, 1);
});

test('a token that is asked for before every attempt may be another one by then', async t => {
	let asked = 0;
	const {client, seen} = await against(
		t,
		(response, call) => void (call === 1 ? response.writeHead(503).end() : response.end(OK)),
		{token: async () => `token-${++asked}`},
	);
	await channels(client);
	t.deepEqual(
		seen.map(({headers}) => headers.authorization),
		['Bearer token-1', 'Bearer token-2'],
	);
});

test('a signed call that is tried again is signed anew and keeps its key', async t => {
	const {client, seen} = await against(
		t,
		(response, call) => {
			if (call === 1) setTimeout(() => response.writeHead(503).end(), 5);
			else response.end('{"status":"ok","data":true}');
		},
		{token: undefined, signingKey: {keyId: 'app', secretKey: 'f'.repeat(32)}},
	);
	const path = {datamartId: 1};
	await client.post('/v1/datamarts/{datamartId}/user_activities', {path, body: {$type: 'APP_VISIT'}});
	const [first, second] = seen.map(({headers}) => headers);
	t.not(first!['x-svc-ts'], second!['x-svc-ts']);
	t.not(first!['x-svc-mac'], second!['x-svc-mac']);
	t.is(first!['idempotency-key'], second!['idempotency-key']);
	t.is(first!.authorization, undefined);
});

test('an address that is none is refused before anything is sent', t => {
	t.throws(() => new MillraceClient({url: 'shop.example'}), {instanceOf: TypeError});
});
