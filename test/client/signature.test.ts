import {randomBytes} from 'node:crypto';
import test from 'ava';
import {signatureHeaders} from '../../src/client/index.ts';
import {signatureHeaders as byNode} from '../support/signed.ts';

const KEY = {keyId: 'my-app', secretKey: '000102030405060708090a0b0c0d0e0f'};
const PATH = '/v1/datamarts/1/user_activities';

test('what openssl makes of the README’s message is what the client signs', async t => {
	// printf '%s\n%s\n%s\n%s' PATH my-app 1700000000000 BODY | openssl dgst -sha256 -hmac SECRET -binary | base64
	const body = '{"$type":"APP_VISIT","$user_agent_id":"vec:42"}';
	t.deepEqual(await signatureHeaders(KEY, {path: PATH, body, ts: 1_700_000_000_000}), {
		'X-Svc-Mac': 'zQs6OIoeQtV8e5kz19M7Fk7a54YvRf5SQ4qppBO6KRA=',
		'X-Svc-Key-Id': 'my-app',
		'X-Svc-Ts': '1700000000000',
	});
	const bare = await signatureHeaders(KEY, {path: PATH, ts: 1_700_000_000_000});
	t.is(bare['X-Svc-Mac'], '1FZb4nZ2F0+BA8Iy4gQheeIKNgAJp9Eqdro0VBSbhus=');
});

test('texts, bytes, accents, escapes and other brands are signed as by any other HMAC', async t => {
	const ts = 1_700_000_000_000;
	const bodies = ['', '{}', '{"$name":"Zoë 😀"}', 'a\nb', new Uint8Array(randomBytes(300)), undefined];
	const paths = [
		PATH,
		'/v1/datamarts/1/user_points/compartmentId=2,user_account_id=ann%20b%2Fc/user_segments',
	];
	for (const path of paths) {
		for (const body of bodies) {
			for (const brand of ['Svc', 'Mics']) {
				const headers = await signatureHeaders({...KEY, brand}, {path, body, ts});
				t.deepEqual(headers, byNode(KEY, path, body, {ts, brand}));
			}
		}
	}
});

test('the query is not signed, and a path that is not one of the interface is refused', async t => {
	const ts = 1;
	t.deepEqual(
		await signatureHeaders(KEY, {path: `${PATH}?async=false`, ts}),
		await signatureHeaders(KEY, {path: PATH, ts}),
	);
	for (const path of ['', 'https://x.example/v1/datamarts', 'v1/datamarts']) {
		await t.throwsAsync(signatureHeaders(KEY, {path}), {instanceOf: TypeError});
	}
});

test('an empty body is a body: its message has a fourth line', async t => {
	const [empty, none] = await Promise.all(
		['', undefined].map(body => signatureHeaders(KEY, {path: PATH, body, ts: 1})),
	);
	t.not(empty!['X-Svc-Mac'], none!['X-Svc-Mac']);
});
