import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import type {Principal} from '../../src/identity/principal.ts';
import {tenantRoutes} from '../../src/tenants/tenants.route.ts';
import type {Community, Datamart, Organisation} from '../../src/tenants/tenants.ts';
import {startSharedPostgres, type TestPostgres} from '../support/postgres.ts';
import {type Answer, type Call, serveRoutes} from '../support/routes.ts';
import {principalOf, type TestTenants, testTenants} from '../support/tenants.ts';

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

interface World {
	readonly community: Community;
	readonly head: Organisation;
	readonly branch: Organisation;
	readonly foreign: Organisation;
	readonly shop: Datamart;
	readonly foreignShop: Datamart;
	/** The caller's own routes: `as(principal)` asks for everything as that principal. */
	as(principal: Principal): Promise<Call>;
}

/** Two customers: a head with a branch and a shop, and a stranger with a shop. */
async function worldOf(t: ExecutionContext<Context>): Promise<World> {
	const {tenants} = t.context;
	const community = await tenants.community();
	const head = await tenants.organisation(community);
	const branch = await tenants.organisation(community, head);
	const foreign = await tenants.organisation(await tenants.community());
	const [shop, foreignShop] = [
		await tenants.datamart(head, 'Shop'),
		await tenants.datamart(foreign, 'Foreign'),
	];
	await tenants.directory.refresh();
	return {
		community,
		head,
		branch,
		foreign,
		shop,
		foreignShop,
		async as(principal) {
			const call = await serveRoutes(t, tenantRoutes(tenants), {
				directory: tenants.directory,
				verifyToken: async () => principal,
			});
			return (method, path, options) => call(method, path, {token: 'any', ...options});
		},
	};
}

const pointersOf = ({body}: Answer) => body.errors.map(({pointer}: {pointer: string}) => pointer);
const idsOf = ({body}: Answer) => body.data.map(({id}: {id: string}) => id);

test('a new datamart comes back in full with its defaults, is readable at once, and has a compartment', async t => {
	const world = await worldOf(t);
	const call = await world.as(principalOf(world.head, 'ORGANISATION_ADMIN'));
	const body = {name: ' Bazaar ', organisation_id: String(world.head.id), time_zone: 'America/Sao_Paulo'};
	const made = await call('POST', '/v1/datamarts', {body});

	t.is(made.status, 200);
	const {id, token, creation_date: creationDate, ...rest} = made.body.data;
	t.deepEqual(rest, {
		name: 'Bazaar',
		organisation_id: String(world.head.id),
		time_zone: 'America/Sao_Paulo',
		type: 'DATAMART',
		datafarm: 'DF_EU_2026_11',
		storage_model_version: 'v201709',
		user_point_system_version: 'v201901',
		region: 'EUROPE',
		archived: false,
		audience_segment_metrics: [],
	});
	t.regex(id, /^\d+$/);
	t.true(token.length >= 16);
	t.is(typeof creationDate, 'number');
	t.deepEqual((await call('GET', `/v1/datamarts/${id}`)).body.data, made.body.data);
	for (const noun of ['compartments', 'user_account_compartments']) {
		const {body: listed} = await call('GET', `/v1/datamarts/${id}/${noun}`);
		t.like(listed, {status: 'ok', count: 1, total: 1, first_result: 0, max_results: 50});
		const [compartment] = listed.data;
		t.like(compartment, {name: 'Default', default: true, datamart_id: id, archived: false});
		t.is(compartment.compartment_id, compartment.id);
	}
});

test('each faulty field of a datamart is named: time zone, type, empty name, version', async t => {
	const world = await worldOf(t);
	const call = await world.as(principalOf(world.head, 'ORGANISATION_ADMIN'));
	const answer = await call('POST', '/v1/datamarts', {
		body: {
			name: '  ',
			organisation_id: 'x',
			time_zone: 'Europe/Atlantis',
			type: 'WAREHOUSE',
			user_point_system_version: '201901',
		},
	});
	t.is(answer.status, 400);
	t.deepEqual(pointersOf(answer).sort(), [
		'/name',
		'/organisation_id',
		'/time_zone',
		'/type',
		'/user_point_system_version',
	]);
	for (const timeZone of ['+01:00', 'UTC+1', '', 5]) {
		const refused = await call('POST', '/v1/datamarts', {
			body: {name: 'x', organisation_id: world.head.id, time_zone: timeZone},
		});
		t.deepEqual(pointersOf(refused), ['/time_zone'], String(timeZone));
	}
	const missing = await call('POST', '/v1/datamarts', {body: {name: 'x'}});
	t.deepEqual(pointersOf(missing), ['/organisation_id']);
});

test('a datamart is made only where one administers: a reader is 403, a stranger learns nothing', async t => {
	const world = await worldOf(t);
	const reader = await world.as(principalOf(world.head, 'READER'));
	const own = {name: 'x', organisation_id: world.head.id};
	t.is((await reader('POST', '/v1/datamarts', {body: own})).status, 403);

	const administrator = await world.as(principalOf(world.head, 'COMMUNITY_ADMIN'));
	const theirs = await administrator('POST', '/v1/datamarts', {
		body: {...own, organisation_id: world.foreign.id},
	});
	const nobodys = await administrator('POST', '/v1/datamarts', {body: {...own, organisation_id: 987_654}});
	t.deepEqual([theirs.status, pointersOf(theirs)], [400, ['/organisation_id']]);
	t.deepEqual(
		{...theirs.body, error_id: 0},
		{...nobodys.body, error_id: 0},
		'existing and missing look the same',
	);
});

test("another customer's datamart, channel, compartments and organisation are not there", async t => {
	const world = await worldOf(t);
	const owner = await world.as(principalOf(world.foreign, 'EDITOR'));
	const channel = await owner('POST', `/v1/datamarts/${world.foreignShop.id}/channels`, {
		body: {name: 'theirs', type: 'SITE'},
	});
	const call = await world.as(principalOf(world.head, 'COMMUNITY_ADMIN'));
	const datamart = `/v1/datamarts/${world.foreignShop.id}`;
	const calls: [string, string, object?][] = [
		['GET', datamart],
		['GET', `${datamart}/compartments`],
		['POST', `${datamart}/compartments`, {name: 'x'}],
		['GET', `${datamart}/channels`],
		['POST', `${datamart}/channels`, {name: 'x', type: 'SITE'}],
		['PUT', `${datamart}/sites/${channel.body.data.id}`, {name: 'x'}],
		['DELETE', `${datamart}/sites/${channel.body.data.id}`],
		['PUT', `/v1/datamarts/${world.shop.id}/sites/${channel.body.data.id}`, {name: 'x'}],
		['DELETE', `/v1/datamarts/${world.shop.id}/sites/${channel.body.data.id}`],
		['GET', `/v1/channels/${channel.body.data.id}`],
		['GET', `/v1/organisations/${world.foreign.id}`],
		['GET', `/v1/datamarts?organisation_id=${world.foreign.id}`],
		['GET', '/v1/channels/987654'],
		['GET', '/v1/channels/1%20or%201=1'],
	];
	for (const [method, path, body] of calls) {
		const answer = await call(method, path, body ? {body} : {});
		t.deepEqual([answer.status, answer.body.error], [404, 'Resource Not Found'], `${method} ${path}`);
	}
	t.is((await owner('GET', `/v1/channels/${channel.body.data.id}`)).body.data.name, 'theirs');
});

test('lists hold what the caller may see, and pages tell count and total', async t => {
	const world = await worldOf(t);
	await t.context.tenants.datamart(world.branch, 'Branch shop');
	const call = await world.as(principalOf(world.head, 'READER'));
	t.deepEqual(idsOf(await call('GET', '/v1/organisations')), [
		String(world.head.id),
		String(world.branch.id),
	]);
	t.deepEqual(idsOf(await call('GET', `/v1/organisations?administrator_id=${world.head.id}`)), [
		String(world.branch.id),
	]);
	const own = await call('GET', `/v1/datamarts?organisation_id=${world.head.id}`);
	t.deepEqual(idsOf(own), [String(world.shop.id)]);
	t.is((await call('GET', '/v1/datamarts?keywords=BRANCH')).body.total, 1);

	const page = await call('GET', '/v1/datamarts?first_result=1&max_results=1');
	t.like(page.body, {count: 1, total: 2, first_result: 1, max_results: 1});
	for (const query of ['max_results=501', 'max_results=0', 'first_result=-1', 'organisation_id=one']) {
		const refused = await call('GET', `/v1/datamarts?${query}`);
		t.deepEqual([refused.status, pointersOf(refused)], [400, [`?${query.split('=')[0]}`]]);
	}
});

test('an administrator makes sub-organisations of their own; the top is for administrators of the community', async t => {
	const world = await worldOf(t);
	const call = await world.as(principalOf(world.head, 'ORGANISATION_ADMIN'));
	const body = {name: 'Spain', technical_name: 'spain', market_id: 3, administrator_id: world.head.id};
	const made = await call('POST', '/v1/organisations', {body});
	t.like(made.body.data, {
		name: 'Spain',
		technical_name: 'spain',
		market_id: '3',
		community_id: String(world.community.id),
		administrator_id: String(world.head.id),
		archived: false,
		created_by: '1',
	});
	t.is((await call('GET', `/v1/organisations/${made.body.data.id}`)).body.data.name, 'Spain');
	t.deepEqual(pointersOf(await call('POST', '/v1/organisations', {body})), ['/technical_name']);
	t.is((await call('POST', '/v1/organisations', {body: {name: 'Top'}})).status, 403);
	const abroad = await call('POST', '/v1/organisations', {
		body: {...body, administrator_id: world.foreign.id},
	});
	t.deepEqual(pointersOf(abroad), ['/administrator_id']);

	const administrator = await world.as(principalOf(world.head, 'COMMUNITY_ADMIN'));
	const top = await administrator('POST', '/v1/organisations', {body: {name: 'Top', type: 'TEST_SANDBOX'}});
	t.like(top.body.data, {administrator_id: null, customer_type: 'TEST_SANDBOX'});
	const elsewhere = {name: 'Top', community_id: world.foreign.communityId};
	t.is((await administrator('POST', '/v1/organisations', {body: elsewhere})).status, 403);
});

test('a channel is made, found, listed, changed and removed, as the console does it', async t => {
	const world = await worldOf(t);
	const call = await world.as(principalOf(world.head, 'EDITOR'));
	const channels = `/v1/datamarts/${world.shop.id}/channels`;
	const site = await call('POST', channels, {
		body: {
			name: 'shop.example',
			domain: 'shop.example',
			type: 'SITE',
			enable_analytics: false,
			organisation_id: String(world.head.id),
		},
	});
	const app = await call('POST', channels, {body: {name: 'App', type: 'MOBILE_APPLICATION', domain: null}});
	const {id, token, creation_ts: creationTs, ...rest} = site.body.data;
	t.deepEqual(rest, {
		name: 'shop.example',
		type: 'SITE',
		datamart_id: String(world.shop.id),
		organisation_id: String(world.head.id),
		domain: 'shop.example',
		enable_analytics: false,
		enable_installation_id_aggregation: false,
	});
	t.is(typeof creationTs, 'number');
	t.is(t.context.tenants.directory.channelByToken(token)?.id, Number(id), 'its token works at once');
	t.deepEqual((await call('GET', `/v1/channels/${id}`)).body.data, site.body.data);
	t.is((await call('GET', channels)).body.total, 2);
	t.deepEqual(idsOf(await call('GET', `${channels}?keywords=SHOP&organisation_id=${world.head.id}`)), [id]);
	t.is((await call('GET', `${channels}?organisation_id=${world.branch.id}`)).body.total, 0);

	const sites = `/v1/datamarts/${world.shop.id}/sites/${id}`;
	const changed = await call('PUT', sites, {
		body: {...site.body.data, name: 'new.example', enable_analytics: true},
	});
	t.deepEqual(changed.body.data, {...site.body.data, name: 'new.example', enable_analytics: true});
	const wrongNoun = `/v1/datamarts/${world.shop.id}/mobile_applications/${id}`;
	t.is((await call('DELETE', wrongNoun)).status, 404);
	t.like(await call('DELETE', sites), {status: 200, body: {status: 'ok', data: {}}});
	t.is((await call('GET', `/v1/channels/${id}`)).status, 404);
	t.is(t.context.tenants.directory.channelByToken(token), undefined);
	const apps = `/v1/datamarts/${world.shop.id}/mobile_applications/${app.body.data.id}`;
	t.is((await call('DELETE', apps)).status, 200);
});

test('a channel of no known type, without a name, or for another organisation is refused by field', async t => {
	const world = await worldOf(t);
	const call = await world.as(principalOf(world.head, 'EDITOR'));
	const channels = `/v1/datamarts/${world.shop.id}/channels`;
	t.deepEqual(pointersOf(await call('POST', channels, {body: {type: 'KIOSK'}})).sort(), ['/name', '/type']);
	const elsewhere = {name: 'x', type: 'SITE', organisation_id: world.branch.id};
	t.deepEqual(pointersOf(await call('POST', channels, {body: elsewhere})), ['/organisation_id']);
	const quoted = {name: 'x', type: 'SITE', token: "a' or '1'='1"};
	t.deepEqual(pointersOf(await call('POST', channels, {body: quoted})), ['/token']);
	const reader = await world.as(principalOf(world.head, 'READER'));
	t.is((await reader('POST', channels, {body: {name: 'x', type: 'SITE'}})).status, 403);
});

test('a compartment made through the API serves activities at once and may become the default', async t => {
	const world = await worldOf(t);
	const call = await world.as(principalOf(world.head, 'ORGANISATION_ADMIN'));
	const made = await call('POST', `/v1/datamarts/${world.shop.id}/compartments`, {
		body: {name: 'Loyalty', default: true},
	});
	const {directory} = t.context.tenants;
	t.is(directory.compartment(world.shop.id, made.body.data.id)?.name, 'Loyalty');
	t.is(directory.defaultCompartment(world.shop.id)?.name, 'Loyalty');
});
