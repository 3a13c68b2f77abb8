import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import anyTest, {type TestFn} from 'ava';
import {clientOf, login, startTestService, type TestService} from '../../support/service.ts';
import {type TestTenants, testTenants} from '../../support/tenants.ts';

const test = anyTest as TestFn<{service: TestService; tenants: TestTenants}>;
const PASSWORD = 'correct horse';

test.before(async t => {
	const service = await startTestService();
	t.context = {service, tenants: await testTenants(service.database)};
});
test.after.always(t => t.context.service?.stop());

/** People of two organisations of one community, each with a client of their own. */
async function people({service, tenants}: {service: TestService; tenants: TestTenants}) {
	const community = await tenants.community();
	const organisation = await tenants.organisation(community);
	const elsewhere = await tenants.organisation(community);
	const person = async (where: typeof organisation, role: Parameters<typeof tenants.user>[1]) => {
		const user = await tenants.user(where, role);
		const token = await login(service.url, {email: user.email, password: PASSWORD});
		return {...clientOf(service.url, token), id: user.id, tokens: `/v1/users/${user.id}/api_tokens`};
	};
	const all = {
		reader: await person(organisation, 'READER'),
		colleague: await person(organisation, 'EDITOR'),
		administrator: await person(organisation, 'ORGANISATION_ADMIN'),
		communityAdministrator: await person(organisation, 'COMMUNITY_ADMIN'),
		stranger: await person(elsewhere, 'ORGANISATION_ADMIN'),
	};
	// Organisations made behind the service's back are known to it half a second later.
	for (let turn = 0; turn < 100; turn++) {
		const {workspaces} = (await all.administrator.get('/v1/connected_user')).body.data;
		if (workspaces.length > 0) break;
		await delay(50);
	}
	return all;
}

const code = (answer: {status: number; body: {error_code?: string}}) =>
	`${answer.status} ${answer.body.error_code ?? 'ok'}`;

test('a token is made, used in every spelling, renamed, listed masked, and revoked at once', async t => {
	const {reader} = await people(t.context);
	const before = Date.now();
	const made = await reader.post(reader.tokens, {name: 'ci'});
	t.is(made.status, 200);
	const {id, value, creation_date: created, ...rest} = made.body.data;
	t.regex(value, /^api:[0-9A-Za-z]{42}$/);
	t.true(created >= before && created <= Date.now());
	const months = new Date(created);
	months.setUTCFullYear(months.getUTCFullYear() + 1);
	t.deepEqual(rest, {name: 'ci', expiration_date: months.getTime(), last_use_date: null});

	for (const sent of [value, value.slice(4), `api:${value}`]) {
		for (const header of [sent, `Bearer ${sent}`]) {
			const answer = await clientOf(reader.url).get('/v1/connected_user', {authorization: header});
			t.is(answer.body.data?.id, String(reader.id), header.replace(value.slice(8), '...'));
		}
	}

	const masked = value.slice(0, 8) + '*'.repeat(38);
	const renamed = await reader.request('PUT', `${reader.tokens}/${id}`, {name: 'cd'});
	const later = {...made.body.data, name: 'cd', value: masked};
	t.deepEqual(renamed.body, {status: 'ok', data: later});
	t.deepEqual((await reader.get(`${reader.tokens}/${id}`)).body, {status: 'ok', data: later});
	t.deepEqual((await reader.get(reader.tokens)).body, {
		status: 'ok',
		data: [later],
		count: 1,
		total: 1,
		first_result: 0,
		max_results: 50,
		max_result: 50,
	});

	t.deepEqual((await reader.request('DELETE', `${reader.tokens}/${id}`)).body, {status: 'ok', data: {}});
	const holder = clientOf(reader.url, value);
	t.is(code(await holder.get('/v1/connected_user')), '401 token_unknown');
	t.is(code(await reader.get(`${reader.tokens}/${id}`)), '404 api_token_not_found');
	t.is(code(await reader.request('DELETE', `${reader.tokens}/${id}`)), '404 api_token_not_found');
});

test('lists are paged, and a token needs no name', async t => {
	const {reader} = await people(t.context);
	for (let number = 0; number < 3; number++) await reader.post(reader.tokens, {});
	const {body} = await reader.get(`${reader.tokens}?first_result=1&max_results=1`);
	t.like(body, {count: 1, total: 3, first_result: 1, max_results: 1, max_result: 1});
	t.false('name' in body.data[0]);
});

test('an expiration may be asked for, within 24 months', async t => {
	const {reader} = await people(t.context);
	const soon = Date.now() + 60_000;
	t.is((await reader.post(reader.tokens, {expiration_date: soon})).body.data.expiration_date, soon);
	const {data} = (await reader.post(reader.tokens, {lifetime_months: 24})).body;
	t.is(new Date(data.expiration_date).getUTCFullYear(), new Date().getUTCFullYear() + 2);
	const faulty = [
		{expiration_date: Date.now() - 1},
		{expiration_date: data.expiration_date + 86_400_000},
		{expiration_date: 'tomorrow'},
		{lifetime_months: 25},
		{lifetime_months: 0},
		{lifetime_months: 3, expiration_date: soon},
		{name: ''},
	];
	for (const body of faulty) {
		t.is(code(await reader.post(reader.tokens, body)), '400 field_invalid', JSON.stringify(body));
	}
});

test('an API token makes, sees and removes no API tokens, not even its own', async t => {
	const {reader} = await people(t.context);
	const {id, value} = (await reader.post(reader.tokens, {name: 'ci'})).body.data;
	const holder = clientOf(reader.url, value);
	const calls = [
		holder.post(reader.tokens, {name: 'more'}),
		holder.get(reader.tokens),
		holder.get(`${reader.tokens}/${id}`),
		holder.request('PUT', `${reader.tokens}/${id}`, {name: 'mine'}),
		holder.request('DELETE', `${reader.tokens}/${id}`),
	];
	for (const call of calls) t.is(code(await call), '403 access_token_required');
	t.is((await reader.get(reader.tokens)).body.total, 1);
});

test('tokens of others: their administrator may, a colleague may not, to strangers they are not there', async t => {
	const {reader, colleague, administrator, stranger} = await people(t.context);
	const {id} = (await administrator.post(reader.tokens, {name: 'for the reader'})).body.data;
	t.is(code(await administrator.get(`${reader.tokens}/${id}`)), '200 ok');
	for (const path of [reader.tokens, `${reader.tokens}/${id}`]) {
		t.is(code(await colleague.get(path)), '403 role_insufficient');
		t.is(code(await stranger.get(path)), '404 user_not_found');
	}
	t.is(code(await colleague.post(reader.tokens, {})), '403 role_insufficient');
	t.is(code(await stranger.post(reader.tokens, {})), '404 user_not_found');
	t.is(code(await stranger.request('DELETE', `${reader.tokens}/${id}`)), '404 user_not_found');
	t.is(code(await administrator.get('/v1/users/987654/api_tokens')), '404 user_not_found');
	t.is(code(await administrator.get('/v1/users/x/api_tokens')), '404 user_not_found');
	// A token's id under another user's path names nothing.
	t.is(code(await administrator.get(`${administrator.tokens}/${id}`)), '404 api_token_not_found');
	t.is(code(await administrator.request('DELETE', `${reader.tokens}/${id}`)), '200 ok');
});

test('nobody makes a credential that may do more than they may themselves', async t => {
	const {administrator, communityAdministrator, reader} = await people(t.context);
	const keys = `/v1/users/${communityAdministrator.id}/message_authentication_keys`;
	const key = {scheme: 'HMAC_SHA256', key_id: `climb-${communityAdministrator.id}`};
	t.is(code(await administrator.post(communityAdministrator.tokens, {})), '403 role_insufficient');
	t.is(code(await administrator.post(keys, key)), '403 role_insufficient');
	t.is(
		code(await administrator.get(communityAdministrator.tokens)),
		'200 ok',
		'but they may look and revoke',
	);
	t.is(code(await communityAdministrator.post(administrator.tokens, {})), '200 ok');
	t.is(code(await administrator.post(reader.tokens, {})), '200 ok');
});

test('when a token was last used is written down by the time the service has stopped', async t => {
	const directory = mkdtempSync(join(tmpdir(), 'millrace-last-use-'));
	t.teardown(() => rmSync(directory, {recursive: true, force: true}));
	const service = await startTestService({}, directory);
	const {id: userId} = (await service.get('/v1/connected_user')).body.data;
	const path = `/v1/users/${userId}/api_tokens`;
	const {id, value} = (await service.post(path, {name: 'ci'})).body.data;
	const before = Date.now();
	await clientOf(service.url, value).get('/v1/connected_user');
	t.is((await service.get(`${path}/${id}`)).body.data.last_use_date, null);
	await service.stop();
	const again = await startTestService({}, directory);
	t.teardown(() => again.stop());
	const {last_use_date: used} = (await again.get(`${path}/${id}`)).body.data;
	t.true(used >= before && used <= Date.now());
});
