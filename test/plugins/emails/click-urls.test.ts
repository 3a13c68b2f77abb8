import test from 'ava';
import {clickUrl, isClickPrefix} from '../../../src/plugins/emails/click-urls.ts';

test('a link leads through each prefix in turn, each encoded within the one before', t => {
	t.is(
		clickUrl(['http://url1/?redirect=', 'http://url2/?redirect='], 'http://dest/'),
		'http://url1/?redirect=http%3A%2F%2Furl2%2F%3Fredirect%3Dhttp%253A%252F%252Fdest%252F',
	);
	t.is(clickUrl([], 'http://dest/?a=b c'), 'http://dest/?a=b c');
});

test('whoever decodes one prefix after another comes to the very destination', t => {
	const destinations = [
		...['https://shop.example/?a=1&b=2#top', 'https://shop.example/é/漢字?q=100%25&r=a+b'],
		...['mailto:ann@example.org', '', 'https://shop.example/?to=https%3A%2F%2Fx%2F'],
	];
	for (const destination of destinations) {
		for (const depth of [1, 2, 5]) {
			const prefixes = Array.from({length: depth}, (_, index) => `https://r${index}.example/?n=${index}&to=`);
			let url = clickUrl(prefixes, destination);
			for (const [index] of prefixes.entries()) {
				t.is(new URL(url).host, `r${index}.example`);
				url = new URL(url).searchParams.get('to')!;
			}
			t.is(url, destination);
		}
	}
});

test('half a character in a link does not stop an email', t => {
	t.is(clickUrl(['http://r/?to='], 'http://dest/\ud83d'), 'http://r/?to=http%3A%2F%2Fdest%2F%EF%BF%BD');
});

test('a prefix is the beginning of a web address', t => {
	for (const good of ['http://r.example/?to=', 'https://r.example/go/']) t.true(isClickPrefix(good), good);
	for (const bad of ['', 'r.example/?to=', 'javascript:alert(', 'ftp://r.example/', 'http://']) {
		t.false(isClickPrefix(bad), bad);
	}
});
