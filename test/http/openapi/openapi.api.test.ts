import {Validator} from '@seriousme/openapi-schema-validator';
import anyTest, {type TestFn} from 'ava';
import {z} from 'zod';
import {ERROR_CODES} from '../../../src/errors.ts';
import {openApiDocument, templateOf} from '../../../src/http/openapi/document.ts';
import {ELSEWHERE, errorsOf, TOLD_BY_JOBS} from '../../../src/http/openapi/errors-of.ts';
import {statusOf} from '../../../src/http/problem.ts';
import {route} from '../../../src/http/route.ts';
import {documentedBy} from '../../support/documented.ts';
import {startTestService, type TestService} from '../../support/service.ts';

type Paths = Record<string, Record<string, {operationId: string; responses: Record<string, object>}>>;

const test = anyTest as TestFn<{service: TestService; paths: Paths}>;

test.before(async t => {
	const service = await startTestService();
	const {body} = await service.get('/openapi.json');
	t.context = {service, paths: body.paths};
});
test.after.always(async t => t.context.service?.stop());

test('the document is OpenAPI 3.1, and open to everybody', async t => {
	const answer = await fetch(`${t.context.service.url}/openapi.json`);
	t.is(answer.status, 200);
	const result = await new Validator().validate((await answer.json()) as Record<string, unknown>);
	t.true(result.valid, JSON.stringify(result.errors)?.slice(0, 2000));
});

test('every route is in the document, and the document names no other', t => {
	const {service, paths} = t.context;
	const served = service.routes.flatMap(({method, path, aliases = []}) =>
		[path, ...aliases].map(each => `${method} ${templateOf(each)}`),
	);
	const told = Object.entries(paths).flatMap(([path, methods]) =>
		Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
	);
	t.deepEqual([...new Set(told)].sort(), [...new Set(served)].sort());
	t.true(served.length > 100, 'all areas were asked');
	const ids = Object.values(paths).flatMap(methods => Object.values(methods).map(each => each.operationId));
	t.is(new Set(ids).size, ids.length, 'no operation is called like another');
});

test('every route says what it answers', t => {
	const silent = t.context.service.routes.filter(({answer}) => answer === undefined);
	t.deepEqual(
		silent.map(({method, path}) => `${method} ${path}`),
		[],
		'a route needs `answer`: the document and all who read it depend on it',
	);
});

test('every error code is one that some route may answer, with its own status', t => {
	const {service, paths} = t.context;
	const told = new Set(service.routes.flatMap(errorsOf));
	t.deepEqual(
		ERROR_CODES.filter(code => ![...told, ...ELSEWHERE, ...TOLD_BY_JOBS].includes(code)),
		[],
		'name it in the `errors` of the routes that throw it',
	);
	for (const each of service.routes) {
		const responses = paths[templateOf(each.path)]![each.method.toLowerCase()]!.responses;
		for (const code of errorsOf(each)) {
			t.true(String(statusOf(code)) in responses, `${each.method} ${each.path}: ${code}`);
		}
	}
});

test('the page where it can be tried loads our own files, and nothing from anywhere else', async t => {
	const {url} = t.context.service;
	const page = await fetch(`${url}/docs`);
	t.is(page.status, 200);
	t.regex(page.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/);
	const html = await page.text();
	const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!);
	t.true(loaded.length >= 3);
	for (const file of loaded) t.is((await fetch(url + file)).status, 200, file);
	for (const file of ['package.json', '..%2fpackage.json', 'constructor']) {
		t.is((await fetch(`${url}/docs/${file}`)).status, 404, file);
	}
});

test('an answer that is not as documented would be noticed: another status, another code, a field too many', t => {
	const documented = documentedBy([
		route({
			method: 'GET',
			path: '/v1/channels/:channelId',
			summary: 'One channel',
			action: 'channels:read',
			answer: z.object({id: z.string()}),
			handle: () => Promise.reject(new Error('is not called')),
		}),
	]);
	const ask = (status: number, body: unknown) =>
		documented({method: 'GET', path: '/v1/channels/7?x=1', status, body});
	const refused = (code: string) => ({status: 'error', error: 'no', error_code: code, error_id: '1'});
	t.is(ask(200, {status: 'ok', data: {id: '7'}}), undefined);
	t.is(ask(404, refused('channel_not_found')), undefined);
	t.regex(ask(200, {status: 'ok', data: {id: 7}}) ?? '', /must be string/);
	t.regex(ask(200, {status: 'ok', data: {id: '7', secret: 'x'}}) ?? '', /additional/);
	t.regex(ask(404, refused('datamart_not_found')) ?? '', /not as documented/);
	t.regex(ask(409, refused('key_id_taken')) ?? '', /not in the document/);
	t.is(documented({method: 'GET', path: '/health/live', status: 200, body: {}}), undefined);
});

test('the document is the same for the same routes', t => {
	const {routes} = t.context.service;
	const once = JSON.stringify(openApiDocument({routes, brand: 'Svc', version: '1'}));
	t.is(JSON.stringify(openApiDocument({routes, brand: 'Svc', version: '1'})), once);
});
