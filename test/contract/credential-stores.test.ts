import {randomUUID} from 'node:crypto';
import anyTest, {type TestFn} from 'ava';
import type {DomainError} from '../../src/errors.ts';
import {fakeApiTokenStore} from '../../src/identity/api-tokens/api-tokens.store.fake.ts';
import {type ApiTokenStore, apiTokenStore} from '../../src/identity/api-tokens/api-tokens.store.ts';
import {fakeSigningKeyStore} from '../../src/identity/signing-keys/signing-keys.store.fake.ts';
import {type SigningKeyStore, signingKeyStore} from '../../src/identity/signing-keys/signing-keys.store.ts';
import {startSharedPostgres, type TestPostgres} from '../support/postgres.ts';
import {type TestTenants, testTenants} from '../support/tenants.ts';

/** What API tokens and signing keys rely on of their stores, on PostgreSQL and on the fakes. */
const test = anyTest as TestFn<{postgres: TestPostgres; tenants: TestTenants}>;

test.before(async t => {
	const postgres = await startSharedPostgres();
	t.context = {postgres, tenants: await testTenants(postgres.database)};
});
test.after.always(async t => t.context.postgres?.stop());

const ALL = {firstResult: 0, maxResults: 500};

async function newUser(tenants: TestTenants): Promise<number> {
	return (await tenants.user(await tenants.organisation(await tenants.community()), 'READER')).id;
}

const tokenStores: Record<string, (postgres: TestPostgres) => ApiTokenStore> = {
	knex: ({database}) => apiTokenStore(database),
	fake: () => fakeApiTokenStore(),
};

for (const [kind, make] of Object.entries(tokenStores)) {
	test(`an API token is found by its digest, or by its user and id, until it is removed (${kind})`, async t => {
		const store = make(t.context.postgres);
		const [userId, otherUserId] = [await newUser(t.context.tenants), await newUser(t.context.tenants)];
		const digest = randomUUID();
		const values = {userId, name: 'ci', start: 'api:abcd', creationTs: 1_000, expirationTs: 2_000};
		const token = await store.create({...values, digest});
		t.deepEqual(token, {...values, id: token.id, lastUseTs: null});
		t.deepEqual(await store.findByDigest(digest), token);
		t.is(await store.findByDigest(randomUUID()), undefined);

		const [key, foreign] = [
			{id: token.id, userId},
			{id: token.id, userId: otherUserId},
		];
		t.deepEqual(await store.find(key), token);
		t.is(await store.find(foreign), undefined);
		t.is(await store.rename(foreign, 'stolen'), undefined);
		t.false(await store.remove(foreign));
		t.deepEqual(await store.rename(key, null), {...token, name: null});
		t.deepEqual(await store.findByDigest(digest), {...token, name: null});

		t.true(await store.remove(key));
		t.false(await store.remove(key));
		t.is(await store.findByDigest(digest), undefined);
	});

	test(`a user's API tokens are listed in the order they were made (${kind})`, async t => {
		const store = make(t.context.postgres);
		const [userId, otherUserId] = [await newUser(t.context.tenants), await newUser(t.context.tenants)];
		const add = (name: string, owner: number) =>
			store.create({
				userId: owner,
				name,
				start: 'api:',
				creationTs: 1,
				expirationTs: 2,
				digest: randomUUID(),
			});
		for (const name of ['a', 'b', 'c']) await add(name, userId);
		await add('d', otherUserId);
		const page = await store.list({userId}, {firstResult: 1, maxResults: 1});
		t.deepEqual({names: page.items.map(({name}) => name), total: page.total}, {names: ['b'], total: 3});
		t.is((await store.list({userId}, ALL)).items.length, 3);
	});

	test(`the latest use of an API token is kept, in whatever order uses are told (${kind})`, async t => {
		const store = make(t.context.postgres);
		const userId = await newUser(t.context.tenants);
		const add = () =>
			store.create({userId, name: null, start: '', creationTs: 1, expirationTs: 2, digest: randomUUID()});
		const [one, two] = [await add(), await add()];
		await store.noteUses(
			new Map([
				[one.id, 500],
				[987_654, 500],
			]),
		);
		await store.noteUses(
			new Map([
				[one.id, 400],
				[two.id, 300],
			]),
		);
		const uses = (await store.list({userId}, ALL)).items.map(({lastUseTs}) => lastUseTs);
		t.deepEqual(uses, [500, 300]);
	});
}

const keyStores: Record<string, (postgres: TestPostgres) => SigningKeyStore> = {
	knex: ({database}) => signingKeyStore(database),
	fake: () => fakeSigningKeyStore(),
};

for (const [kind, make] of Object.entries(keyStores)) {
	test(`a signing key gives its secret to who checks signatures, and to nobody else (${kind})`, async t => {
		const store = make(t.context.postgres);
		const [userId, otherUserId] = [await newUser(t.context.tenants), await newUser(t.context.tenants)];
		const keyId = randomUUID();
		const values = {userId, scheme: 'HMAC_SHA256' as const, keyId, creationTs: 1_000, expirationTs: 2_000};
		const secretSealed = Buffer.from([0, 255, 7]);
		const key = await store.create({...values, secretSealed});
		t.deepEqual(key, {...values, id: key.id});
		t.deepEqual(await store.findWithSecret(keyId), {...key, secretSealed});
		t.deepEqual(await store.find({id: key.id, userId}), key);
		t.deepEqual(await store.list({userId}, ALL), {items: [key], total: 1});
		t.is(await store.findWithSecret(randomUUID()), undefined);
		t.is(await store.find({id: key.id, userId: otherUserId}), undefined);
		t.deepEqual(await store.list({userId: otherUserId}, ALL), {items: [], total: 0});
	});

	test(`a key id is taken by one key at a time, whoever holds it (${kind})`, async t => {
		const store = make(t.context.postgres);
		const [userId, otherUserId] = [await newUser(t.context.tenants), await newUser(t.context.tenants)];
		const values = {
			scheme: 'HMAC_SHA256' as const,
			keyId: randomUUID(),
			creationTs: 1,
			expirationTs: 2,
			secretSealed: Buffer.from('sealed'),
		};
		const key = await store.create({...values, userId});
		for (const owner of [userId, otherUserId]) {
			const error = await t.throwsAsync<DomainError>(store.create({...values, userId: owner}));
			t.deepEqual([error?.code, error?.faults[0]?.pointer], ['key_id_taken', '/key_id']);
		}
		t.false(await store.remove({id: key.id, userId: otherUserId}));
		t.true(await store.remove({id: key.id, userId}));
		t.false(await store.remove({id: key.id, userId}));
		await t.notThrowsAsync(store.create({...values, userId: otherUserId}));
	});
}
