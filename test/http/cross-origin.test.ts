import test from 'ava';
import {z} from 'zod';
import {ok} from '../../src/http/envelope.ts';
import {route} from '../../src/http/route.ts';
import type {Principal} from '../../src/identity/principal.ts';
import {tenantView} from '../../src/tenants/directory.ts';
import {serveApp} from '../support/app.ts';

const directory = tenantView({organisations: [], datamarts: [], compartments: [], channels: []});
const nobody: Principal = {
	kind: 'user',
	userId: 1,
	credential: 'access_token',
	credentialId: '1',
	communityId: 1,
	roles: [],
};
const ROUTES = [
	route({
		method: 'POST',
		path: '/v1/echo',
		summary: 'Says what it was told',
		action: 'authenticated',
		body: z.object({word: z.string()}),
		handle: async ({body}) => ok(body.word),
	}),
];
const options = {directory, verifyToken: async () => nobody};

const ORIGINS = ['https://shop.example', 'http://localhost:3000', 'null'];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];
const PATHS = [
	'/v1/echo',
	'/v1/datamarts/1/user_activities',
	'/v1/datamarts/1/user_activities/pixel.gif',
	'/v1/not_served',
];
/** What the interface's own clients send: the field guide's, signatures under both brand words, and retries. */
const HEADERS = [
	...['accept', 'content-type', 'origin', 'authorization', 'x-requested-with', 'x-requested-by'],
	...['idempotency-key', 'content-encoding'],
	...['x-svc-mac', 'x-svc-key-id', 'x-svc-ts', 'x-mics-mac', 'x-mics-key-id', 'x-mics-ts'],
];

for (const origin of ORIGINS) {
	test(`a browser on ${origin} is told before its request that it may send it`, async t => {
		const url = await serveApp(t, ROUTES, options);
		for (const path of PATHS) {
			for (const method of METHODS) {
				const answer = await fetch(url + path, {
					method: 'OPTIONS',
					headers: {
						origin,
						'access-control-request-method': method,
						'access-control-request-headers': HEADERS.join(','),
					},
				});
				const what = `${method} ${path}`;
				t.true(answer.ok, what);
				t.is(await answer.text(), '', what);
				t.is(answer.headers.get('access-control-allow-origin'), '*', what);
				t.is(answer.headers.get('access-control-max-age'), '600', what);
				t.is(answer.headers.get('access-control-allow-credentials'), null, 'no cookie is ever asked for');
				const methods = words(answer.headers.get('access-control-allow-methods'));
				t.true(methods.includes(method.toLowerCase()), what);
				const allowed = words(answer.headers.get('access-control-allow-headers'));
				t.deepEqual(
					HEADERS.filter(header => !allowed.includes(header)),
					[],
					what,
				);
			}
		}
	});
}

test('a browser may read the refusals too, with what they say in headers', async t => {
	const url = await serveApp(t, ROUTES, options);
	const post = (path: string, headers: Record<string, string>, body: string) =>
		fetch(url + path, {method: 'POST', headers: {origin: 'https://shop.example', ...headers}, body});
	const answers = await Promise.all([
		post('/v1/echo', {authorization: 'a'}, '{"word":"hello"}'),
		post('/v1/echo', {}, '{"word":"hello"}'),
		post('/v1/echo', {authorization: 'a'}, '{"word":'),
		post('/v1/echo', {authorization: 'a'}, JSON.stringify({word: 'x'.repeat(2000)})),
		post('/v1/echo', {authorization: 'a', 'content-encoding': 'snappy'}, 'x'),
		post('/v1/nothing', {authorization: 'a'}, '{}'),
	]);
	t.deepEqual(
		answers.map(({status}) => status),
		[200, 401, 400, 413, 415, 404],
	);
	for (const {status, headers} of answers) {
		t.is(headers.get('access-control-allow-origin'), '*', String(status));
		const exposed = words(headers.get('access-control-expose-headers'));
		for (const name of ['retry-after', 'ratelimit', 'ratelimit-policy']) t.true(exposed.includes(name));
	}
});

test('a browser that comes while the service starts may read that, and asks again', async t => {
	const url = await serveApp(t, undefined, options);
	const preflight = await fetch(`${url}/v1/echo`, {
		method: 'OPTIONS',
		headers: {origin: 'https://shop.example', 'access-control-request-method': 'POST'},
	});
	t.true(preflight.ok);
	const answer = await fetch(`${url}/v1/echo`, {method: 'POST', headers: {origin: 'https://shop.example'}});
	t.is(answer.status, 503);
	t.is(answer.headers.get('access-control-allow-origin'), '*');
	t.is(answer.headers.get('retry-after'), '1');
});

function words(list: string | null): string[] {
	return (list ?? '').split(',').map(word => word.trim().toLowerCase());
}
