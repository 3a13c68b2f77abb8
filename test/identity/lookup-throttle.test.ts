import test from 'ava';
import type {DomainError} from '../../src/errors.ts';
import {KnownCredentials} from '../../src/identity/known-credentials.ts';
import {LookupThrottle} from '../../src/identity/lookup-throttle.ts';

const unknown = async () => undefined;
const found = async () => 'Ann';

test('whoever guesses credentials is told to wait, and is asked about ten a second from then on', async t => {
	let nowMs = 1_000;
	const throttle = new LookupThrottle(() => nowMs);
	const guess = () => throttle.guard('192.0.2.7', unknown);
	for (let guesses = 0; guesses < 100; guesses++) t.is(await guess(), undefined);

	const refused = await t.throwsAsync<DomainError>(guess);
	t.is(refused.code, 'credentials_excessive');
	t.is(refused.retryAfterSeconds, 1);
	await t.throwsAsync(
		throttle.guard('192.0.2.7', () => Promise.reject(new Error('nobody is asked'))),
		{
			message: /Too many unknown credentials/,
		},
	);

	nowMs += 1_000;
	for (let guesses = 0; guesses < 10; guesses++) await guess();
	await t.throwsAsync(guess);
});

test('right credentials cost nothing, however many come from one address', async t => {
	const throttle = new LookupThrottle(() => 0);
	const answers = await Promise.all(
		Array.from({length: 20}, async () => {
			const results = [];
			for (let turn = 0; turn < 50; turn++) results.push(await throttle.guard('192.0.2.7', found));
			return results;
		}),
	);
	t.true(answers.flat().every(answer => answer === 'Ann'));
});

test('a store that cannot be reached counts for nobody', async t => {
	const throttle = new LookupThrottle(() => 0);
	for (let turn = 0; turn < 200; turn++) {
		await t.throwsAsync(
			throttle.guard('192.0.2.7', () => Promise.reject(new Error('away'))),
			{message: 'away'},
		);
	}
	t.is(await throttle.guard('192.0.2.7', found), 'Ann');
});

test('guesses side by side do not slip past the limit; another network is not touched', async t => {
	const throttle = new LookupThrottle(() => 0);
	const settled = await Promise.allSettled(
		Array.from({length: 300}, () => throttle.guard('2001:db8::1', unknown)),
	);
	t.is(settled.filter(({status}) => status === 'fulfilled').length, 100);
	await t.throwsAsync(throttle.guard('2001:db8::ffff', unknown), undefined, 'the same /64');
	t.is(await throttle.guard('2001:db8:0:1::1', unknown), undefined);
});

test('a dead token that is sent again and again is a 401 each time and asked about once', async t => {
	const asked: string[] = [];
	const known = new KnownCredentials<{id: number}>(
		async name => {
			asked.push(name);
			return undefined;
		},
		{areRandom: true},
	);
	const throttle = new LookupThrottle(() => 0);
	for (let turn = 0; turn < 500; turn++) {
		t.is(await known.find('dead', look => throttle.guard('192.0.2.7', look)), undefined);
	}
	t.deepEqual(asked, ['dead']);
	known.refresh();
	await known.find('dead');
	t.deepEqual(asked, ['dead', 'dead'], 'its user may have a role now');
});
