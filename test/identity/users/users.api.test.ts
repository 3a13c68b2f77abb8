import {randomUUID} from 'node:crypto';
import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import type {Role} from '../../../src/identity/principal.ts';
import {type Client, clientOf, login, startTestService, type TestService} from '../../support/service.ts';

/** Users, their roles and the audit trail through the whole service, each test in organisations of its own. */
const test = anyTest as TestFn<{service: TestService}>;

test.before(async t => {
	t.context.service = await startTestService();
});
test.after.always(async t => t.context.service?.stop());

const PASSWORD = 'long enough, surely';

interface Person extends Client {
	readonly id: string;
	readonly email: string;
}

interface World {
	/** Administers the community. */
	readonly root: TestService;
	readonly head: string;
	readonly branch: string;
	readonly person: (role: Role | undefined, organisation?: string) => Promise<Person>;
}

async function worldOf(t: ExecutionContext<{service: TestService}>): Promise<World> {
	const root = t.context.service;
	const make = async (body: object) =>
		(await root.post('/v1/organisations', {name: randomUUID(), ...body})).body.data.id as string;
	const head = await make({});
	const branch = await make({administrator_id: head});
	return {
		root,
		head,
		branch,
		async person(role, organisation = head) {
			const email = `${randomUUID()}@example.org`;
			const body = {
				email,
				password: PASSWORD,
				first_name: 'Ann',
				last_name: 'Example',
				organisation_id: organisation,
			};
			const {id} = (await root.post('/v1/users', body)).body.data;
			if (role) await root.post(`/v1/users/${id}/user_roles`, {organisation_id: organisation, role});
			return {...clientOf(root.url, await login(root.url, {email, password: PASSWORD})), id, email};
		},
	};
}

const pointersOf = ({body}: {body: {errors: {pointer: string}[]}}) => body.errors.map(({pointer}) => pointer);
const codeOf = ({status, body}: {status: number; body: {error_code: string}}) => [status, body.error_code];

test.serial(
	'a user is made in an organisation, found by address, given a role, and has a workspace from then on',
	async t => {
		const {root, head, person} = await worldOf(t);
		const admin = await person('ORGANISATION_ADMIN');
		const email = `Zoe.${randomUUID()}@example.org`;
		const made = await admin.post(`/v1/users?organisation_id=${head}`, {
			first_name: 'Zoe',
			last_name: 'Zett',
			email,
			password: PASSWORD,
		});
		const {
			id,
			last_password_update: updated,
			creation_date: created,
			community_id: community,
			...rest
		} = made.body.data;
		t.deepEqual(rest, {first_name: 'Zoe', last_name: 'Zett', email, locale: null, organisation_id: head});
		t.true(updated <= Date.now() && created <= Date.now() && /^\d+$/.test(community));
		const found = await admin.get(`/v1/users?organisation_id=${head}&keywords=ZOE.`);
		t.like(found.body, {count: 1, total: 1, first_result: 0, max_results: 50});
		t.deepEqual(found.body.data, [made.body.data]);

		const zoe = clientOf(root.url, await login(root.url, {email, password: PASSWORD}));
		t.is((await zoe.get(`/v1/organisations/${head}/workspace`)).status, 404, 'no role yet');
		const role = {organisation_id: head, role: 'EDITOR'};
		const granted = await admin.post(`/v1/users/${id}/user_roles`, role);
		t.like(granted.body.data, role);
		t.deepEqual((await admin.get(`/v1/users/${id}/user_roles`)).body.data, [granted.body.data]);
		const workspace = await zoe.get(`/v1/organisations/${head}/workspace`);
		t.like(workspace.body.data, {organisation_id: head, role: 'EDITOR', datamarts: [], administrator: true});
		t.deepEqual((await zoe.get('/v1/connected_user')).body.data.workspaces[0], workspace.body.data);

		await admin.post(`/v1/users/${id}/user_roles`, {organisation_id: head, role: 'READER'});
		const roles = (await admin.get(`/v1/users/${id}/user_roles`)).body.data;
		t.deepEqual(
			roles.map((each: {role: string}) => each.role),
			['READER'],
			'one role an organisation',
		);
		t.is((await admin.request('DELETE', `/v1/users/${id}/user_roles/${roles[0].id}`)).status, 200);
		t.is((await zoe.get(`/v1/organisations/${head}/workspace`)).status, 404, 'at once');
		const gone = await admin.request('DELETE', `/v1/users/${id}/user_roles?organisation_id=${head}`);
		t.deepEqual(codeOf(gone), [404, 'user_role_not_found']);
	},
);

test.serial('a password needs 8 to 256 characters, of any kind, and faulty fields are named', async t => {
	const {root, head} = await worldOf(t);
	const make = (password: string) =>
		root.post('/v1/users', {email: `${randomUUID()}@example.org`, organisation_id: head, password});
	t.is((await make('ÄÄÄÄ€€€😀')).status, 200, 'counted in characters');
	t.is((await make('x'.repeat(256))).status, 200);
	for (const password of ['1234567', '😀😀😀😀', 'x'.repeat(257)]) {
		t.deepEqual(pointersOf(await make(password)), ['/password']);
	}
	const bad = await root.post('/v1/users', {email: 'nobody', organisation_id: 'x', first_name: 1});
	t.deepEqual(pointersOf(bad).sort(), ['/email', '/first_name', '/organisation_id']);
	const taken = await root.post('/v1/users', {email: 'ADMIN@example.org', organisation_id: head});
	t.deepEqual(pointersOf(taken), ['/email']);
	t.deepEqual(pointersOf(await root.post('/v1/users', {email: 'x@example.org'})), ['/organisation_id']);
});

test.serial('without a password nobody logs in until an administrator sets one', async t => {
	const {root, head} = await worldOf(t);
	const email = `${randomUUID()}@example.org`;
	const {id} = (await root.post('/v1/users', {email, organisation_id: head})).body.data;
	const stranger = clientOf(root.url);
	t.is((await stranger.post('/v1/authentication/access_tokens', {email, password: 'undefined'})).status, 401);
	t.is((await root.request('PUT', `/v1/users/${id}`, {password: PASSWORD})).status, 200);
	t.truthy(await login(root.url, {email, password: PASSWORD}));
});

test.serial(
	'people change their own names and, knowing the old one, their password, which ends their logins',
	async t => {
		const {root, person} = await worldOf(t);
		const ann = await person('READER');
		const other = clientOf(root.url, await login(root.url, {email: ann.email, password: PASSWORD}));
		const refresh = await other.post('/v1/authentication/refresh_tokens', {
			email: ann.email,
			password: PASSWORD,
		});
		const me = (await ann.get(`/v1/users/${ann.id}`)).body.data;
		const renamed = await ann.request('PUT', `/v1/users/${ann.id}`, {...me, last_name: 'New', locale: 'fr'});
		t.deepEqual(renamed.body.data, {...me, last_name: 'New', locale: 'fr'});
		t.is((await ann.get(`/v1/users/${ann.id}/user_roles`)).body.total, 1);

		for (const current of [undefined, 'wrong password']) {
			const body = {password: 'another one', current_password: current};
			t.deepEqual(pointersOf(await ann.request('PUT', `/v1/users/${ann.id}`, body)), ['/current_password']);
		}
		const made = await ann.post(`/v1/users/${ann.id}/api_tokens`, {name: 'mine'});
		const byApiToken = clientOf(root.url, made.body.data.value);
		for (const body of [{email: 'thief@example.org'}, {password: 'mine now', current_password: PASSWORD}]) {
			const refused = await byApiToken.request('PUT', `/v1/users/${ann.id}`, body);
			t.deepEqual(
				codeOf(refused),
				[403, 'access_token_required'],
				'a leaked API token does not become a login',
			);
		}
		const changed = await ann.request('PUT', `/v1/users/${ann.id}`, {
			password: 'another one',
			current_password: PASSWORD,
		});
		t.is(changed.status, 200);
		t.true(changed.body.data.last_password_update >= me.last_password_update);
		for (const client of [ann, other]) t.is((await client.get('/v1/connected_user')).status, 401);
		const refreshed = await other.post('/v1/authentication/access_tokens', refresh.body.data);
		t.is(refreshed.status, 401);
		t.truthy(await login(root.url, {email: ann.email, password: 'another one'}));
	},
);

test.serial('nobody gives more than they hold, takes it from others, or becomes them', async t => {
	const {root, head, branch, person} = await worldOf(t);
	const [admin, of, root2] = [
		await person('ORGANISATION_ADMIN'),
		await person('ORGANISATION_ADMIN', branch),
		await person('COMMUNITY_ADMIN'),
	];
	const target = await person(undefined);
	const grant = (who: Client, role: Role, organisation: string, user = target.id) =>
		who.post(`/v1/users/${user}/user_roles`, {organisation_id: organisation, role});
	t.deepEqual(codeOf(await grant(admin, 'COMMUNITY_ADMIN', head)), [403, 'role_insufficient']);
	t.deepEqual(codeOf(await grant(admin, 'CUSTOMER_ADMIN', head)), [403, 'role_insufficient']);
	t.is((await grant(admin, 'ORGANISATION_ADMIN', branch)).status, 200);
	t.is((await grant(of, 'READER', branch)).status, 404, 'a user of the head is none of the branch’s');
	t.deepEqual(pointersOf(await grant(admin, 'READER', root.organisationId)), ['/organisation_id']);

	const higher = `/v1/users/${root2.id}`;
	t.is((await grant(admin, 'READER', head, root2.id)).status, 403, 'no degrading');
	const [{id: roleId}] = (await admin.get(`${higher}/user_roles`)).body.data;
	t.is((await admin.request('DELETE', `${higher}/user_roles/${roleId}`)).status, 403);
	t.is((await admin.request('PUT', higher, {password: 'mine from now on'})).status, 403, 'no take-over');
	t.is((await admin.request('PUT', higher, {email: 'mine@example.org'})).status, 403);
	t.is((await admin.request('DELETE', higher)).status, 403);
	t.is((await root2.get('/v1/connected_user')).body.data.workspaces.length > 1, true);
	t.is((await root.request('DELETE', higher)).status, 200);
	t.is((await root2.get('/v1/connected_user')).status, 401, 'tokens of a removed user end at once');
});

test.serial('readers and editors see their own account and no other, strangers see none', async t => {
	const {root, head, person} = await worldOf(t);
	const admin = await person('ORGANISATION_ADMIN');
	const other = await person('EDITOR', (await worldOf(t)).head);
	for (const role of ['READER', 'EDITOR'] as const) {
		const user = await person(role);
		t.is((await user.get(`/v1/users/${user.id}`)).status, 200);
		for (const path of [`/v1/users/${admin.id}`, `/v1/users?organisation_id=${head}`, '/v1/users/987654']) {
			t.is((await user.get(path)).status, 403, path);
		}
		const grant = {organisation_id: head, role: 'ORGANISATION_ADMIN'};
		t.is((await user.post(`/v1/users/${user.id}/user_roles`, grant)).status, 403, 'not even to themselves');
		t.is((await user.request('DELETE', `/v1/users/${user.id}`)).status, 403);
	}
	for (const [method, path, body] of [
		['GET', `/v1/users/${other.id}`],
		['GET', `/v1/users/${other.id}/user_roles`],
		['PUT', `/v1/users/${other.id}`, {first_name: 'x'}],
		['DELETE', `/v1/users/${other.id}`],
		['GET', '/v1/users/987654'],
		['GET', `/v1/users?organisation_id=${root.organisationId}`],
		['GET', '/v1/communities/987654/users.user_roles'],
	] as const) {
		const answer = await admin.request(method, path, body);
		const isCommunity = path.includes('communities');
		t.is(answer.status, isCommunity ? 403 : 404, path);
	}
	t.is((await root.get('/v1/communities/987654/users.user_roles')).status, 404);
});

test.serial('all users of a community are listed with their roles, by either spelling', async t => {
	const {root, head, person} = await worldOf(t);
	const ann = await person('READER');
	const community = (await root.get(`/v1/organisations/${head}`)).body.data.community_id;
	for (const noun of ['communities', 'community']) {
		const {body} = await root.get(`/v1/${noun}/${community}/users.user_roles?max_results=500`);
		const listed = body.data.find((each: {id: string}) => each.id === ann.id);
		t.like(listed, {email: ann.email});
		t.like(listed.user_roles[0], {role: 'READER', organisation_id: head});
		t.is(body.total, body.data.length);
	}
});

test.serial('the last administrator of a community stays, whichever way they are asked to go', async t => {
	const {root, person} = await worldOf(t);
	const me = (await root.get('/v1/connected_user')).body.data.id;
	const [role] = (await root.get(`/v1/users/${me}/user_roles`)).body.data;
	const goes = [
		() => root.request('DELETE', `/v1/users/${me}`),
		() => root.request('DELETE', `/v1/users/${me}/user_roles/${role.id}`),
		() => root.post(`/v1/users/${me}/user_roles`, {organisation_id: role.organisation_id, role: 'EDITOR'}),
	];
	for (const go of goes) t.deepEqual(codeOf(await go()), [409, 'administrator_last']);
	t.is((await root.get(`/v1/users/${me}`)).status, 200);

	const second = await person('COMMUNITY_ADMIN', root.organisationId);
	const [own] = (await second.get(`/v1/users/${second.id}/user_roles`)).body.data;
	const both = await Promise.all([
		second.request('DELETE', `/v1/users/${me}/user_roles/${role.id}`),
		root.request('DELETE', `/v1/users/${second.id}/user_roles/${own.id}`),
	]);
	t.is(both.filter(({status}) => status === 200).length, 1, 'two who remove each other: one stays');
	// The other tests need the first administrator back.
	if (both[0]?.status === 200) {
		await second.post(`/v1/users/${me}/user_roles`, {organisation_id: role.organisation_id, role: role.role});
	}
});

test.serial(
	'what was changed stands in the trail of its organisation: who, what, when, from where, no secret',
	async t => {
		const {root, head, person} = await worldOf(t);
		const admin = await person('ORGANISATION_ADMIN');
		const before = Date.now();
		const made = await admin.post('/v1/users', {
			email: 'trail@example.org',
			organisation_id: head,
			password: 'very secret indeed',
		});
		const {id} = made.body.data;
		await admin.post(`/v1/users/${id}/user_roles`, {organisation_id: head, role: 'READER'});
		await admin.request('PUT', `/v1/users/${id}`, {first_name: 'X', password: 'even more secret'});
		await admin.request('DELETE', `/v1/users/${id}`);
		const datamart = await admin.post('/v1/datamarts', {name: 'Trail', organisation_id: head});
		await admin.post(`/v1/datamarts/${datamart.body.data.id}/channels`, {name: 'site', type: 'SITE'});
		await admin.post('/v1/users', {email: 'bad', organisation_id: head});

		const {body} = await admin.get(`/v1/organisations/${head}/audit_events?user_id=${admin.id}`);
		const told = body.data.map(({event, resource_id: resource, details}: Record<string, unknown>) => [
			event,
			resource === id,
			details,
		]);
		t.deepEqual(told, [
			['channel_created', false, {name: 'site', type: 'SITE'}],
			['datamart_created', false, {name: 'Trail', organisation_id: head, time_zone: 'UTC'}],
			['user_removed', true, {user_id: id, email: 'trail@example.org'}],
			['user_changed', true, {user_id: id, fields: ['first_name', 'password']}],
			['user_role_granted', false, {user_id: id, organisation_id: head, role: 'READER'}],
			['user_created', true, {email: 'trail@example.org', organisation_id: head}],
			['access_token_created', false, {email: admin.email}],
		]);
		t.like(body.data[0], {user_id: admin.id, credential: 'access_token', organisation_id: head});
		t.true(
			body.data.every((each: {ts: number; remote_address: string}) => each.remote_address === '127.0.0.1'),
		);
		t.true(body.data[0].ts >= before);
		t.false(/secret|long enough/.test(JSON.stringify(body)));

		const one = await admin.get(`/v1/organisations/${head}/audit_events?event=user_removed&max_results=1`);
		t.like(one.body, {count: 1, total: 1});
		const editor = await person('EDITOR');
		t.is((await editor.get(`/v1/organisations/${head}/audit_events`)).status, 403);
		t.is((await admin.get(`/v1/organisations/${root.organisationId}/audit_events`)).status, 404);
		t.deepEqual(
			pointersOf(await admin.get(`/v1/organisations/${head}/audit_events?event=x&user_id=y`)).sort(),
			['?event', '?user_id'],
		);
	},
);
