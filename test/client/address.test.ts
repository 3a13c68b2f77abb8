import test from 'ava';
import {baseOf, filled, queryText} from '../../src/client/address.ts';

test('an address is taken with and without /v1, and anything else than http is refused', t => {
	for (const url of [
		'http://x.example',
		'http://x.example/',
		'http://x.example/v1',
		'http://x.example/v1/',
	]) {
		t.is(baseOf(url), 'http://x.example');
	}
	t.is(baseOf('https://x.example/data/v1'), 'https://x.example/data');
	for (const url of ['', 'x.example', 'ftp://x.example', 'httpx://x']) {
		t.throws(() => baseOf(url), {instanceOf: TypeError});
	}
});

test('no value of a path leads to another path', t => {
	const path = '/v1/datamarts/{datamartId}/user_points/{selector}/user_segments';
	const of = (selector: string | number) => filled(path, {datamartId: 1, selector});
	const called = (text: string) => new URL(`http://x.example${text}`).pathname;
	for (const selector of ['a/b', '../../users', 'a?b', 'a#b', 'a%2Fb', 'ann b', 'ü', '%2e%2e', 7]) {
		const made = of(selector);
		t.is(called(made), made, 'fetch calls it as it is signed');
		t.is(made.split('/').length, path.split('/').length);
		t.is(decodeURIComponent(made.split('/')[5]!), String(selector));
	}
	for (const selector of ['', '.', '..']) t.throws(() => of(selector), {instanceOf: TypeError});
	t.throws(() => filled(path, {datamartId: 1}), {message: /selector is needed/});
	t.regex(of('compartmentId=1,user_account_id=ann b/c'), /compartmentId=1,user_account_id=ann%20b%2Fc/);
});

test('what is left out of a query is not sent as the word undefined', t => {
	t.is(queryText(), '');
	t.is(queryText({a: undefined, b: null}), '');
	t.is(queryText({a: 1, b: false, c: ['x', 'y&z'], d: undefined}), '?a=1&b=false&c=x&c=y%26z');
});
