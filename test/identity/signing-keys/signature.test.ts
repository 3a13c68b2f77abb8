import {createSecretKey} from 'node:crypto';
import test from 'ava';
import {digestOf, isSame, isTimely} from '../../../src/identity/signing-keys/signature.ts';

const SECRET = '00112233445566778899aabbccddeeff';
const ACTIVITIES = '/v1/datamarts/1/user_activities';

/**
 * Digests by OpenSSL, with and without a fourth part:
 * printf '%s\n%s\n%s\n%s' PATH my-app-1 1700000000000 BODY | openssl dgst -sha256 -hmac SECRET -binary | base64
 */
const VECTORS: readonly {path: string; body?: Buffer; mac: string}[] = [
	{
		path: ACTIVITIES,
		body: Buffer.from('{"$type":"APP_VISIT","$app_id":"1"}'),
		mac: 'eoUi+ThZIwZ+cM1aaA7xq2S9yQIo4odXEuQLINgBo7Q=',
	},
	{
		path: ACTIVITIES,
		body: Buffer.from('{"$type":"APP_VISIT",\n "name":"Zoë ☕"}'),
		mac: '7Flv5tsLhx88rzvMmOx22Xd99YCKfDKWGxxywkurVPc=',
	},
	{
		path: '/v1/datamarts/1/user_points/email_hash=0f3a/user_segments',
		mac: 'NszXWet/bt4y9VjVDvSExm8CHP7Cy0k0GdEKOR49Stc=',
	},
	{
		path: '/v1/datamarts/1/user_points/compartmentId=1,user_account_id=a%20b%2Fc/user_segments',
		mac: 'vcN7oh7lNlFG8XrqaUOGVR57aorrbYXeFaNKWsu5BGA=',
	},
	// The first bytes of a gzip body, and others that are no text.
	{
		path: ACTIVITIES,
		body: Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0xff, 0x0a, 0x00]),
		mac: 'f5ynCGRmPLc547svSx0vCSVsECZ8tCgELLjacCAn7Ds=',
	},
];

test('our digest is the one OpenSSL computes, for text, umlauts, bytes and calls without a body', t => {
	for (const {path, body, mac} of VECTORS) {
		const signature = {mac, keyId: 'my-app-1', ts: '1700000000000'};
		t.is(digestOf(createSecretKey(Buffer.from(SECRET)), path, signature, body), mac);
	}
});

test('another spelling of the same digest is another digest', t => {
	const {mac} = VECTORS[0]!;
	t.true(isSame(mac, mac));
	// The last letter's two lowest bits decode to nothing: Base64 readers ignore them, and padding as well.
	for (const spelled of [mac.slice(0, -1), mac.replace('7Q=', '7R='), mac.replace('+', '-'), `${mac} `, '']) {
		t.is(Buffer.from(spelled, 'base64').length, spelled === '' ? 0 : 32);
		t.false(isSame(mac, spelled));
	}
});

test('a timestamp is whole milliseconds within five minutes, either way', t => {
	const now = 1_700_000_000_000;
	const timely = (ts: string, keyId = 'my-app-1') => isTimely({mac: '', keyId, ts}, now);
	for (const off of [0, 299_000, -299_000, 300_000, -300_000]) t.true(timely(String(now + off)), String(off));
	for (const off of [300_001, -300_001, 301_000, -301_000]) t.false(timely(String(now + off)), String(off));
	const odd = ['', '1700000000', '1.7e12', '0x18bcfe56800', ' 1700000000000', '+1700000000000', 'NaN'];
	for (const ts of [...odd, '1700000000000.5', '-1700000000000']) t.false(timely(ts), ts);
	for (const keyId of ['', 'two words', 'two\nlines', 'é', 'x'.repeat(256)]) {
		t.false(timely(String(now), keyId), keyId);
	}
});
