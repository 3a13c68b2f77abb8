import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import type {Principal} from '../../src/identity/principal.ts';
import type {Organisation} from '../../src/tenants/tenants.ts';
import {testFiles} from '../support/files.ts';
import {startSharedPostgres, type TestPostgres} from '../support/postgres.ts';
import {type Answer, type Call, serveRoutes} from '../support/routes.ts';
import {principalOf, type TestTenants, testTenants} from '../support/tenants.ts';

const test = anyTest as TestFn<{postgres: TestPostgres; tenants: TestTenants}>;

test.before(async t => {
	const postgres = await startSharedPostgres();
	t.context = {postgres, tenants: await testTenants(postgres.database)};
});
test.after.always(async t => t.context.postgres?.stop());

interface World {
	readonly acme: Organisation;
	readonly foreign: Organisation;
	readonly call: Call;
	as(principal: Principal): Promise<Call>;
}

async function worldOf(t: ExecutionContext<{postgres: TestPostgres; tenants: TestTenants}>): Promise<World> {
	const {postgres, tenants} = t.context;
	const acme = await tenants.organisation(await tenants.community());
	const foreign = await tenants.organisation(await tenants.community());
	const {directory} = tenants;
	await directory.refresh();
	const {routes} = await testFiles(t, postgres.database, directory);
	const as = async (principal: Principal): Promise<Call> => {
		const call = await serveRoutes(t, routes, {directory, verifyToken: async () => principal});
		return (method, path, options) => call(method, path, {token: 'any', ...options});
	};
	return {acme, foreign, as, call: await as(principalOf(acme, 'EDITOR'))};
}

const PNG = Buffer.from('89504e470d0a1a0a00ff', 'hex');
const refusalOf = ({status, body}: Answer) => [status, body.error_code, body.errors?.[0]?.pointer];

function form(type: string, name: string): FormData {
	const made = new FormData();
	made.set('file', new Blob([PNG], {type}), name);
	return made;
}

test('an asset is made from a form or from a bare body, and its bytes come back as what they are', async t => {
	const {acme, call} = await worldOf(t);
	const made = await call('POST', `/v1/assets?organisation_id=${acme.id}`, {
		body: form('image/png', 'icon.png'),
	});
	t.is(made.status, 200);
	const {id, creation_ts: _, ...rest} = made.body.data;
	t.deepEqual(rest, {
		organisation_id: String(acme.id),
		original_name: 'icon.png',
		mime_type: 'image/png',
		path: `/v1/assets/${id}/data`,
		size: PNG.length,
	});
	const got = await call('GET', rest.path);
	t.deepEqual([got.headers.get('content-type'), got.bytes], ['image/png', PNG]);
	t.deepEqual((await call('GET', `/v1/asset_files/${id}`)).body, made.body);
	const again = await call('GET', rest.path, {headers: {'if-none-match': got.headers.get('etag')!}});
	t.is(again.status, 304);

	const bare = await call('POST', `/v1/asset_files?organisation_id=${acme.id}&name=page.html`, {
		body: '<script>',
		headers: {'content-type': 'text/html; charset=utf-8'},
	});
	t.like(bare.body.data, {original_name: 'page.html', mime_type: 'text/html'});
	const page = await call('GET', bare.body.data.path);
	t.is(
		page.headers.get('content-type'),
		'application/octet-stream',
		'no browser runs what somebody uploaded',
	);
	const listed = await call('GET', `/v1/assets?organisation_id=${acme.id}&keywords=ICON`);
	t.like(listed.body, {total: 1, count: 1});
});

test('an empty asset, one that is too long and one of nowhere are refused, and nothing is made', async t => {
	const {acme, call} = await worldOf(t);
	const path = `/v1/assets?organisation_id=${acme.id}`;
	t.deepEqual(refusalOf(await call('POST', path, {body: ''})), [400, 'field_invalid', '/file']);
	t.deepEqual(refusalOf(await call('POST', path, {body: Buffer.alloc(1024 * 1024 + 1)})).slice(0, 2), [
		413,
		'body_too_large',
	]);
	t.deepEqual(refusalOf(await call('POST', '/v1/assets', {body: PNG})), [
		400,
		'field_invalid',
		'?organisation_id',
	]);
	t.is((await call('GET', path)).body.total, 0);
});

test('a removed asset is gone, and a stranger meets 404 everywhere', async t => {
	const {acme, foreign, call, as} = await worldOf(t);
	const path = `/v1/assets?organisation_id=${acme.id}`;
	const {id} = (await call('POST', path, {body: PNG})).body.data;
	const stranger = await as(principalOf(foreign, 'COMMUNITY_ADMIN'));
	const missing = [404, 'asset_not_found', undefined];
	for (const [method, one] of [
		['GET', `/v1/assets/${id}`],
		['GET', `/v1/assets/${id}/data`],
		['DELETE', `/v1/assets/${id}`],
	] as const) {
		t.deepEqual(refusalOf(await stranger(method, one)), missing);
	}
	t.is((await stranger('GET', path)).status, 404);
	t.is((await stranger('POST', path, {body: PNG})).status, 404);
	const reader = await as(principalOf(acme, 'READER'));
	t.is((await reader('DELETE', `/v1/assets/${id}`)).status, 403);
	t.is((await reader('GET', `/v1/assets/${id}/data`)).status, 200);
	t.is((await call('DELETE', `/v1/assets/${id}`)).status, 200);
	for (const one of [`/v1/assets/${id}`, `/v1/assets/${id}/data`, '/v1/assets/x']) {
		t.deepEqual(refusalOf(await call('GET', one)), missing, one);
	}
});
