import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {data, LOCAL_WORKERS, makePlugin} from '../support/plugins.ts';
import {startServiceProcess} from '../support/process.ts';
import {SERVERS_KEY} from '../support/server-engines.ts';
import {ADMIN, type Client, clientOf, login, startTestService} from '../support/service.ts';
import {callRaw, signatureHeaders} from '../support/signed.ts';

function newDirectory(t: ExecutionContext): string {
	const directory = mkdtempSync(join(tmpdir(), 'millrace-secrets-'));
	t.teardown(() => rmSync(directory, {recursive: true, force: true, maxRetries: 10}));
	return directory;
}

interface Handed {
	/** What nobody but its holder may ever read again, by name. */
	readonly secrets: Readonly<Record<string, string>>;
	readonly keyId: string;
}

/** One of everything that is secret, each used, misused, and sent once in a wrong way. */
async function handOut(url: string): Promise<Handed> {
	const access = await login(url);
	const person = clientOf(url, access);
	const {id: userId, workspaces} = (await person.get('/v1/connected_user')).body.data;
	const path = `/v1/users/${userId}`;
	const token = (await person.post(`${path}/api_tokens`, {name: 'leak'})).body.data.value;
	const revoked = (await person.post(`${path}/api_tokens`, {name: 'revoked'})).body.data;
	await clientOf(url, revoked.value).get('/v1/connected_user');
	await person.request('DELETE', `${path}/api_tokens/${revoked.id}`);
	const keyId = 'known-by-its-name';
	const {secret_key: secretKey} = (
		await person.post(`${path}/message_authentication_keys`, {scheme: 'HMAC_SHA256', key_id: keyId})
	).body.data;
	const activities = `/v1/datamarts/${workspaces[0].datamarts[0].id}/user_activities`;
	const body = JSON.stringify({$type: 'SITE_VISIT', $user_agent_id: 'vec:leak'});
	const signed = signatureHeaders({keyId, secretKey}, activities, body);
	await callRaw(url, 'POST', activities, signed, body);
	await callRaw(url, 'POST', activities, {...signed, 'X-Svc-Ts': '1'}, body);
	const worker = await handOutWorker(person, workspaces[0].organisation_id);
	const {refresh_token: refresh} = (await clientOf(url).post('/v1/authentication/refresh_tokens', ADMIN)).body
		.data;
	await clientOf(url).post('/v1/authentication/access_tokens', {refresh_token: refresh});
	const wrongPassword = 'a wrong password, typed by hand';
	await clientOf(url).post('/v1/authentication/access_tokens', {email: ADMIN.email, password: wrongPassword});
	await misuse(person, token, secretKey, activities);
	const secrets = {
		access,
		refresh,
		token,
		revoked: revoked.value,
		secretKey,
		worker: worker.token,
		formerWorker: worker.former,
		wrongPassword,
		password: ADMIN.password,
	};
	return {secrets, keyId};
}

/** A plugin worker's token and the one before it, each used; a worker that is told its token listens nowhere. */
async function handOutWorker(person: Client, organisationId: string) {
	const {path} = await makePlugin(person, organisationId);
	const use = (id: string, token: string) =>
		clientOf(person.url).get('/v1/configuration/technical_name=a', {
			authorization: `Basic ${Buffer.from(`${id}:${token}`).toString('base64')}`,
		});
	const set = data(await person.request('PUT', `${path}/worker`, {url: 'http://127.0.0.1:9'}));
	await use(set.worker_id, set.authentication_token);
	const {authentication_token: token} = data(await person.post(`${path}/worker/rotation`, {}));
	await use(set.worker_id, token);
	await use(set.worker_id, `${token}x`);
	await clientOf(person.url, token).get('/v1/connected_user');
	return {token: token as string, former: set.authentication_token as string};
}

/** Ways in which clients send a secret where it does not belong. */
async function misuse(person: Client, token: string, secretKey: string, activities: string): Promise<void> {
	await person.get('/v1/connected_user', {authorization: `Bearer ${token} ${secretKey}`});
	await person.get('/v1/connected_user', {authorization: `${token}x`});
	await person.get('/v1/connected_user', {authorization: `Basic ${secretKey}`});
	await person.get(`${activities}/pixel.gif`, {authorization: secretKey});
	await person.post('/v1/authentication/access_tokens', `{"email": 1, "password": "${secretKey}"`);
	await person.post('/v1/authentication/access_tokens', {email: token, password: [secretKey]});
}

/** The text, without its prefix, and the bytes it may stand for. */
function formsOf(secret: string): Buffer[] {
	const bare = secret.replace(/^\w+[:-]/, '');
	const forms = [Buffer.from(bare), Buffer.from(Buffer.from(bare).toString('base64').replace(/=+$/, ''))];
	if (/^[0-9a-f]{32}$/.test(secret)) forms.push(Buffer.from(secret, 'hex'));
	return forms;
}

function filesUnder(directory: string): string[] {
	return readdirSync(directory, {recursive: true, encoding: 'utf8'})
		.map(name => join(directory, name))
		.filter(file => statSync(file, {throwIfNoEntry: false})?.isFile());
}

test.serial(
	'the data directory, searched as bytes, has no token, password or secret in the clear',
	async t => {
		const directory = newDirectory(t);
		const service = await startTestService(LOCAL_WORKERS, directory);
		const {secrets, keyId} = await handOut(service.url);
		await service.database.run(sql => sql.raw('checkpoint'));
		const {embedded} = service.database;
		// A server has its files elsewhere, and is told the key.
		const server = embedded ? undefined : await service.database.run(sql => sql.raw('show data_directory'));
		await service.stop();

		const found = new Set<string>();
		let controls = 0;
		const keyFile = join(directory, 'secret.key');
		const serviceKey = Buffer.from(server ? SERVERS_KEY : readFileSync(keyFile, 'utf8').trim());
		const places = server ? [directory, server.rows[0].data_directory as string] : [directory];
		for (const file of places.flatMap(place => filesUnder(place))) {
			const bytes = readFileSync(file);
			if (bytes.includes(keyId)) controls++;
			for (const [name, secret] of Object.entries(secrets)) {
				if (formsOf(secret).some(form => bytes.includes(form))) found.add(`${name} in ${file}`);
			}
			if (bytes.includes(serviceKey) && !file.endsWith('secret.key')) found.add(`the key in ${file}`);
		}
		t.deepEqual([...found], []);
		t.true(controls > 0, 'what is no secret is found by the same search');
		if (!server) t.is(statSync(keyFile).mode & 0o777, 0o600);
	},
);

test.serial('no token, password or secret is in the log, whatever its level', async t => {
	const directory = newDirectory(t);
	const service = await startServiceProcess(directory, {...LOCAL_WORKERS, LOG_LEVEL: 'trace'});
	t.teardown(() => service.kill('SIGKILL'));
	let log = '';
	for (const stream of [service.child.stdout, service.child.stderr])
		stream?.on('data', text => (log += text));
	const {secrets} = await handOut(service.url);
	await service.kill('SIGTERM');
	t.true(log.includes('stopped'), 'the log was listened to');
	for (const [name, secret] of Object.entries(secrets)) {
		for (const form of formsOf(secret)) t.false(log.includes(form.toString('latin1')), name);
	}
});

test.serial('an error of the database names the statement and none of its values', async t => {
	const service = await startTestService();
	t.teardown(() => service.stop());
	const insert = service.database.run(sql =>
		sql('signing_keys').insert({user_id: 1, scheme: 'NONE', key_id: 'a value of ours', secret_sealed: 'x'}),
	);
	const error = await t.throwsAsync(insert);
	t.regex(error!.message, /insert into "signing_keys"/);
	t.false(error!.message.includes('a value of ours'));
});
