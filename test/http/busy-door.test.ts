import {once} from 'node:events';
import {createServer} from 'node:http';
import {type AddressInfo, connect} from 'node:net';
import anyTest, {type TestFn} from 'ava';
import {pino} from 'pino';
import {mount} from '../../src/http/mount.ts';
import {route} from '../../src/http/route.ts';
import type {Principal} from '../../src/identity/principal.ts';
import {datamartNumber, directoryOf} from '../support/ingestion.ts';
import {startTestService, type TestService} from '../support/service.ts';

const test = anyTest as TestFn<{service: TestService; path: string}>;

test.before(async t => {
	const service = await startTestService({});
	t.context = {service, path: `/v1/datamarts/${service.datamartId}/user_activities`};
});
test.after.always(async t => t.context.service?.stop());

interface Wire {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/** One request over a connection of its own, byte for byte as given; its head may come before its body. */
async function exchange(url: string, head: readonly string[], body: string, pauseMs = 0): Promise<Wire> {
	const {hostname, port} = new URL(url);
	const socket = connect(Number(port), hostname);
	await once(socket, 'connect');
	const [line = '', ...headers] = head;
	const wanted = [line, 'Host: localhost', 'Connection: close', ...headers];
	socket.write(`${wanted.join('\r\n')}\r\n\r\n`);
	if (pauseMs > 0) await new Promise(resolve => setTimeout(resolve, pauseMs));
	if (body !== '') socket.write(body);
	let text = '';
	for await (const piece of socket.setEncoding('utf8')) text += piece;
	const [top = '', rest = ''] = text.split('\r\n\r\n');
	const [status = '', ...lines] = top.split('\r\n');
	return {
		status: Number(status.split(' ')[1]),
		headers: Object.fromEntries(lines.map(one => one.split(': ') as [string, string])),
		body: rest,
	};
}

/** What differs from request to request. */
function comparable({status, headers, body}: Wire): object {
	const {Date: _, 'Content-Length': length, 'X-Request-Id': requestId, ...others} = headers;
	const told = body === '' ? body : JSON.parse(body);
	// An error is found by the id of its request.
	if (told.error_id !== undefined) told.error_id = told.error_id === requestId;
	return {
		status,
		headers: others,
		hasId: /^[\da-f-]{36}$/.test(requestId ?? ''),
		isWhole: Number(length) === Buffer.byteLength(body),
		told,
	};
}

const TRACKER: Principal = {kind: 'channel', channelId: 1, datamartId: 7, organisationId: 1};
const VISIT = {$type: 'SITE_VISIT', $user_agent_id: 'vec:busy', $events: [{$event_name: '$home_view'}]};

const CASES: readonly {
	readonly name: string;
	readonly path?: (path: string) => string;
	readonly token?: string | undefined;
	readonly body: string;
	readonly headers?: readonly string[];
}[] = [
	{name: 'an activity', body: JSON.stringify(VISIT)},
	{name: 'an activity behind a byte order mark', body: `\uFEFF${JSON.stringify(VISIT)}`},
	{name: 'a list', body: JSON.stringify([VISIT, {}, VISIT])},
	{name: 'lines', body: `${JSON.stringify(VISIT)}\n{}\n`, headers: ['Content-Type: application/x-ndjson']},
	{name: 'a list with nothing valid', body: '[{}, 1]'},
	{name: 'no activity', body: '{"$type": 1, "$events": [{}]}'},
	{name: 'no JSON', body: '{"$type": '},
	{name: 'nothing', body: ''},
	{name: 'a compartment of nobody', body: JSON.stringify({...VISIT, $compartment_id: 'none'})},
	{name: 'an Idempotency-Key that is too long', body: '{}', headers: [`Idempotency-Key: ${'k'.repeat(300)}`]},
	{name: 'a token of nobody', body: JSON.stringify(VISIT), token: 'Bearer nobody'},
	{name: 'two tokens', body: JSON.stringify(VISIT), token: 'Bearer a b'},
	{name: 'a worker of nobody', body: JSON.stringify(VISIT), token: 'Basic YTpi'},
	{name: 'an empty token', body: JSON.stringify(VISIT), token: ''},
	{name: 'a datamart of nobody', body: '{}', path: () => '/v1/datamarts/999999/user_activities'},
	{name: 'a datamart that is no number', body: '{}', path: () => '/v1/datamarts/abc/user_activities'},
	{name: 'a letter that is told from others', body: JSON.stringify({...VISIT, $ts: 5, é: '😀'})},
];

const asItIs = (path: string) => path;

for (const {name, path: pathOf = asItIs, body, headers = [], ...given} of CASES) {
	test(`${name} is answered the same by the short way as by Koa`, async t => {
		const {service, path} = t.context;
		const token = 'token' in given ? given.token : `Bearer ${service.token}`;
		const length = `Content-Length: ${Buffer.byteLength(body)}`;
		const all = [`Authorization: ${token}`, length, ...headers];
		const head = (url: string) => [`POST ${url} HTTP/1.1`, ...all];
		const short = await exchange(service.url, head(pathOf(path)), body);
		// A query, even an empty one, is nothing plain.
		const long = await exchange(service.url, head(`${pathOf(path)}?`), body);
		t.deepEqual(comparable(short), comparable(long));
	});
}

test('a body that comes after its head, in pieces or not at all is no business of the short way', async t => {
	const {service, path} = t.context;
	const body = JSON.stringify(VISIT);
	const head = [`POST ${path} HTTP/1.1`, `Authorization: Bearer ${service.token}`];
	const length = `Content-Length: ${body.length}`;
	t.is((await exchange(service.url, [...head, length], body, 50)).status, 200);
	const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
	t.is((await exchange(service.url, [...head, 'Transfer-Encoding: chunked'], chunked)).status, 200);

	const {hostname, port} = new URL(service.url);
	const socket = connect(Number(port), hostname);
	await once(socket, 'connect');
	socket.write([...head, 'Host: localhost', length, '', body.slice(0, 10)].join('\r\n'));
	await new Promise(resolve => setTimeout(resolve, 50));
	socket.destroy();
	t.is((await exchange(service.url, [...head, length], body)).status, 200, 'and nobody else suffers');
});

test('a hundred requests on one connection, sent before the first is answered, are answered in order', async t => {
	const {service, path} = t.context;
	const {hostname, port} = new URL(service.url);
	const socket = connect(Number(port), hostname);
	await once(socket, 'connect');
	const bodies = Array.from({length: 100}, (_, index) => (index % 2 === 0 ? JSON.stringify(VISIT) : '{}'));
	for (const [index, body] of bodies.entries()) {
		socket.write(
			[
				`POST ${path} HTTP/1.1`,
				'Host: localhost',
				`Authorization: Bearer ${service.token}`,
				`Content-Length: ${body.length}`,
				...(index === 99 ? ['Connection: close'] : []),
				'',
				body,
			].join('\r\n'),
		);
	}
	let text = '';
	for await (const piece of socket.setEncoding('utf8')) text += piece;
	const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
	t.deepEqual(
		statuses,
		bodies.map((_, index) => (index % 2 === 0 ? '200' : '400')),
	);
});

test('a plain request takes the short way, any other the long one', async t => {
	const long: (string | undefined)[] = [];
	const busy = route({
		method: 'POST',
		path: '/v1/datamarts/:datamartId/user_activities',
		summary: 'Tells what it was given',
		action: 'activities:write',
		busy: true,
		body: 'raw',
		handle: async ({params, bytes}) => ({params, text: bytes.toString()}),
	});
	const door = {
		directory: directoryOf([datamartNumber(7)]),
		verifyToken: async () => TRACKER,
		maxBodyBytes: 1000,
	};
	const {busyDoor} = mount([busy], door);
	const entrance = busyDoor({log: pino({level: 'silent'}), observe: () => undefined});
	const server = createServer((request, response) =>
		entrance.enter(request, response, () => {
			long.push(request.url);
			response.end('long');
		}),
	).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => server.close());
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const path = '/v1/datamarts/7/user_activities';
	const ask = (line: string, headers: readonly string[] = [], body = 'abc') =>
		exchange(url, [line, 'Authorization: x', `Content-Length: ${body.length}`, ...headers], body);

	const {body} = await ask(`POST ${path} HTTP/1.1`);
	t.deepEqual([long, JSON.parse(body)], [[], {params: {datamartId: '7'}, text: 'abc'}]);
	const others: readonly (readonly [string, ...string[]])[] = [
		[`PUT ${path} HTTP/1.1`],
		[`POST ${path} HTTP/1.0`],
		[`POST ${path}? HTTP/1.1`],
		[`POST ${path}/ HTTP/1.1`],
		['POST /v1/datamarts/%37/user_activities HTTP/1.1'],
		[`POST ${path} HTTP/1.1`, 'Origin: https://shop.example'],
		[`POST ${path} HTTP/1.1`, 'Content-Encoding: gzip'],
	];
	for (const [index, [line, ...headers]] of others.entries()) {
		t.is((await ask(line, headers)).body, 'long', line);
		t.is(long.length, index + 1);
	}
	const large = 'x'.repeat(40_000);
	t.is((await ask(`POST ${path} HTTP/1.1`, [], large)).body, 'long');
	// Nothing is plain that is signed, and nothing is let in beyond the limit of bodies.
	t.is((await exchange(url, [`POST ${path} HTTP/1.1`, 'Content-Length: 2'], '{}')).body, 'long');
	t.is((await ask(`POST ${path} HTTP/1.1`, [], 'x'.repeat(1001))).body, 'long');
});

test.serial('both ways are counted under the same route', async t => {
	const {service, path} = t.context;
	const count = async () => {
		const text = String((await service.get('/metrics')).body);
		return Number(
			/^millrace_http_request_seconds_count\{[^}]*user_activities",status="200"\} (\d+)$/m.exec(text)?.[1],
		);
	};
	await service.post(path, JSON.stringify(VISIT));
	const before = await count();
	await service.post(path, JSON.stringify(VISIT));
	await service.post(`${path}?async=true`, JSON.stringify(VISIT));
	t.is(await count(), before + 2);
});
