import {randomUUID} from 'node:crypto';
import {setTimeout as delay} from 'node:timers/promises';
import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import {apiTokenStore} from '../../src/identity/api-tokens/api-tokens.store.ts';
import {ApiTokens} from '../../src/identity/api-tokens/api-tokens.ts';
import {signingKeyStore} from '../../src/identity/signing-keys/signing-keys.store.ts';
import {SigningKeys} from '../../src/identity/signing-keys/signing-keys.ts';
import {userRoleStore} from '../../src/identity/users/user-roles.store.ts';
import {workerCredentialStore} from '../../src/identity/worker-credentials/worker-credentials.store.ts';
import {
	newWorkerCredentials,
	WorkerCredentials,
} from '../../src/identity/worker-credentials/worker-credentials.ts';
import {pluginStore} from '../../src/plugins/catalogue/plugins.store.ts';
import {versionStore} from '../../src/plugins/versions/versions.store.ts';
import {workerStore} from '../../src/plugins/workers/workers.store.ts';
import type {Database} from '../../src/postgres/database.ts';
import {RevisionWatcher} from '../../src/postgres/revisions.ts';
import {SECRETS} from '../support/ingestion.ts';
import {startSharedPostgres, type TestPostgres} from '../support/postgres.ts';
import {signatureHeaders} from '../support/signed.ts';
import {testTenants} from '../support/tenants.ts';

const test = anyTest as TestFn<TestPostgres>;

test.before(async t => {
	t.context = await startSharedPostgres();
});
test.after.always(async t => t.context.stop?.());

/** What an instance has for checking credentials; `statements` counts what it asks, the watching aside. */
async function instance(t: ExecutionContext<TestPostgres>, database: Database) {
	const counted = {statements: 0};
	const counting: Database = {
		...database,
		run(work) {
			counted.statements++;
			return database.run(work);
		},
	};
	const roles = userRoleStore(counting);
	const apiTokens = new ApiTokens({tokens: apiTokenStore(counting), roles});
	const signingKeys = new SigningKeys({keys: signingKeyStore(counting), roles, secrets: SECRETS});
	const workerCredentials = new WorkerCredentials({workers: workerCredentialStore(counting)});
	const watcher = await RevisionWatcher.start(database);
	watcher.on('credentials', async () => {
		apiTokens.forgetPrincipals();
		signingKeys.forgetPrincipals();
		workerCredentials.forgetPrincipals();
	});
	t.teardown(async () => {
		await watcher.close();
		await apiTokens.close();
	});
	return {apiTokens, signingKeys, workerCredentials, counted};
}

async function twoInstances(t: ExecutionContext<TestPostgres>) {
	const tenants = await testTenants(t.context.database);
	const user = await tenants.user(await tenants.organisation(await tenants.community()), 'EDITOR');
	const here = await instance(t, t.context.database);
	const there = await instance(t, await t.context.connectAgain());
	return {here, there, userId: user.id, tenants};
}

const PATH = '/v1/datamarts/1/user_activities';

function check(signingKeys: SigningKeys, key: {keyId: string; secretKey: string}) {
	const headers = signatureHeaders(key, PATH, 'body');
	const signature = {mac: headers['X-Svc-Mac']!, keyId: key.keyId, ts: headers['X-Svc-Ts']!};
	return signingKeys.verify(signature, PATH, async () => Buffer.from('body'));
}

/** Milliseconds until the work is refused, at most five seconds. */
async function untilRefused(work: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	while (performance.now() - start < 5_000) {
		const refused = await work().then(
			() => false,
			() => true,
		);
		if (refused) break;
		await delay(10);
	}
	return performance.now() - start;
}

const ASK = {name: 'ci', expirationDate: undefined, lifetimeMonths: undefined};
const KEY = {scheme: 'HMAC_SHA256', expirationTs: undefined} as const;

test.serial('an API token revoked on one instance is refused on another within a second', async t => {
	const {here, there, userId} = await twoInstances(t);
	const {id, value} = await here.apiTokens.create(userId, ASK);
	await there.apiTokens.verify(value);
	await here.apiTokens.revoke({id, userId});
	t.true((await untilRefused(() => here.apiTokens.verify(value))) < 100, 'here at once');
	const elapsed = await untilRefused(() => there.apiTokens.verify(value));
	t.true(elapsed < 1_000, `${elapsed} ms`);
});

test.serial('a signing key revoked on one instance is refused on another within a second', async t => {
	const {here, there, userId} = await twoInstances(t);
	const key = await here.signingKeys.create(userId, {...KEY, keyId: randomUUID()});
	await check(there.signingKeys, key);
	await here.signingKeys.revoke({id: key.id, userId});
	const elapsed = await untilRefused(() => check(there.signingKeys, key));
	t.true(elapsed < 1_000, `${elapsed} ms`);
});

test.serial('known tokens and keys are checked without a statement, whatever others make or use', async t => {
	const {here, there, userId} = await twoInstances(t);
	const {value} = await here.apiTokens.create(userId, ASK);
	const key = await here.signingKeys.create(userId, {...KEY, keyId: randomUUID()});
	await there.apiTokens.verify(value);
	await check(there.signingKeys, key);
	const asked = there.counted.statements;

	await here.apiTokens.verify(value);
	await here.apiTokens.noteUses();
	await here.apiTokens.create(userId, ASK);
	await here.signingKeys.create(userId, {...KEY, keyId: randomUUID()});
	// Longer than two turns of the watcher: a revision that moved would have been seen.
	for (let turn = 0; turn < 30; turn++) {
		await there.apiTokens.verify(value);
		await check(there.signingKeys, key);
		await delay(40);
	}
	t.is(there.counted.statements, asked);
});

test.serial('the tokens and keys of a removed user end with the account', async t => {
	const {here, there, userId} = await twoInstances(t);
	const {value} = await here.apiTokens.create(userId, ASK);
	const key = await here.signingKeys.create(userId, {...KEY, keyId: randomUUID()});
	await there.apiTokens.verify(value);
	await check(there.signingKeys, key);
	await t.context.database.run(sql => sql('users').where('id', userId).delete());
	t.true((await untilRefused(() => there.apiTokens.verify(value))) < 1_000);
	t.true((await untilRefused(() => check(there.signingKeys, key))) < 1_000);
});

/** A plugin worker of a new version, and its credentials. */
async function newWorker({database}: TestPostgres, organisationId: number) {
	const plugin = await pluginStore(database).create({
		organisationId,
		pluginType: 'ACTIVITY_ANALYZER',
		groupId: 'org.example',
		artifactId: randomUUID(),
	});
	const version = await versionStore(database).create({
		pluginId: plugin.id,
		versionValue: '1.0.0',
		maintainerId: null,
		buildTag: null,
		imageName: null,
		maxQps: null,
		properties: [],
	});
	const workers = workerStore(database);
	const renew = async (workerId?: string) => {
		const {authenticationToken, ...made} = newWorkerCredentials(workerId);
		const sealed = {...made, tokenSealed: SECRETS.seal('test', authenticationToken)};
		if (workerId === undefined) await workers.put(version.id, 'http://worker.example', sealed);
		else await workers.renew(version.id, sealed);
		return {workerId: made.workerId, authenticationToken};
	};
	return {renew, remove: () => workers.remove(version.id)};
}

test.serial(
	'a plugin worker’s renewed token and a worker taken away are refused elsewhere within a second',
	async t => {
		const {here, there, tenants} = await twoInstances(t);
		const {id} = await tenants.organisation(await tenants.community());
		const {renew, remove} = await newWorker(t.context, id);
		const first = await renew();
		const verify = (
			{workerCredentials}: typeof here,
			{workerId, authenticationToken}: Awaited<ReturnType<typeof renew>>,
		) => workerCredentials.verify(workerId, authenticationToken);
		t.like(await verify(there, first), {kind: 'worker', organisationId: id});
		await verify(there, first);
		const asked = there.counted.statements;
		await verify(there, first);
		t.is(there.counted.statements, asked, 'a known one costs no statement');

		const second = await renew(first.workerId);
		here.workerCredentials.forget(first.workerId);
		t.true((await untilRefused(() => verify(here, first))) < 100, 'here at once');
		const elapsed = await untilRefused(() => verify(there, first));
		t.true(elapsed < 1_000, `${elapsed} ms`);
		await t.notThrowsAsync(() => verify(there, second));

		await remove();
		const gone = await untilRefused(() => verify(there, second));
		t.true(gone < 1_000, `${gone} ms`);
	},
);
