import {gzipSync} from 'node:zlib';
import anyTest, {type TestFn} from 'ava';
import {clientOf, startTestService, type TestService} from '../support/service.ts';
import {callRaw, signatureHeaders, type TestKey} from '../support/signed.ts';
import {testTenants} from '../support/tenants.ts';

interface Context {
	service: TestService;
	key: TestKey & {id: string};
	keys: string;
	userId: string;
	activities: string;
}
const test = anyTest as TestFn<Context>;

test.before(async t => {
	const service = await startTestService({BRAND_ALIASES: 'mics,acme'});
	const {id: userId} = (await service.get('/v1/connected_user')).body.data;
	const keys = `/v1/users/${userId}/message_authentication_keys`;
	const key = await makeKey(service, keys, 'my-app');
	t.context = {
		service,
		key,
		keys,
		userId,
		activities: `/v1/datamarts/${service.datamartId}/user_activities`,
	};
});
test.after.always(t => t.context.service?.stop());

async function makeKey(service: TestService, keys: string, keyId: string): Promise<TestKey & {id: string}> {
	const {body} = await service.post(keys, {scheme: 'HMAC_SHA256', key_id: keyId});
	return {id: body.data.id, keyId, secretKey: body.data.secret_key};
}

const visit = (agent: string, more: object = {}) =>
	JSON.stringify({$type: 'APP_VISIT', $ts: 1_700_000_000_000, $user_agent_id: `vec:${agent}`, ...more});

/** How many activities the person has, after everything accepted has been drained. */
async function stored({service, activities}: Context, agent: string): Promise<number> {
	await service.post(`${activities}?async=false`, {$type: 'MARKER'});
	const path = activities.replace(
		'user_activities',
		`user_timelines/user_agent_id=vec:${agent}/user_activities`,
	);
	return (await service.get(path)).body.total ?? 0;
}

const code = (answer: {status: number; body: {error_code?: string}}) =>
	`${answer.status} ${answer.body.error_code ?? 'ok'}`;

const UNREADABLE = '*'.repeat(32);

test('a key shows its secret once, and is obfuscated, listed and removed later', async t => {
	const {service, keys, userId} = t.context;
	const before = Date.now();
	const {body} = await service.post(keys, {scheme: 'HMAC_SHA256', key_id: 'shown-once'});
	const {id, secret_key: secret, creation_ts: created, expiration_ts: expires, ...rest} = body.data;
	t.regex(secret, /^[0-9a-f]{32}$/);
	t.deepEqual(rest, {user_id: userId, key_id: 'shown-once', scheme: 'HMAC_SHA256'});
	t.is(typeof created, 'string');
	t.true(Number(created) >= before && Number(created) <= Date.now());
	t.is(new Date(Number(expires)).getUTCFullYear(), new Date(Number(created)).getUTCFullYear() + 1);

	const later = {...body.data, secret_key: UNREADABLE};
	t.deepEqual((await service.get(`${keys}/${id}`)).body, {status: 'ok', data: later});
	const listed = (await service.get(`${keys}?max_results=500`)).body;
	t.deepEqual(
		listed.data.find((key: {id: string}) => key.id === id),
		later,
	);
	t.is(listed.count, listed.data.length);
	t.is(code(await service.request('DELETE', `${keys}/${id}`)), '200 ok');
	t.is(code(await service.get(`${keys}/${id}`)), '404 signing_key_not_found');
	t.is(code(await service.request('DELETE', `${keys}/${id}`)), '404 signing_key_not_found');
});

test('a key id that another key has is refused, and so is another scheme or an unusable name', async t => {
	const {service, keys} = t.context;
	const taken = await service.post(keys, {scheme: 'HMAC_SHA256', key_id: 'my-app'});
	t.is(code(taken), '409 key_id_taken');
	t.is(taken.body.errors[0].pointer, '/key_id');
	for (const [body, pointer] of [
		[{scheme: 'HMAC_MD5', key_id: 'x'}, '/scheme'],
		[{scheme: 'HMAC_SHA256'}, '/key_id'],
		[{scheme: 'HMAC_SHA256', key_id: 'two\nlines'}, '/key_id'],
		[{scheme: 'HMAC_SHA256', key_id: 'x', expiration_ts: String(Date.now() - 1)}, '/expiration_ts'],
	] as const) {
		const answer = await service.post(keys, body);
		t.is(code(answer), '400 field_invalid');
		t.is(answer.body.errors[0].pointer, pointer);
	}
});

test('a signed activity is stored, under each brand’s headers, with a query and in gzip', async t => {
	const {service, key, activities} = t.context;
	for (const [number, brand] of ['Svc', 'Mics', 'Acme'].entries()) {
		const body = visit('brands', {$n: number});
		const headers = signatureHeaders(key, activities, body, {brand});
		t.deepEqual(await callRaw(service.url, 'POST', `${activities}?processing_pipeline=true`, headers, body), {
			status: 200,
			body: {status: 'ok', data: true},
		});
	}
	const packed = gzipSync(visit('brands'));
	const headers = {...signatureHeaders(key, activities, packed), 'Content-Encoding': 'gzip'};
	t.is(code(await callRaw(service.url, 'POST', activities, headers, packed)), '200 ok');
	t.is(await stored(t.context, 'brands'), 4);
	const strange = signatureHeaders(key, activities, visit('brands'), {brand: 'Other'});
	t.is(code(await callRaw(service.url, 'POST', activities, strange, visit('brands'))), '401 token_missing');
});

test('the very same signed request again is answered 200 and stored once, also at the same time', async t => {
	const {service, key, activities} = t.context;
	const body = visit('replayed');
	const headers = signatureHeaders(key, activities, body);
	const send = (more: Record<string, string> = {}) =>
		callRaw(service.url, 'POST', activities, {...headers, ...more}, body);
	const answers = [await send(), await send(), ...(await Promise.all([send(), send(), send()]))];
	// What is not signed does not make it another request.
	answers.push(await send({'Idempotency-Key': 'mine'}), await send({'User-Agent': 'another'}));
	for (const answer of answers) t.deepEqual(answer, {status: 200, body: {status: 'ok', data: true}});
	t.is(await stored(t.context, 'replayed'), 1);

	const fresh = signatureHeaders(key, activities, body, {ts: Date.now() + 1});
	t.is(code(await callRaw(service.url, 'POST', activities, fresh, body)), '200 ok');
	t.is(await stored(t.context, 'replayed'), 2, 'signed anew it is another activity');
});

test('a signed list sent again is answered as the first time and stored once', async t => {
	const {service, key, activities} = t.context;
	const body = `[${visit('listed')},${visit('listed')},{"$type":7}]`;
	const headers = signatureHeaders(key, activities, body);
	const first = await callRaw(service.url, 'POST', activities, headers, body);
	const second = await callRaw(service.url, 'POST', activities, headers, body);
	t.deepEqual(
		first.body.data.records.map(({result}: {result: string}) => result),
		['accepted', 'accepted', 'rejected'],
	);
	t.deepEqual(second, first);
	t.is(await stored(t.context, 'listed'), 2);
});

test('another path to the same place, another body, time, key or digest is 401 and does not tell which', async t => {
	const {service, key, keys, activities} = t.context;
	const other = await makeKey(service, keys, 'my-other-app');
	const body = visit('forged');
	const good = signatureHeaders(key, activities, body);
	const now = Date.now();
	const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
	const calls: [string, string, Record<string, string>, string][] = [
		['path', `/v1/datamarts/%${service.datamartId.charCodeAt(0).toString(16)}/user_activities`, good, body],
		['path', `${activities}/`, good, body],
		['body', activities, good, `${body} `],
		['body', activities, good, visit('forget')],
		['time', activities, {...good, 'X-Svc-Ts': String(now + 1)}, body],
		['late', activities, signatureHeaders(key, activities, body, {ts: now - 310_000}), body],
		['early', activities, signatureHeaders(key, activities, body, {ts: now + 310_000}), body],
		['seconds', activities, signatureHeaders(key, activities, body, {ts: Math.floor(now / 1000)}), body],
		['key', activities, {...good, 'X-Svc-Key-Id': other.keyId}, body],
		['key', activities, {...good, 'X-Svc-Key-Id': 'nobody'}, body],
		['digest', activities, {...good, 'X-Svc-Mac': good['X-Svc-Mac']!.replace(/=$/, '')}, body],
		[
			'digest',
			activities,
			{...good, 'X-Svc-Mac': Buffer.from(good['X-Svc-Mac']!, 'base64').toString('hex')},
			body,
		],
		['secret', activities, signatureHeaders({...key, secretKey: other.secretKey}, activities, body), body],
		['no digest', activities, without('X-Svc-Mac'), body],
		['no key', activities, without('X-Svc-Key-Id'), body],
		['no time', activities, without('X-Svc-Ts'), body],
		['no v1', activities, signatureHeaders(key, activities.slice('/v1/'.length), body), body],
	];
	for (const [what, path, headers, sent] of calls) {
		const {status, body: answer} = await callRaw(service.url, 'POST', path, headers, sent);
		const {error_id: _, ...told} = answer;
		t.is(status, 401, what);
		t.deepEqual(
			told,
			{status: 'error', error: 'The signature is not valid', error_code: 'signature_invalid'},
			what,
		);
	}
	t.is(await stored(t.context, 'forged'), 0);
	t.is(code(await callRaw(service.url, 'POST', activities, good, body)), '200 ok', 'unchanged it passes');
});

test('any one bit of the headers or the body changed on the wire is never 200', async t => {
	const {service, key, activities} = t.context;
	const body = visit('bits');
	const good = signatureHeaders(key, activities, body);
	for (const name of Object.keys(good)) {
		for (let place = 0; place < good[name]!.length; place += 3) {
			const letters = Buffer.from(good[name]!);
			letters[place]! ^= 1 << (place % 6);
			// What no header may carry does not leave this process.
			if (letters[place]! < 0x21 || letters[place]! > 0x7e) continue;
			const headers = {...good, [name]: letters.toString()};
			const answer = await callRaw(service.url, 'POST', activities, headers, body);
			t.is(code(answer), '401 signature_invalid', `${name}, letter ${place}`);
		}
	}
	for (let place = 0; place < body.length; place += 5) {
		const bytes = Buffer.from(body);
		bytes[place]! ^= 1 << (place % 8);
		const answer = await callRaw(service.url, 'POST', activities, good, bytes);
		t.is(code(answer), '401 signature_invalid', `body, byte ${place}`);
	}
	t.is(await stored(t.context, 'bits'), 0);
});

test('a person’s segments are read with a signature by each identifier, and not by the user point’s id', async t => {
	const {service, key, activities} = t.context;
	const datamart = `/v1/datamarts/${service.datamartId}`;
	const compartment = (await service.get(`${datamart}/compartments`)).body.data[0].id;
	const identifiers = [
		{$type: 'USER_AGENT', $user_agent_id: 'vec:segments'},
		{$type: 'USER_EMAIL', $hash: '0f3a'},
		{$type: 'USER_ACCOUNT', $compartment_id: compartment, $user_account_id: 'ann b/c'},
	];
	await service.post(`${activities}?async=false`, {$type: 'SITE_VISIT', $user_identifiers: identifiers});
	const byAgent = `${datamart}/user_points/user_agent_id=vec:segments/user_segments`;
	t.is(code(await service.request('PUT', `${byAgent}/77`, {})), '200 ok');

	const read = (path: string, signedPath = path) =>
		callRaw(service.url, 'GET', path, signatureHeaders(key, signedPath));
	const account = `compartmentId=${compartment},user_account_id=ann%20b%2Fc`;
	for (const selector of ['user_agent_id=vec:segments', 'email_hash=0f3a', account]) {
		const path = `${datamart}/user_points/${selector}/user_segments`;
		const {status, body} = await read(path);
		t.is(status, 200, selector);
		t.deepEqual(
			body.data.map((segment: {segment_id: string}) => segment.segment_id),
			['77'],
			selector,
		);
		t.is(code(await read(`${path}?max_results=1`, path)), '200 ok', 'the query is not signed');
	}
	// Signed as it was meant instead of as it was called.
	const called = `${datamart}/user_points/${account}/user_segments`;
	t.is(code(await read(called, decodeURIComponent(called))), '401 signature_invalid');
	const identified = (await service.get(`${datamart}/user_identifiers/user_agent_id=vec:segments`)).body.data;
	const {user_point_id: userPointId} = identified.find((one: {type: string}) => one.type === 'USER_POINT');
	const byId = `${datamart}/user_points/${userPointId}/user_segments`;
	t.is(code(await service.get(byId)), '200 ok');
	t.is((await read(byId)).status, 403);
	t.is(code(await read(`${datamart}/user_segments/email_hash=0f3a`)), '403 signature_not_accepted');
	const nobody = await read(`${datamart}/user_points/email_hash=ffff/user_segments`);
	t.like(nobody, {status: 404, body: {error: 'Resource Not Found'}});
});

test('a signature opens nothing but tracking and segments', async t => {
	const {service, key, userId} = t.context;
	const signable = new Set(['activities:write', 'segments:read', 'public']);
	let refused = 0;
	for (const {method, path, action} of service.routes) {
		if (signable.has(action)) continue;
		const called = path.replace(/:\w+/g, '1').replace('/users/1/', `/users/${userId}/`);
		const headers = signatureHeaders(key, called, method === 'GET' ? undefined : '{}');
		const answer = await callRaw(service.url, method, called, headers, method === 'GET' ? undefined : '{}');
		t.is(code(answer), '403 signature_not_accepted', `${method} ${path}`);
		refused++;
	}
	t.true(refused > 10);
});

test('a key may do in a datamart what its user may: a reader’s writes nothing, a stranger’s finds nothing', async t => {
	const {service, activities} = t.context;
	const tenants = await testTenants(service.database);
	const own = (await tenants.organisations.find(Number(service.organisationId)))!;
	const elsewhere = await tenants.organisation(await tenants.community());
	for (const [organisation, expected] of [
		[own, '403 role_insufficient'],
		[elsewhere, '404 datamart_not_found'],
	] as const) {
		const user = await tenants.user(organisation, 'READER');
		const {body} = await clientOf(service.url).post('/v1/authentication/access_tokens', {
			email: user.email,
			password: 'correct horse',
		});
		const person = clientOf(service.url, body.data.access_token);
		const made = await person.post(`/v1/users/${user.id}/message_authentication_keys`, {
			scheme: 'HMAC_SHA256',
			key_id: `key-of-${user.id}`,
		});
		const {key_id: keyId, secret_key: secretKey} = made.body.data;
		const text = visit('role');
		const headers = signatureHeaders({keyId, secretKey}, activities, text);
		t.is(code(await callRaw(service.url, 'POST', activities, headers, text)), expected);
	}
});

test('several keys live side by side, and a revoked one is refused at once', async t => {
	const {service, keys, activities} = t.context;
	const [old, young] = [await makeKey(service, keys, 'old'), await makeKey(service, keys, 'young')];
	const send = (key: TestKey, number: number) => {
		const body = visit('rotation', {$n: number});
		return callRaw(service.url, 'POST', activities, signatureHeaders(key, activities, body), body);
	};
	t.deepEqual([code(await send(old, 1)), code(await send(young, 2))], ['200 ok', '200 ok']);
	await service.request('DELETE', `${keys}/${old.id}`);
	t.deepEqual([code(await send(old, 3)), code(await send(young, 4))], ['401 signature_invalid', '200 ok']);
	t.is(await stored(t.context, 'rotation'), 3);
});

test('an API token may make keys, and a token beside signature headers decides alone', async t => {
	const {service, key, keys, userId, activities} = t.context;
	const {value} = (await service.post(`/v1/users/${userId}/api_tokens`, {name: 'backend'})).body.data;
	const holder = clientOf(service.url, value);
	t.is(code(await holder.post(keys, {scheme: 'HMAC_SHA256', key_id: 'by-api-token'})), '200 ok');
	const body = visit('both');
	const headers = {...signatureHeaders(key, activities, body), authorization: value};
	t.is(code(await callRaw(service.url, 'POST', activities, {...headers, 'X-Svc-Mac': 'x'}, body)), '200 ok');
	const wrong = {...headers, authorization: 'nothing'};
	t.is(code(await callRaw(service.url, 'POST', activities, wrong, body)), '401 token_unknown');
});
