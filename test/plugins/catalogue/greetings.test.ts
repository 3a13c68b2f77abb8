import test from 'ava';
import type {CallWorker} from '../../../src/plugins/worker-client/worker-client.ts';
import {Greetings} from '../../../src/plugins/workers/greetings.ts';
import type {StoredWorker} from '../../../src/plugins/workers/workers.store.ts';

const WORKER: StoredWorker = {
	pluginVersionId: 1,
	url: 'http://worker.example',
	workerId: 'w1',
	tokenSealed: Buffer.alloc(0),
	maxQps: 1,
	creationTs: 0,
	reachable: false,
	reachableTs: null,
};

/** Greetings over a clock of the test's own and a worker that answers or does not. */
async function greetings(stored: StoredWorker[] = [WORKER]) {
	const state = {now: 0, up: false, calls: [] as string[], noted: [] as boolean[], limits: [] as unknown[]};
	const callWorker: CallWorker = async ({worker, path}) => {
		state.calls.push(`${worker.workerId} ${path} ${state.now}`);
		state.limits.push(worker.maxQps);
		if (!state.up) throw new Error('nobody there');
		return {status: 200, text: '', tries: 1, json: () => undefined};
	};
	const greeting = await Greetings.open(
		{
			workers: {
				all: async () => stored,
				noteReachable: async (_, reachable) => void state.noted.push(reachable),
			},
			toPluginWorker: ({pluginVersionId, url, workerId, maxQps}) => ({
				pluginVersionId,
				url,
				workerId,
				maxQps,
				authenticationToken: 'secret',
			}),
			callWorker,
		},
		() => state.now,
	);
	/** Lets time pass in half seconds, as the timer would. */
	const pass = async (ms: number) => {
		for (const end = state.now + ms; state.now < end; ) {
			state.now += 500;
			greeting.tick();
			for (let turn = 0; turn < 20; turn++) await Promise.resolve();
		}
	};
	return {state, greeting, pass};
}

test('a worker that is not up is tried after one second, then two, four, up to every minute', async t => {
	const {state, greeting, pass} = await greetings();
	await pass(200_000);
	await greeting.close();
	const at = state.calls.map(call => Number(call.split(' ')[2]));
	const pauses = at.slice(1).map((each, index) => each - at[index]!);
	t.deepEqual(pauses.slice(0, 7), [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]);
	t.true(pauses.slice(7).every(pause => pause === 60_000));
	t.true(state.calls.every(call => call.includes('/v1/init')));
});

test('a worker that comes up is told who it is, asked whether it is ready, and greeted again later', async t => {
	const {state, greeting, pass} = await greetings();
	await pass(3_500);
	state.up = true;
	await pass(4_500);
	t.deepEqual(state.calls.slice(-2), ['w1 /v1/init 7500', 'w1 /v1/status 7500']);
	t.true(state.noted.at(-1));
	const told = state.calls.length;
	await pass(29_000);
	t.is(state.calls.length, told);
	await pass(2_000);
	// Restarted meanwhile, it may have forgotten.
	t.is(state.calls.length, told + 2);
	// It went away, and comes back: the pauses begin anew.
	state.up = false;
	for (let i = 0; i < 100 && state.noted.at(-1); i++) await pass(500);
	t.false(state.noted.at(-1));
	state.up = true;
	await pass(1_000);
	t.true(state.noted.at(-1));
	await greeting.close();
});

test('greetings do not count against a plugin’s own limit', async t => {
	const {state, greeting, pass} = await greetings();
	await pass(2_000);
	await greeting.close();
	t.true(state.limits.every(limit => limit === null));
});

test('a worker that was taken away is greeted no more', async t => {
	const stored = [WORKER];
	const {state, greeting, pass} = await greetings(stored);
	await pass(1_000);
	t.is(state.calls.length, 1);
	stored.length = 0;
	await greeting.refresh();
	await pass(60_000);
	t.is(state.calls.length, 1);
	await greeting.close();
});
