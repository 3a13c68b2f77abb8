import test from 'ava';
import {DomainError} from '../../../src/errors.ts';
import {LoginThrottle} from '../../../src/identity/access-tokens/login-throttle.ts';

/** A throttle under a clock of its own; `slept` are the delays it made people wait. */
function world() {
	const clock = {now: 1_700_000_000_000};
	const slept: number[] = [];
	const throttle = new LoginThrottle({
		now: () => clock.now,
		sleep: async ms => {
			slept.push(ms);
		},
	});
	const attempt = (email: string, address: string, succeeds: boolean) =>
		throttle.attempt(email, address, async () => (succeeds ? 7 : undefined));
	const refused = async (email: string, address: string, succeeds = false) => {
		try {
			await attempt(email, address, succeeds);
			return undefined;
		} catch (error) {
			if (!(error instanceof DomainError) || error.code !== 'logins_excessive') throw error;
			return error.retryAfterSeconds;
		}
	};
	return {clock, slept, attempt, refused};
}

test('an address that keeps failing is refused for longer and longer, whatever accounts it tries', async t => {
	const {clock, attempt, refused} = world();
	for (let i = 0; i < 10; i++) t.is(await attempt(`user${i}@example.org`, '192.0.2.1', false), undefined);
	const waits: (number | undefined)[] = [];
	for (let i = 0; i < 12; i++) {
		const wait = await refused(`other${i}@example.org`, '192.0.2.1');
		waits.push(wait);
		clock.now += wait! * 1000;
		await attempt(`other${i}@example.org`, '192.0.2.1', false);
	}
	t.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
	t.is(await attempt('user1@example.org', '192.0.2.2', true), 7, 'other addresses are not concerned');
});

test('an hour without a failure is forgiven', async t => {
	const {clock, attempt, refused} = world();
	for (let i = 0; i < 11; i++) await attempt('a@example.org', '192.0.2.1', false).catch(() => {});
	t.is(await refused('a@example.org', '192.0.2.1'), 1);
	clock.now += 3_600_000;
	for (let i = 0; i < 10; i++) t.is(await refused('a@example.org', '192.0.2.1'), undefined);
	t.is(await refused('a@example.org', '192.0.2.1'), 1);
});

test('an account that the whole world guesses at is never refused: answers to strangers come late, the owner’s at once', async t => {
	const {slept, attempt} = world();
	t.is(await attempt('ann@example.org', '198.51.100.7', true), 7);
	for (let i = 0; i < 500; i++) await attempt('ann@example.org', `192.0.2.${i}`, false);
	t.is(slept[0], 250, 'after five');
	t.is(slept.length, 495);
	t.true(slept.every(ms => ms <= 4_000));
	t.is(slept.at(-1), 4_000);

	slept.length = 0;
	t.is(await attempt('ANN@example.org ', '198.51.100.7', true), 7);
	t.deepEqual(slept, [], 'where they logged in before');
	t.is(await attempt('ann@example.org', '203.0.113.9', true), 7, 'and from a new place too');
	t.deepEqual(slept, [4_000]);
});

test('the owner gets in from an address that somebody else has got blocked', async t => {
	const {clock, attempt, refused} = world();
	t.is(await attempt('ann@example.org', '192.0.2.1', true), 7);
	for (let i = 0; i < 12; i++) {
		await attempt('bob@example.org', '192.0.2.1', false).catch(() => {});
		clock.now += 1;
	}
	t.is(await refused('bob@example.org', '192.0.2.1', true), 1);
	t.is(await attempt('ann@example.org', '192.0.2.1', true), 7);
	for (let i = 0; i < 40; i++) {
		const wait = await refused('ann@example.org', '192.0.2.1');
		t.true((wait ?? 0) <= 30, 'somebody beside the owner keeps them out for half a minute at most');
		clock.now += (wait ?? 0) * 1000;
	}
});

test('guesses sent side by side do not slip past the limit', async t => {
	const {throttle, passed} = slow();
	await Promise.allSettled(
		Array.from({length: 500}, () => throttle.attempt('a@b.c', '192.0.2.1', passed.work)),
	);
	t.is(passed.count, 64);
	await Promise.allSettled(
		Array.from({length: 500}, () => throttle.attempt('a@b.c', '192.0.2.1', passed.work)),
	);
	t.is(passed.count, 64, 'and then it is blocked');
});

function slow() {
	const throttle = new LoginThrottle({sleep: async () => {}});
	const passed = {
		count: 0,
		work: async () => {
			passed.count++;
			await new Promise(resolve => setImmediate(resolve));
			return undefined;
		},
	};
	return {throttle, passed};
}

test('right passwords cost an address nothing, and a failed store is no failure of the caller', async t => {
	const {attempt, refused} = world();
	for (let i = 0; i < 200; i++) await attempt(`user${i}@example.org`, '192.0.2.1', true);
	const {throttle} = slow();
	const away = new DomainError('store_unavailable', 'away');
	for (let i = 0; i < 30; i++) {
		await t.throwsAsync(
			throttle.attempt('a@b.c', '192.0.2.1', () => Promise.reject(away)),
			{is: away},
		);
	}
	t.is(await refused('new@example.org', '192.0.2.1'), undefined);
});

test('whoever has one IPv6 address has its /64, and no more', async t => {
	const {attempt, refused} = world();
	for (let i = 0; i < 10; i++) await attempt('a@example.org', `2001:db8:1:2::${i.toString(16)}`, false);
	t.is(await refused('b@example.org', '2001:db8:1:2:ffff::1'), 1);
	t.is(await refused('b@example.org', '2001:DB8:1:2:0:0:0:1'), 1);
	t.is(await refused('b@example.org', '2001:db8:1:3::1'), undefined);
});
