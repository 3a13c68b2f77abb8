import test from 'ava';
import {hashPassword, verifyPassword} from '../../src/identity/passwords.ts';

test.serial('a password is recognised, another is not, and two hashes of it differ', async t => {
	const stored = await hashPassword('correct horse');
	t.regex(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
	t.true(await verifyPassword(stored, 'correct horse'));
	t.false(await verifyPassword(stored, 'correct horse '));
	t.not(await hashPassword('correct horse'), stored);
});

test.serial('an unknown account takes a hash as well, and never matches', async t => {
	await verifyPassword(undefined, 'warm up');
	const known = await timed(async () => verifyPassword(await hashPassword('x'), 'y'));
	const unknown = await timed(() => verifyPassword(undefined, 'no account has this hash'));
	t.false(unknown.result);
	t.true(unknown.ms > known.ms / 10, `${unknown.ms} ms beside ${known.ms}`);
});

test.serial('logins beyond the queue are told to come again', async t => {
	const outcomes = await Promise.allSettled(Array.from({length: 80}, (_, i) => hashPassword(String(i))));
	const refused = outcomes.filter(outcome => outcome.status === 'rejected');
	t.is(refused.length, 16);
	t.is(refused[0]?.reason.code, 'logins_excessive');
	t.true(await verifyPassword(await hashPassword('after'), 'after'), 'and the queue empties');
});

async function timed<T>(work: () => Promise<T>): Promise<{result: T; ms: number}> {
	const start = performance.now();
	const result = await work();
	return {result, ms: performance.now() - start};
}
