import test, {type ExecutionContext} from 'ava';
import {JobPool} from '../../src/jobs/pool.ts';
import type {Input, Output} from '../support/echo-job.ts';

function poolFor(t: ExecutionContext, atOnce: number) {
	const pool = new JobPool<Input, Output>({
		job: '../test/support/echo-job',
		threads: 1,
		atOnce,
		data: {greeting: 'hello'},
	});
	t.teardown(() => pool.close());
	return pool;
}

test('a job gets its input and the data of its pool, in a thread that starts with the first input', async t => {
	const pool = poolFor(t, 1);
	t.is(pool.threads, 0);
	const {said, thread} = await pool.run({say: 'you'});
	t.is(said, 'hello you');
	t.true(thread > 0);
	t.is(pool.threads, 1);
});

test('jobs that wait share a thread; those of a pool that computes come one after another', async t => {
	const [waiting, computing] = [poolFor(t, 100), poolFor(t, 1)];
	const three = [1, 2, 3].map(number => ({say: String(number), waitMs: 30}));
	const together = await Promise.all(three.map(input => waiting.run(input)));
	t.is(Math.max(...together.map(({atOnce}) => atOnce)), 3);
	const alone = await Promise.all(three.map(input => computing.run(input)));
	t.deepEqual(
		alone.map(({atOnce}) => atOnce),
		[1, 1, 1],
	);
});

test('an error of a job is the caller’s; a thread that dies takes its inputs with it and is replaced', async t => {
	const pool = poolFor(t, 100);
	await t.throwsAsync(pool.run({fail: 'no'}), {message: 'no'});
	const neighbour = pool.run({say: 'a neighbour', waitMs: 60_000});
	await pool.run({say: 'ready'});
	await t.throwsAsync(Promise.all([neighbour, pool.run({exit: true})]));
	await t.throwsAsync(neighbour);
	t.is((await pool.run({say: 'again'})).said, 'hello again');
});
