import test from 'ava';
import {DomainError} from '../../../src/errors.ts';
import {fakeSigningKeyStore} from '../../../src/identity/signing-keys/signing-keys.store.fake.ts';
import {SigningKeys} from '../../../src/identity/signing-keys/signing-keys.ts';
import {SECRETS} from '../../support/ingestion.ts';
import {signatureHeaders} from '../../support/signed.ts';

const NOW = 1_700_000_000_000;
const PATH = '/v1/datamarts/1/user_activities';
const BODY = '{"$type":"APP_VISIT","$user_agent_id":"vec:1"}';
const ASK = {scheme: 'HMAC_SHA256', expirationTs: undefined} as const;

function world() {
	const store = fakeSigningKeyStore();
	const clock = {now: NOW};
	const questions = {count: 0};
	const keys = new SigningKeys({
		now: () => clock.now,
		secrets: SECRETS,
		keys: {
			...store,
			findWithSecret: keyId => {
				questions.count++;
				return store.findWithSecret(keyId);
			},
		},
		roles: {
			grantsOf: async () => ({
				communityId: 1,
				roles: [{organisationId: 2, communityId: 1, role: 'EDITOR'}],
			}),
		},
	});
	return {keys, store, clock, questions};
}

interface Call {
	readonly path: string;
	readonly keyId: string;
	readonly ts: string;
	readonly mac: string;
	readonly body: Buffer | undefined;
}

async function outcome(keys: SigningKeys, {path, body, ...signature}: Call): Promise<unknown> {
	try {
		return await keys.verify(signature, path, body && (async () => body));
	} catch (error) {
		return error instanceof DomainError ? `${error.code}: ${error.message}` : error;
	}
}

const REFUSED = 'signature_invalid: The signature is not valid';

function signed(
	key: {keyId: string; secretKey: string},
	{ts = NOW, path = PATH, body = BODY as string | undefined} = {},
): Call {
	const headers = signatureHeaders(key, path, body, {ts});
	const bytes = body === undefined ? undefined : Buffer.from(body);
	return {path, keyId: key.keyId, ts: String(ts), mac: headers['X-Svc-Mac']!, body: bytes};
}

test('a signed request says whose key it is, and a known key costs no question', async t => {
	const {keys, questions} = world();
	const key = await keys.create(7, {...ASK, keyId: 'app'});
	t.regex(key.secretKey, /^[0-9a-f]{32}$/);
	const call = signed(key);
	for (let time = 0; time < 5; time++) {
		t.like(await outcome(keys, call), {
			principal: {userId: 7, credential: 'signature', credentialId: String(key.id)},
			mac: call.mac,
		});
	}
	t.is(questions.count, 1);
});

test('any one bit of path, key id, timestamp, body or digest changed is refused, in the same words', async t => {
	const {keys} = world();
	const key = await keys.create(7, {...ASK, keyId: 'app'});
	for (const call of [signed(key), signed(key, {path: `${PATH}/x`, body: undefined})]) {
		t.is(typeof (await outcome(keys, call)), 'object', 'unchanged it passes');
		let tried = 0;
		for (const part of ['path', 'keyId', 'ts', 'mac', 'body'] as const) {
			const whole = call[part] ?? '';
			const bytes = typeof whole === 'string' ? Buffer.from(whole, 'latin1') : whole;
			for (let bit = 0; bit < bytes.length * 8; bit++) {
				const changed = Buffer.from(bytes);
				changed[bit >> 3]! ^= 1 << (bit & 7);
				const value = part === 'body' ? changed : changed.toString('latin1');
				t.is(await outcome(keys, {...call, [part]: value}), REFUSED, `${part}, bit ${bit}`);
				tried++;
			}
		}
		t.true(tried > 500, `${tried} bits were changed`);
	}
});

test('parts that move from one line into the next, and a body that comes or goes, are refused', async t => {
	const {keys} = world();
	const key = await keys.create(7, {...ASK, keyId: 'app'});
	const call = signed(key);
	const {path, keyId, ts} = call;
	const moved = [
		{...call, path: `${path}\n${keyId}`, keyId: ts},
		{...call, body: Buffer.from(`${ts}\n${BODY}`)},
		{...call, body: undefined},
		{...call, body: Buffer.alloc(0)},
		{...signed(key, {body: undefined}), body: Buffer.from('{}')},
	];
	for (const one of moved) t.is(await outcome(keys, one), REFUSED);
});

test('a clock 4:59 off passes, one 5:01 off does not, either way', async t => {
	const {keys} = world();
	const key = await keys.create(7, {...ASK, keyId: 'app'});
	for (const seconds of [-299, 299, -300, 300]) {
		const call = signed(key, {ts: NOW + seconds * 1000});
		t.is(typeof (await outcome(keys, call)), 'object', `${seconds} s`);
	}
	for (const seconds of [-301, 301]) {
		t.is(await outcome(keys, signed(key, {ts: NOW + seconds * 1000})), REFUSED, `${seconds} s`);
	}
});

test('the clock moving on makes a request too old that was good before', async t => {
	const {keys, clock} = world();
	const call = signed(await keys.create(7, {...ASK, keyId: 'app'}));
	clock.now = NOW + 299_000;
	t.is(typeof (await outcome(keys, call)), 'object');
	clock.now = NOW + 301_000;
	t.is(await outcome(keys, call), REFUSED);
});

test('one of two keys can be revoked while the other goes on, and an expired one is refused', async t => {
	const {keys, clock} = world();
	const [old, young] = [
		await keys.create(7, {...ASK, keyId: 'old', expirationTs: NOW + 60_000}),
		await keys.create(7, {...ASK, keyId: 'young'}),
	];
	t.is(typeof (await outcome(keys, signed(old))), 'object');
	t.is(typeof (await outcome(keys, signed(young))), 'object');
	t.is(await outcome(keys, {...signed(old), keyId: 'young'}), REFUSED, 'not under the other’s name');
	clock.now += 60_000;
	t.is(await outcome(keys, signed(old)), REFUSED, 'expired');
	await keys.revoke({id: young.id, userId: 7});
	t.is(await outcome(keys, signed(young)), REFUSED, 'revoked');
});

test('an unknown key is refused after the body was read, like a known one', async t => {
	const {keys} = world();
	let read = 0;
	const call = signed({keyId: 'nobody', secretKey: '0'.repeat(32)});
	await t.throwsAsync(
		keys.verify(call, call.path, async () => {
			read++;
			return call.body!;
		}),
		{message: 'The signature is not valid'},
	);
	t.is(read, 1);
});

test('a key id belongs to one key, and is free again once that is revoked', async t => {
	const {keys} = world();
	const key = await keys.create(7, {...ASK, keyId: 'app'});
	const again = await t.throwsAsync<DomainError>(keys.create(8, {...ASK, keyId: 'app'}));
	t.deepEqual([again?.code, again?.faults[0]?.pointer], ['key_id_taken', '/key_id']);
	await keys.revoke({id: key.id, userId: 7});
	const next = await keys.create(8, {...ASK, keyId: 'app'});
	t.is(await outcome(keys, signed(key)), REFUSED, 'the former secret does not come back with the name');
	t.like(await outcome(keys, signed(next)), {principal: {userId: 8}});
});

test('known keys sign on while the database is away, unknown ones are told to come again', async t => {
	const {keys, store} = world();
	const [known, other] = [
		await keys.create(7, {...ASK, keyId: 'known'}),
		await keys.create(7, {...ASK, keyId: 'other'}),
	];
	await outcome(keys, signed(known));
	store.down = true;
	keys.forgetPrincipals();
	t.is(typeof (await outcome(keys, signed(known))), 'object');
	t.regex(String(await outcome(keys, signed(other))), /^store_unavailable/);
});
