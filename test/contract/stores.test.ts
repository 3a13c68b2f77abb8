import {randomUUID} from 'node:crypto';
import anyTest, {type TestFn} from 'ava';
import type {DomainError} from '../../src/errors.ts';
import {fakeAccessTokenStore} from '../../src/identity/access-tokens/access-tokens.store.fake.ts';
import {
	type AccessTokenStore,
	accessTokenStore,
} from '../../src/identity/access-tokens/access-tokens.store.ts';
import {startSharedPostgres, type TestPostgres} from '../support/postgres.ts';
import {type TestTenants, testTenants} from '../support/tenants.ts';

/** What the domain relies on of each store, on the embedded PostgreSQL or the server of TEST_DATABASE_URL. */
const test = anyTest as TestFn<{postgres: TestPostgres; tenants: TestTenants}>;

test.before(async t => {
	const postgres = await startSharedPostgres();
	t.context = {postgres, tenants: await testTenants(postgres.database)};
});
test.after.always(async t => t.context.postgres?.stop());

const ALL = {firstResult: 0, maxResults: 500};

async function refusal(work: Promise<unknown>): Promise<unknown> {
	const error = await work.then(
		() => undefined,
		(thrown: DomainError) => thrown,
	);
	return error && [error.code, error.faults[0]?.pointer];
}

test('a community is found by its id and listed', async t => {
	const {communities} = t.context.tenants;
	const community = await communities.create('Acme');
	t.deepEqual(await communities.find(community.id), community);
	t.true((await communities.list(ALL)).items.some(({id}) => id === community.id));
	t.is(await communities.find(987_654), undefined);
});

test('an organisation keeps what it was made with, and its technical name is its own within the community', async t => {
	const {tenants} = t.context;
	const community = await tenants.community();
	const above = await tenants.organisation(community);
	const values = {
		communityId: community.id,
		administratorId: above.id,
		marketId: 7,
		name: 'Acme France',
		technicalName: 'acme-fr',
		customerType: 'TEST_SANDBOX',
		createdBy: null,
	};
	const organisation = await tenants.organisations.create(values);

	t.like(organisation, {...values, archived: false, lastModifiedTs: organisation.createdTs});
	t.deepEqual(await tenants.organisations.find(organisation.id), organisation);
	t.deepEqual(await refusal(tenants.organisations.create(values)), ['field_invalid', '/technical_name']);
	const elsewhere = await tenants.community();
	await t.notThrowsAsync(
		tenants.organisations.create({...values, communityId: elsewhere.id, administratorId: null}),
	);
});

test('a list of organisations holds those asked for and allowed, page by page', async t => {
	const {tenants} = t.context;
	const community = await tenants.community();
	const above = await tenants.organisation(community);
	const below = await tenants.organisation(community, above);
	const hidden = await tenants.organisation(community, above);
	const ids = [above.id, below.id];
	const namesOf = async (query: object, paging = ALL) =>
		(await tenants.organisations.list({ids, ...query}, paging)).items.map(({id}) => id);

	t.deepEqual(await namesOf({}), ids);
	t.deepEqual(await namesOf({administratorId: above.id}), [below.id]);
	t.deepEqual(await namesOf({communityId: community.id + 1000}), []);
	t.deepEqual(await namesOf({keywords: below.name.slice(-8).toUpperCase()}), [below.id]);
	t.deepEqual(await namesOf({keywords: '%'}), [], 'a percent sign is a character, not a pattern');
	t.deepEqual(await namesOf({archived: true}), []);
	t.deepEqual(await namesOf({ids: []}), []);
	const page = await tenants.organisations.list({ids: [...ids, hidden.id]}, {firstResult: 1, maxResults: 1});
	t.deepEqual({ids: page.items.map(({id}) => id), total: page.total}, {ids: [below.id], total: 3});
});

test('a datamart comes with a default compartment and its community, and its token is its own', async t => {
	const {tenants} = t.context;
	const community = await tenants.community();
	const organisation = await tenants.organisation(community);
	const datamart = await tenants.datamart(organisation, 'Shop');

	t.like(datamart, {
		organisationId: organisation.id,
		communityId: community.id,
		timeZone: 'UTC',
		archived: false,
	});
	t.deepEqual(await tenants.datamarts.find(datamart.id), datamart);
	const {items} = await tenants.compartments.list({datamartId: datamart.id}, ALL);
	t.deepEqual(
		items.map(({isDefault, organisationId}) => ({isDefault, organisationId})),
		[{isDefault: true, organisationId: organisation.id}],
	);
	const again = await refusal(tenants.datamarts.create({...datamart, name: 'Copy'}));
	t.deepEqual(again, ['field_invalid', '/token']);
	const listed = await tenants.datamarts.list({organisationIds: [organisation.id], keywords: 'HOP'}, ALL);
	t.deepEqual(listed, {items: [datamart], total: 1});
});

test('a datamart has one default compartment at a time', async t => {
	const {tenants} = t.context;
	const datamart = await tenants.datamart(await tenants.organisation(await tenants.community()));
	const values = {datamartId: datamart.id, name: 'Loyalty', token: 'loyalty', isDefault: true};
	const compartment = await tenants.compartments.create(values);

	const {items} = await tenants.compartments.list({datamartId: datamart.id}, ALL);
	t.deepEqual(
		items.map(({name, isDefault}) => [name, isDefault]),
		[
			['Default', false],
			['Loyalty', true],
		],
	);
	t.deepEqual(await tenants.compartments.find(compartment.id), compartment);
	t.deepEqual(await refusal(tenants.compartments.create(values)), ['field_invalid', '/token']);
});

test('a channel is changed and removed only by its own datamart, type and id', async t => {
	const {tenants} = t.context;
	const organisation = await tenants.organisation(await tenants.community());
	const [datamart, other] = [await tenants.datamart(organisation), await tenants.datamart(organisation)];
	const values = {
		datamartId: datamart.id,
		type: 'SITE' as const,
		name: 'shop.example',
		token: randomUUID(),
		domain: 'shop.example',
		enableAnalytics: true,
		enableInstallationIdAggregation: false,
	};
	const {channels} = tenants;
	const site = await channels.create(values);
	const {id, datamartId, type} = site;

	t.like(site, {...values, organisationId: organisation.id});
	t.deepEqual(await refusal(channels.create(values)), ['field_invalid', '/token']);
	t.deepEqual((await channels.list({datamartId, type, keywords: 'SHOP'}, ALL)).items, [site]);
	t.is((await channels.list({datamartId, type: 'MOBILE_APPLICATION'}, ALL)).total, 0);

	t.is(await channels.update({id, datamartId: other.id, type}, {name: 'stolen'}), undefined);
	t.is(await channels.update({id, datamartId, type: 'MOBILE_APPLICATION'}, {name: 'stolen'}), undefined);
	t.deepEqual(await channels.update({id, datamartId, type}, {}), site);
	t.deepEqual(await channels.update({id, datamartId, type}, {domain: null}), {...site, domain: null});

	t.false(await channels.remove({id, datamartId: other.id, type}));
	t.true(await channels.remove({id, datamartId, type}));
	t.is(await channels.find(id), undefined);
});

test('a user is found by address in any case, and the address is theirs alone', async t => {
	const {tenants} = t.context;
	const organisation = await tenants.organisation(await tenants.community());
	const user = await tenants.user(organisation, 'READER');

	t.deepEqual(await tenants.users.find(user.id), user);
	t.is((await tenants.users.findLogin(user.email.toUpperCase()))?.userId, user.id);
	t.is(await tenants.users.findLogin('nobody@example.org'), undefined);
	const twin = {...user, email: user.email.toUpperCase(), passwordHash: 'x'};
	t.deepEqual(await refusal(tenants.users.create(twin)), ['field_invalid', '/email']);
	const listed = await tenants.users.list({organisationIds: [organisation.id], keywords: 'EXAMPLE'}, ALL);
	t.deepEqual(listed, {items: [user], total: 1});
	t.false(JSON.stringify(listed).includes('argon2'), 'the hash left the store');
});

test('a user has one role per organisation, and its grants name the community', async t => {
	const {tenants} = t.context;
	const community = await tenants.community();
	const [first, second] = [await tenants.organisation(community), await tenants.organisation(community)];
	const {id: userId} = await tenants.user(first, 'READER');
	await tenants.roles.grant({userId, organisationId: first.id, role: 'EDITOR'});
	await tenants.roles.grant({userId, organisationId: second.id, role: 'ORGANISATION_ADMIN'});

	t.deepEqual(await tenants.roles.grantsOf(userId), {
		communityId: community.id,
		roles: [
			{organisationId: first.id, communityId: community.id, role: 'EDITOR'},
			{organisationId: second.id, communityId: community.id, role: 'ORGANISATION_ADMIN'},
		],
	});
	t.is((await tenants.roles.list({userId}, {firstResult: 0, maxResults: 1})).total, 2);
	t.true(await tenants.roles.revoke({userId, organisationId: first.id}));
	t.true(await tenants.roles.revoke({userId, organisationId: second.id}));
	t.false(await tenants.roles.revoke({userId, organisationId: second.id}));
	t.deepEqual(await tenants.roles.grantsOf(userId), {communityId: community.id, roles: []});
	t.is(await tenants.roles.grantsOf(987_654), undefined);
});

const accessTokenStores: Record<string, (postgres: TestPostgres) => AccessTokenStore> = {
	knex: ({database}) => accessTokenStore(database),
	fake: () => fakeAccessTokenStore(),
};

for (const [kind, make] of Object.entries(accessTokenStores)) {
	test(`an access token is found by its digest until it is removed as expired (${kind})`, async t => {
		const {tenants, postgres} = t.context;
		const store = make(postgres);
		const {id: userId} = await tenants.user(await tenants.organisation(await tenants.community()), 'READER');
		const [early, late] = [randomUUID(), randomUUID()];
		await store.create({digest: early, userId, creationTs: 1, expirationTs: 1_000});
		const kept = await store.create({digest: late, userId, creationTs: 1, expirationTs: 2_000});

		t.deepEqual(await store.findByDigest(late), {...kept, userId, expirationTs: 2_000});
		t.is(await store.removeExpired(1_000), 0, 'the bound itself is outside');
		t.is(await store.removeExpired(1_001), 1);
		t.is(await store.findByDigest(early), undefined);
		t.truthy(await store.findByDigest(late));
		t.is(await store.findByDigest(randomUUID()), undefined);
	});
}
