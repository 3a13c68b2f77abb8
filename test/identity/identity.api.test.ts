import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import {accessTokenStore} from '../../src/identity/access-tokens/access-tokens.store.ts';
import {AccessTokens} from '../../src/identity/access-tokens/access-tokens.ts';
import {Logins} from '../../src/identity/access-tokens/logins.ts';
import {identityRoutes} from '../../src/identity/identity.route.ts';
import {refreshTokenStore} from '../../src/identity/refresh-tokens/refresh-tokens.store.ts';
import {RefreshTokens} from '../../src/identity/refresh-tokens/refresh-tokens.ts';
import {startSharedPostgres, type TestPostgres} from '../support/postgres.ts';
import {type Call, serveRoutes} from '../support/routes.ts';
import {type TestTenants, testTenants} from '../support/tenants.ts';

interface Context {
	postgres: TestPostgres;
	tenants: TestTenants;
}
const test = anyTest as TestFn<Context>;

test.before(async t => {
	const postgres = await startSharedPostgres();
	t.context = {postgres, tenants: await testTenants(postgres.database)};
});
test.after.always(async t => t.context.postgres?.stop());

async function serve(t: ExecutionContext<Context>): Promise<Call> {
	const {postgres, tenants} = t.context;
	const accessTokens = new AccessTokens({...tenants, tokens: accessTokenStore(postgres.database)});
	const forgetPrincipals = () => accessTokens.forgetPrincipals();
	const tokens = refreshTokenStore(postgres.database);
	const refreshTokens = new RefreshTokens({tokens, accessTokens, forgetPrincipals});
	t.teardown(() => {
		accessTokens.close();
		refreshTokens.close();
	});
	const {users, roles, directory} = tenants;
	await directory.refresh();
	const logins = new Logins(users);
	const services = {accessTokens, refreshTokens, logins, users, roles, directory, forgetPrincipals};
	return serveRoutes(t, identityRoutes(services), {
		directory,
		verifyToken: token => accessTokens.verify(token),
	});
}

async function login(call: Call, email: string, password = 'correct horse'): Promise<string> {
	const {body} = await call('POST', '/v1/authentication/access_tokens', {body: {email, password}});
	return body.data.access_token;
}

test('a login answers the specified shape, and the token opens the next call, bare or as Bearer', async t => {
	const {tenants} = t.context;
	const user = await tenants.user(await tenants.organisation(await tenants.community()), 'READER');
	const call = await serve(t);
	const {status, body} = await call('POST', '/v1/authentication/access_tokens', {
		body: {email: user.email, password: 'correct horse'},
	});

	t.is(status, 200);
	const {access_token: token, ...rest} = body.data;
	t.deepEqual({...body, data: rest}, {status: 'ok', data: {expires_in: 3600, refresh_token: null}});
	for (const header of [token, `Bearer ${token}`]) {
		t.is((await call('GET', '/v1/connected_user', {token: header})).body.data.email, user.email);
	}
});

test('a login under the short name that some examples print opens the next call as well', async t => {
	const {tenants} = t.context;
	const user = await tenants.user(await tenants.organisation(await tenants.community()), 'READER');
	const call = await serve(t);

	const login = {email: user.email, password: 'correct horse'};
	const {body} = await call('POST', '/v1/access_tokens', {body: login});

	const connected = await call('GET', '/v1/connected_user', {token: body.data.access_token});
	t.is(connected.body.data.email, user.email);
});

test('a failed login is 401 with the same words for an unknown address and a wrong password', async t => {
	const {tenants} = t.context;
	const user = await tenants.user(await tenants.organisation(await tenants.community()), 'READER');
	const call = await serve(t);
	const answers = await Promise.all(
		[user.email, 'nobody@example.org'].map(email =>
			call('POST', '/v1/authentication/access_tokens', {body: {email, password: 'wrong'}}),
		),
	);
	for (const {status, body} of answers) {
		t.is(status, 401);
		t.like(body, {status: 'error', error_code: 'credentials_invalid', error: answers[0]?.body.error});
	}
});

test('a login without a password, or with one that is no text, names the field', async t => {
	const call = await serve(t);
	const missing = await call('POST', '/v1/authentication/access_tokens', {body: {email: 'a@b.c'}});
	t.is(missing.status, 400);
	t.deepEqual(
		missing.body.errors.map(({pointer}: {pointer: string}) => pointer),
		['/password'],
	);
	const wrong = await call('POST', '/v1/authentication/access_tokens', {body: {email: 1, password: {}}});
	t.deepEqual(
		wrong.body.errors.map(({pointer}: {pointer: string}) => pointer),
		['/email', '/password'],
	);
});

test('without a token, or with one nobody was given, the connected user is 401', async t => {
	const call = await serve(t);
	t.like(await call('GET', '/v1/connected_user'), {status: 401});
	const {status, body} = await call('GET', '/v1/connected_user', {token: `access:${'x'.repeat(43)}`});
	t.is(status, 401);
	t.is(body.error_code, 'token_unknown');
});

test('a connected user has a workspace for their organisation and each one below, datamarts in full', async t => {
	const {tenants} = t.context;
	const community = await tenants.community();
	const stranger = await tenants.organisation(community);
	const head = await tenants.organisation(community);
	const branch = await tenants.organisation(community, head);
	const datamart = await tenants.datamart(branch, 'Shop');
	const user = await tenants.user(head, 'ORGANISATION_ADMIN');
	const call = await serve(t);

	const {body} = await call('GET', '/v1/connected_user', {token: await login(call, user.email)});

	t.deepEqual(body, {
		status: 'ok',
		data: {
			id: String(user.id),
			first_name: 'Ann',
			last_name: 'Example',
			email: user.email,
			locale: null,
			default_workspace: 0,
			workspaces: [
				{
					organisation_id: String(head.id),
					customer_type: 'ENTERPRISE',
					organisation_name: head.name,
					administrator: true,
					role: 'ORGANISATION_ADMIN',
					community_id: String(community.id),
					administrator_id: null,
					datamarts: [],
				},
				{
					organisation_id: String(branch.id),
					customer_type: 'ENTERPRISE',
					organisation_name: branch.name,
					administrator: false,
					role: 'ORGANISATION_ADMIN',
					community_id: String(community.id),
					administrator_id: String(head.id),
					datamarts: [
						{
							id: String(datamart.id),
							name: 'Shop',
							organisation_id: String(branch.id),
							token: datamart.token,
							creation_date: datamart.creationTs,
							time_zone: 'UTC',
							type: 'DATAMART',
							datafarm: datamart.datafarm,
							storage_model_version: datamart.storageModelVersion,
							user_point_system_version: 'v201901',
							region: 'EUROPE',
							archived: false,
							audience_segment_metrics: [],
						},
					],
				},
			],
		},
	});
	t.false(JSON.stringify(body).includes(stranger.name));
});

test('an administrator of the community sees all its organisations, their own first by default', async t => {
	const {tenants} = t.context;
	const community = await tenants.community();
	const [other, own] = [await tenants.organisation(community), await tenants.organisation(community)];
	const user = await tenants.user(own, 'CUSTOMER_ADMIN');
	const call = await serve(t);

	const {data} = (await call('GET', '/v1/connected_user', {token: await login(call, user.email)})).body;

	t.deepEqual(
		data.workspaces.map((workspace: {organisation_id: string}) => workspace.organisation_id),
		[String(other.id), String(own.id)],
	);
	t.is(data.default_workspace, 1);
	t.is(data.workspaces[1].role, 'CUSTOMER_ADMIN');
});
