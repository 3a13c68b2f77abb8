import test from 'ava';
import {
	digestOf,
	masked,
	newApiToken,
	readApiToken,
	startOf,
} from '../../../src/identity/api-tokens/token-format.ts';

/** Checksums by Python: zlib.crc32 of prefix and letters, six digits of base 62, `0-9A-Za-z`. */
const KNOWN = [
	'api:0000000000000000000000000000000000001XQYeY',
	'api:0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ1wq0UM',
	'api:QRSTUVWXYZabcdefghijklmnopqrstuvwxyz1vPogy',
];

test('the checksum is the CRC32 that scanners compute', t => {
	for (const token of KNOWN) t.is(readApiToken(token), token);
});

test('a token is read as it is, without its prefix, and with a second one in front', t => {
	const token = newApiToken();
	t.regex(token, /^api:[0-9A-Za-z]{42}$/);
	for (const sent of [token, token.slice(4), `api:${token}`]) t.is(readApiToken(sent), token);
	for (const sent of [
		'',
		'api:',
		`api:api:${token}`,
		` ${token}`,
		`${token} `,
		`${token}0`,
		`API:${token}`,
	]) {
		t.is(readApiToken(sent), undefined, sent);
	}
});

test('one wrong letter, or two neighbours that changed places, is no token', t => {
	const token = newApiToken();
	for (let place = 4; place < token.length; place++) {
		const wrong = token[place] === 'a' ? 'b' : 'a';
		t.is(readApiToken(token.slice(0, place) + wrong + token.slice(place + 1)), undefined);
		const [here, next] = [token[place]!, token[place + 1]];
		if (next === undefined || next === here) continue;
		t.is(readApiToken(token.slice(0, place) + next + here + token.slice(place + 2)), undefined);
	}
});

test('tokens differ, use all letters, and a masked one shows only how it begins', t => {
	const tokens = Array.from({length: 500}, newApiToken);
	t.is(new Set(tokens).size, 500);
	t.is(new Set(tokens.flatMap(token => [...token.slice(4, 40)])).size, 62);
	const [token] = tokens;
	const shown = masked(startOf(token!));
	t.is(shown, token!.slice(0, 8) + '*'.repeat(38));
	t.is(readApiToken(shown), undefined);
	t.regex(digestOf(token!), /^[0-9a-f]{64}$/);
});
