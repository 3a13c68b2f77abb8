import {setMaxListeners} from 'node:events';
import {setImmediate as turn} from 'node:timers/promises';
import test from 'ava';
import {type SlotLimits, Slots} from '../../../src/analytics/questions/slots.ts';
import {DomainError} from '../../../src/errors.ts';

const LIMITS: SlotLimits = {atOnce: {light: 3, heavy: 2}, perCaller: 4, maxWaiting: 5, maxWaitMs: 60_000};
const NEVER = new AbortController().signal;
setMaxListeners(50, NEVER);

async function refusal(work: Promise<unknown>): Promise<DomainError> {
	try {
		await work;
	} catch (error) {
		if (error instanceof DomainError) return error;
	}
	throw new Error('nothing was refused');
}

test('one caller’s heavy questions leave a slot to everybody else', async t => {
	const slots = new Slots(LIMITS);
	const first = await slots.take('ann', 'heavy', NEVER);
	let second = false;
	void slots.take('ann', 'heavy', NEVER).then(() => {
		second = true;
	});
	await slots.take('bob', 'heavy', NEVER);
	await turn();
	t.false(second);
	t.is(slots.count('waiting', 'heavy'), 1);
	first();
	await turn();
	t.true(second);
});

test('callers take turns, however many questions one of them brought before', async t => {
	const slots = new Slots({...LIMITS, atOnce: {light: 1, heavy: 1}});
	const order: string[] = [];
	const ask = async (caller: string) => {
		const release = await slots.take(caller, 'heavy', NEVER);
		order.push(caller);
		await turn();
		release();
	};
	await Promise.all(['ann', 'ann', 'ann', 'ann', 'bob', 'cleo', 'bob'].map(ask));
	t.deepEqual(order, ['ann', 'ann', 'bob', 'cleo', 'ann', 'bob', 'ann']);
	t.is(slots.count('running', 'heavy'), 0);
});

test('a caller whose queue is full is refused and told when to come back; others are not', async t => {
	const slots = new Slots({...LIMITS, maxWaiting: 2});
	await slots.take('ann', 'heavy', NEVER);
	for (let i = 0; i < 2; i++) void slots.take('ann', 'heavy', NEVER);
	const error = await refusal(slots.take('ann', 'heavy', NEVER));
	t.is(error.code, 'queries_excessive');
	t.true(error.retryAfterSeconds! >= 1 && error.retryAfterSeconds! <= 30);
	await t.notThrowsAsync(slots.take('bob', 'heavy', NEVER));
});

test('who waited too long is refused, and leaves the queue', async t => {
	const slots = new Slots({...LIMITS, maxWaitMs: 10});
	await slots.take('ann', 'heavy', NEVER);
	t.is((await refusal(slots.take('ann', 'heavy', NEVER))).code, 'queries_excessive');
	t.is(slots.count('waiting', 'heavy'), 0);
});

test('who goes away while waiting is told so and takes no turn', async t => {
	const slots = new Slots(LIMITS);
	const release = await slots.take('ann', 'heavy', NEVER);
	const leaving = new AbortController();
	const left = slots.take('ann', 'heavy', leaving.signal);
	leaving.abort(new Error('gone'));
	await t.throwsAsync(left, {message: 'gone'});
	release();
	release();
	t.is(slots.count('running', 'heavy'), 0, 'a slot is given back once');
	t.is(slots.count('waiting', 'heavy'), 0);
});

test('heavy questions that wait keep no light one of the same caller', async t => {
	const slots = new Slots({...LIMITS, maxWaiting: 1});
	await slots.take('ann', 'heavy', NEVER);
	const waiting = slots.take('ann', 'heavy', NEVER);
	await t.notThrowsAsync(slots.take('ann', 'light', NEVER));
	t.is(slots.count('waiting', 'heavy'), 1);
	void waiting;
});
