import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import type {Principal} from '../../src/identity/principal.ts';
import type {Organisation} from '../../src/tenants/tenants.ts';
import {testFiles} from '../support/files.ts';
import {startSharedPostgres, type TestPostgres} from '../support/postgres.ts';
import {type Answer, type Call, serveRoutes} from '../support/routes.ts';
import {startTestBucket} from '../support/s3.ts';
import {principalOf, type TestTenants, testTenants} from '../support/tenants.ts';

interface Context {
	postgres: TestPostgres;
	tenants: TestTenants;
	acme: Organisation;
	foreign: Organisation;
}
const test = anyTest as TestFn<Context>;

test.before(async t => {
	const postgres = await startSharedPostgres();
	const tenants = await testTenants(postgres.database);
	const acme = await tenants.organisation(await tenants.community());
	const foreign = await tenants.organisation(await tenants.community());
	await tenants.directory.refresh();
	t.context = {postgres, tenants, acme, foreign};
});
test.after.always(async t => t.context.postgres?.stop());

/** The routes over one directory, asked as anybody. */
async function served(t: ExecutionContext<Context>) {
	const {postgres, tenants} = t.context;
	const {directory} = tenants;
	const files = await testFiles(t, postgres.database, directory);
	return {
		files,
		async as(principal: Principal): Promise<Call> {
			const call = await serveRoutes(t, files.routes, {directory, verifyToken: async () => principal});
			return (method, path, options) => call(method, path, {token: 'any', ...options});
		},
	};
}

async function filesOf(t: ExecutionContext<Context>): Promise<Call> {
	return (await served(t)).as(principalOf(t.context.acme, 'EDITOR'));
}

let count = 0;
const newUri = ({acme}: Context, path = `files/${++count}.bin`) =>
	`svc://data_file/tenants/${acme.id}/${path}`;
const data = (uri: string) => `/v1/data_file/data?uri=${uri}`;
const refusalOf = ({status, body}: Answer) => [status, body.error_code, body.errors?.[0]?.pointer];

test('a file comes back byte for byte as octets, by the raw and the encoded URI and by the brand’s scheme', async t => {
	const call = await filesOf(t);
	const uri = newUri(t.context, 'odd names/é&=1.json');
	const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0, 255, 13, 10]);
	const put = await call('PUT', data(encodeURIComponent(uri)), {
		body: bytes,
		headers: {'content-type': 'text/weird; x=y'},
	});
	t.is(put.status, 200);
	t.like(put.body.data, {uri, name: 'é&=1.json', size: 7, content_type: 'text/weird; x=y'});

	const got = await call('GET', `${data(encodeURIComponent(uri))}&cache-bust=1731955`);
	t.is(got.status, 200);
	t.deepEqual(got.bytes, bytes, 'a byte order mark is part of a file');
	t.is(got.headers.get('content-type'), 'application/octet-stream');
	t.is(got.headers.get('content-length'), '7');
	const plain = newUri(t.context);
	await call('PUT', `${data(plain)}&name=mine.txt`, {body: 'one'});
	t.is((await call('GET', data(plain.replace('svc:', 'mics:')))).bytes.toString(), 'one');
	t.is((await call('GET', `/v1/data_files?organisation_id=${t.context.acme.id}&path=odd`)).body.total, 1);
});

test('who has the newest content already is told so without being sent it', async t => {
	const call = await filesOf(t);
	const uri = newUri(t.context);
	await call('PUT', data(uri), {body: 'one'});
	const etag = (await call('GET', data(uri))).headers.get('etag')!;
	const again = await call('GET', data(uri), {headers: {'if-none-match': etag}});
	t.is(again.status, 304);
	t.is(again.bytes.length, 0);
	await call('PUT', data(uri), {body: 'two'});
	const changed = await call('GET', data(uri), {headers: {'if-none-match': etag}});
	t.is(changed.status, 200);
	t.is(changed.bytes.toString(), 'two');
	const head = await call('HEAD', data(uri));
	t.is(head.headers.get('content-length'), '3');
});

test('a form brings its file, and JSON under a form’s header is taken as it is', async t => {
	const call = await filesOf(t);
	const uri = newUri(t.context);
	const form = new FormData();
	form.set('file', new Blob(['[1]'], {type: 'application/json'}), 'mine.json');
	const put = await call('PUT', data(uri), {body: form});
	t.like(put.body.data, {name: 'mine.json', content_type: 'application/json', size: 3});
	t.is((await call('GET', data(uri))).bytes.toString(), '[1]');
	await call('PUT', data(uri), {body: '[2]', headers: {'content-type': 'multipart/form-data'}});
	t.is((await call('GET', data(uri))).bytes.toString(), '[2]');
});

test('a file that is too long is refused and leaves the former one', async t => {
	const call = await filesOf(t);
	const uri = newUri(t.context);
	await call('PUT', data(uri), {body: 'kept'});
	const long = await call('PUT', data(uri), {body: Buffer.alloc(1024 * 1024 + 1)});
	t.deepEqual(refusalOf(long), [413, 'body_too_large', undefined]);
	t.is((await call('GET', data(uri))).bytes.toString(), 'kept');
	t.is((await call('PUT', data(uri), {body: Buffer.alloc(1024 * 1024)})).status, 200);
});

test('a removed file is a 404, and a URI that names no place is refused by its name', async t => {
	const call = await filesOf(t);
	const uri = newUri(t.context);
	t.deepEqual(refusalOf(await call('GET', data(uri))), [404, 'data_file_not_found', undefined]);
	await call('PUT', data(uri), {body: 'one'});
	t.deepEqual((await call('DELETE', data(uri))).body, {status: 'ok', data: {uri}});
	const gone = await call('GET', data(uri));
	t.is(gone.body.error, 'Resource Not Found');
	for (const bad of [
		'',
		'file:///etc/passwd',
		newUri(t.context, '../../2/secret'),
		newUri(t.context, 'a//b'),
	]) {
		for (const method of ['GET', 'PUT', 'DELETE']) {
			const answer = await call(method, data(bad), method === 'PUT' ? {body: 'x'} : {});
			t.deepEqual(refusalOf(answer), [400, 'field_invalid', '?uri'], `${method} ${bad}`);
		}
	}
	t.deepEqual(refusalOf(await call('GET', '/v1/data_file/data')), [400, 'field_invalid', '?uri']);
});

test('files of jobs are read by anybody of the organisation and changed by nobody', async t => {
	const {acme} = t.context;
	const {files, as} = await served(t);
	const call = await as(principalOf(acme, 'EDITOR'));
	const place = files.dataFiles.placeOfJob(acme.id, 7, 'errors.ndjson');
	await files.dataFiles.put(place, Buffer.from('{"line":3}\n'));
	const uri = files.dataFiles.uriOf(place);
	t.is((await call('GET', data(uri))).bytes.toString(), '{"line":3}\n');
	for (const method of ['PUT', 'DELETE']) {
		const refused = await call(method, data(uri), method === 'PUT' ? {body: 'x'} : {});
		t.deepEqual(refusalOf(refused), [400, 'data_file_reserved', '?uri']);
	}
});

test('a stranger meets 404 at every call, a reader may not write, and a plugin worker reads its organisation’s files', async t => {
	const {acme, foreign} = t.context;
	const {as, files} = await served(t);
	const call = await as(principalOf(acme, 'EDITOR'));
	const uri = newUri(t.context);
	await call('PUT', data(uri), {body: 'ours'});

	const stranger = await as(principalOf(foreign, 'COMMUNITY_ADMIN'));
	const missing = [404, 'data_file_not_found', undefined];
	t.deepEqual(refusalOf(await stranger('GET', data(uri))), missing);
	t.deepEqual(refusalOf(await stranger('PUT', data(uri), {body: 'theirs'})), missing);
	t.deepEqual(refusalOf(await stranger('DELETE', data(uri))), missing);
	t.is((await stranger('GET', `/v1/data_files?organisation_id=${acme.id}`)).status, 404);
	t.is((await call('GET', data(uri))).bytes.toString(), 'ours');

	const reader = await as(principalOf(acme, 'READER'));
	t.deepEqual(refusalOf(await reader('PUT', data(uri), {body: 'x'})), [403, 'role_insufficient', undefined]);
	t.is((await reader('GET', data(uri))).bytes.toString(), 'ours');
	const worker = (organisation: Organisation): Principal => ({
		kind: 'worker',
		credential: 'worker',
		credentialId: 'w',
		pluginId: 1,
		pluginVersionId: 1,
		organisationId: organisation.id,
		servedOrganisations: [organisation.id],
	});
	const own = await as(worker(acme));
	t.is((await own('GET', data(uri))).bytes.toString(), 'ours');
	t.is((await own('PUT', data(uri), {body: 'x'})).status, 403);
	t.is((await own('GET', `/v1/data_files?organisation_id=${acme.id}`)).status, 403);
	// What people imported is no plugin's business.
	const place = files.dataFiles.placeOfJob(acme.id, 8, 'input');
	await files.dataFiles.put(place, Buffer.from('people'));
	t.is((await reader('GET', data(files.dataFiles.uriOf(place)))).bytes.toString(), 'people');
	t.deepEqual(refusalOf(await own('GET', data(files.dataFiles.uriOf(place)))), missing);
	const foreignWorker = await as(worker(foreign));
	t.deepEqual(refusalOf(await foreignWorker('GET', data(uri))), missing);
});

test('a list is cut into pages and holds one organisation’s files by path', async t => {
	const call = await filesOf(t);
	for (const name of ['b', 'a', 'c'])
		await call('PUT', data(newUri(t.context, `paged/${name}`)), {body: name});
	const page = await call(
		'GET',
		`/v1/data_files?organisation_id=${t.context.acme.id}&path=paged/&first_result=1&max_results=1`,
	);
	t.like(page.body, {count: 1, total: 3, first_result: 1, max_results: 1});
	t.is(page.body.data[0].name, 'b');
	t.deepEqual(refusalOf(await call('GET', '/v1/data_files')), [400, 'field_invalid', '?organisation_id']);
});

test('instances that share a bucket and a database serve each other’s files, and a bucket that is away is told of', async t => {
	const {acme, postgres, tenants} = t.context;
	const bucket = await startTestBucket(t);
	const s3 = {
		S3_BUCKET: 'acme',
		S3_ENDPOINT: bucket.url,
		S3_ACCESS_KEY_ID: 'key',
		S3_SECRET_ACCESS_KEY: 'secret',
	};
	const {directory} = tenants;
	const instance = async (): Promise<Call> => {
		const {routes} = await testFiles(t, postgres.database, directory, {s3});
		const asked = principalOf(acme, 'EDITOR');
		const call = await serveRoutes(t, routes, {directory, verifyToken: async () => asked});
		return (method, path, options) => call(method, path, {token: 'any', ...options});
	};
	const [one, other] = [await instance(), await instance()];
	const uri = newUri(t.context);
	t.is((await one('PUT', data(uri), {body: 'first'})).status, 200);
	t.is((await other('GET', data(uri))).bytes.toString(), 'first');
	await other('PUT', data(uri), {body: 'second'});
	t.is((await one('GET', data(uri))).bytes.toString(), 'second');
	await one('DELETE', data(uri));
	t.is((await other('GET', data(uri))).status, 404);
	t.is(bucket.objects.size, 0);

	await one('PUT', data(uri), {body: 'third'});
	bucket.failWith = 503;
	const away = await one('GET', data(uri));
	t.deepEqual([away.status, away.body.error_code], [503, 'store_unavailable']);
	t.truthy(away.headers.get('retry-after'));
	t.is((await one('PUT', data(uri), {body: 'lost'})).status, 503);
	bucket.failWith = undefined;
	t.is((await one('GET', data(uri))).bytes.toString(), 'third');
});
