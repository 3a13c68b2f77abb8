import test from 'ava';
import {AnswerRoom} from '../../../src/plugins/worker-client/answer-room.ts';

const open = () => new AbortController().signal;

test('all answers together have so much room; who finds none waits until somebody leaves', async t => {
	const room = new AnswerRoom({bytes: 100, bytesPerWorker: 60});
	const first = await room.take('a', 60, open());
	const second = await room.take('b', 40, open());
	let third = false;
	const waiting = room.take('c', 40, open()).then(place => {
		third = true;
		return place;
	});
	await Promise.resolve();
	t.false(third);
	second.leave();
	second.leave();
	const place = await waiting;
	t.is(room.taken, 100);
	first.shrink(10);
	t.is(room.taken, 50);
	first.leave();
	place.leave();
	t.is(room.taken, 0);
});

test('one plugin worker cannot take the room of the others', async t => {
	const room = new AnswerRoom({bytes: 100, bytesPerWorker: 60});
	await room.take('greedy', 60, open());
	const giveUp = new AbortController();
	const refused = room.take('greedy', 10, giveUp.signal);
	await room.take('modest', 10, open());
	giveUp.abort();
	await t.throwsAsync(refused, {message: /no room for more large answers/});
	t.is(room.taken, 70);
});
