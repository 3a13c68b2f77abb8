import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import type {Role} from '../../src/identity/principal.ts';
import {testFiles} from '../support/files.ts';
import {startSharedPostgres, type TestPostgres} from '../support/postgres.ts';
import {type Answer, type Call, serveRoutes} from '../support/routes.ts';
import {principalOf, testTenants} from '../support/tenants.ts';

interface World {
	readonly postgres: TestPostgres;
	/** What people of the organisation get at its logo, or at another path. */
	as(t: ExecutionContext<World>, role: Role): Promise<Call>;
	readonly logo: string;
	readonly uri: string;
	readonly foreignLogo: string;
}
const test = anyTest as TestFn<World>;

test.before(async t => {
	const postgres = await startSharedPostgres();
	const tenants = await testTenants(postgres.database);
	const acme = await tenants.organisation(await tenants.community());
	const foreign = await tenants.organisation(await tenants.community());
	const {directory} = tenants;
	await directory.refresh();
	t.context = {
		postgres,
		logo: `/v1/organisations/${acme.id}/logo`,
		uri: `/v1/data_file/data?uri=svc://data_file/tenants/${acme.id}/organisation/logo.png`,
		foreignLogo: `/v1/organisations/${foreign.id}/logo`,
		as: async (t, role) => {
			const {routes} = await testFiles(t, postgres.database, directory);
			const verifyToken = async () => principalOf(acme, role);
			const call = await serveRoutes(t, routes, {directory, verifyToken});
			return (method, path, options) => call(method, path, {token: 'any', ...options});
		},
	};
});
test.after.always(async t => t.context.postgres?.stop());

const PNG = Buffer.from('89504e470d0a1a0a00ff', 'hex');
const refusalOf = ({status, body}: Answer) => [status, body.error ?? body, body.error_code];

function form(content: Buffer): FormData {
	const made = new FormData();
	made.set('file', new Blob([content], {type: 'image/png'}), 'logo.png');
	return made;
}

test('a logo is set by an administrator and shown as a PNG; without one there is nothing', async t => {
	const {as, logo, foreignLogo} = t.context;
	const admin = await as(t, 'ORGANISATION_ADMIN');
	t.deepEqual(refusalOf(await admin('GET', logo)), [404, 'Resource Not Found', 'data_file_not_found']);

	t.is((await admin('PUT', logo, {body: form(PNG)})).status, 200);

	const shown = await admin('GET', logo);
	t.is(shown.headers.get('content-type'), 'image/png');
	t.is(shown.headers.get('content-length'), String(PNG.length));
	const editor = await as(t, 'EDITOR');
	t.is((await editor('PUT', logo, {body: form(PNG)})).status, 403);
	t.is((await admin('GET', foreignLogo)).status, 404);
});

test('what is no PNG does not become a logo, whichever call brings it', async t => {
	const {as, logo, uri} = t.context;
	const admin = await as(t, 'ORGANISATION_ADMIN');
	for (const [method, path] of [['PUT', logo] as const, ['PUT', uri] as const]) {
		const {status, body} = await admin(method, path, {body: form(Buffer.from('<svg onload=alert(1)>'))});
		t.deepEqual([status, body.errors?.[0]?.pointer], [400, '/file'], path);
	}
});
