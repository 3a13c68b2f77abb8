import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {Gates} from '../../../src/plugins/worker-client/gates.ts';

test('so many are inside at once, and the others come in as they came', async t => {
	const gates = new Gates(2);
	const order: number[] = [];
	let inside = 0;
	const call = async (number: number) => {
		await gates.enter('a', {});
		inside += 1;
		t.true(inside <= 2);
		order.push(number);
		await delay(2);
		inside -= 1;
		gates.leave('a');
	};
	await Promise.all(Array.from({length: 20}, (_, number) => call(number)));
	t.deepEqual(
		order,
		Array.from({length: 20}, (_, number) => number),
	);
	await gates.enter('a', {});
	t.pass('there is room again');
});

test('one plugin worker’s crowd is not in the way of another', async t => {
	const gates = new Gates(1);
	await gates.enter('a', {});
	void gates.enter('a', {});
	await gates.enter('b', {});
	t.pass();
});

test('whoever cannot wait, or gives up, fails and leaves no place behind', async t => {
	const gates = new Gates(1);
	await gates.enter('a', {});
	await t.throwsAsync(gates.enter('a', {patienceMs: 5}), {message: /more calls wait/});
	const giveUp = new AbortController();
	const waiting = gates.enter('a', {signal: giveUp.signal});
	giveUp.abort();
	await t.throwsAsync(waiting, {message: /given up/});
	await t.throwsAsync(gates.enter('a', {signal: giveUp.signal}), {message: /given up/});
	gates.leave('a');
	await gates.enter('a', {patienceMs: 5});
	t.pass();
});

test('turns are waited for one after the other, whatever becomes of them', async t => {
	const gates = new Gates(3);
	await gates.enter('a', {});
	const order: string[] = [];
	const first = gates.inTurn('a', async () => {
		await delay(5);
		order.push('first');
		throw new Error('given up');
	});
	const second = gates.inTurn('a', async () => void order.push('second'));
	await t.throwsAsync(first, {message: 'given up'});
	await second;
	t.deepEqual(order, ['first', 'second']);
});
