import test from 'ava';
import {WorkerStates} from '../../../src/plugins/worker-client/worker-states.ts';

function statesWithClock() {
	let ms = 1_000_000;
	const states = new WorkerStates(undefined, () => BigInt(ms) * 1_000_000n);
	return {
		states,
		pass(by: number) {
			ms += by;
		},
		other: () => new WorkerStates(states.buffer, () => BigInt(ms) * 1_000_000n),
	};
}

const fail = (states: WorkerStates, name: string, times: number) => {
	for (let time = 0; time < times; time++) states.failed(name, states.admit(name));
};

test('a worker rests after five failures in a row, and not after four', t => {
	const {states} = statesWithClock();
	fail(states, 'a', 4);
	t.is(states.admit('a'), 'open');
	fail(states, 'a', 1);
	t.is(states.admit('a'), 'resting');
	t.is(states.admit('b'), 'open');
	t.is(states.resting, 1);
});

test('an answer in between begins the row anew', t => {
	const {states} = statesWithClock();
	fail(states, 'a', 4);
	states.succeeded('a');
	fail(states, 'a', 4);
	t.is(states.admit('a'), 'open');
});

test('after its rest one call finds out; the rest grows with every failure, up to a minute', t => {
	const {states, pass} = statesWithClock();
	fail(states, 'a', 5);
	for (const restMs of [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]) {
		pass(restMs - 1);
		t.is(states.admit('a'), 'resting');
		pass(1);
		t.is(states.admit('a'), 'probe');
		t.is(states.admit('a'), 'resting', 'of several who ask one goes');
		states.failed('a', 'probe');
	}
	pass(60_000);
	t.is(states.admit('a'), 'probe');
	states.succeeded('a');
	t.is(states.admit('a'), 'open');
	t.is(states.resting, 0);
});

test('calls that were under way together count once', t => {
	const {states, pass} = statesWithClock();
	for (let time = 0; time < 64; time++) states.failed('a', 'open');
	pass(5_000);
	t.is(states.admit('a'), 'probe', 'it rests as after the first five');
});

test('threads that share the memory know of each other’s failures and turns', t => {
	const {states, other} = statesWithClock();
	const there = other();
	fail(states, 'a', 3);
	fail(there, 'a', 2);
	t.is(states.admit('a'), 'resting');
	t.is(there.admit('a'), 'resting');
	t.is(states.takeTurn('b', 10), 0);
	t.is(there.takeTurn('b', 10), 100);
	t.is(states.takeTurn('b', 10), 200);
});

test('a turn that is too far away is not taken', t => {
	const {states, pass} = statesWithClock();
	for (let call = 0; call <= 30; call++) t.is(states.takeTurn('a', 1), call * 1_000);
	t.is(states.takeTurn('a', 1), undefined);
	pass(1_000);
	t.is(states.takeTurn('a', 1), 30_000);
	pass(120_000);
	t.is(states.takeTurn('a', 1), 0);
});

test('many workers keep apart', t => {
	const {states} = statesWithClock();
	const names = Array.from({length: 3_000}, (_, index) => `worker ${index}`);
	for (const [index, name] of names.entries()) if (index % 3 === 0) fail(states, name, 5);
	for (const [index, name] of names.entries()) {
		t.is(states.admit(name), index % 3 === 0 ? 'resting' : 'open');
	}
});

test('workers that were given up leave their place to others; those that are called keep theirs', t => {
	const {states, pass} = statesWithClock();
	fail(states, 'kept', 5);
	// Twice what there is room for, of workers that are gone again.
	for (let index = 0; index < 4_000; index++) fail(states, `first ${index}`, 5);
	pass(5 * 60_000);
	t.is(states.admit('kept'), 'probe');
	states.failed('kept', 'probe');
	pass(5 * 60_000 + 1);
	for (let index = 0; index < 4_000; index++) {
		t.is(states.admit(`second ${index}`), 'open', 'it knows nothing of who stood there before');
	}
	t.is(states.admit('kept'), 'probe', 'it was called in between');
	fail(states, 'second 1', 5);
	t.is(states.admit('second 1'), 'resting');
	t.is(states.admit('first 1'), 'open', 'it comes back as a new one');
});
