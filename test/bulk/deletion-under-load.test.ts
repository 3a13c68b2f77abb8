import {randomBytes} from 'node:crypto';
import test from 'ava';
import {startTestService, type TestService} from '../support/service.ts';
import {ended, execute, lines} from './support/imports.ts';

let service: TestService;
test.before(async () => {
	service = await startTestService();
});
test.after.always(() => service?.stop());

const SENDERS = 4;

/** Numbers of the activities in somebody's timeline, and whose it is. */
async function numbersOf(agent: string) {
	const {datamartId} = service;
	const selector = `user_agent_id=${agent}`;
	const identifiers = await service.get(`/v1/datamarts/${datamartId}/user_identifiers/${selector}`);
	if (identifiers.status !== 200) return {userPointId: undefined, numbers: [] as number[]};
	const {user_point_id: userPointId} = identifiers.body.data.find(
		({type}: {type: string}) => type === 'USER_POINT',
	);
	const numbers: number[] = [];
	for (let total = 1; numbers.length < total; ) {
		const path = `/v1/datamarts/${datamartId}/user_timelines/${selector}/user_activities`;
		const {body} = await service.get(`${path}?max_results=500&first_result=${numbers.length}`);
		total = body.total;
		numbers.push(...body.data.map((each: {number: number}) => each.number));
		if (body.data.length === 0) break;
	}
	return {userPointId, numbers};
}

test('what arrives while its identifier is deleted is on one side of the deletion or the other, and nothing is lost', async t => {
	t.timeout(180_000);
	const secret = `vec:${randomBytes(24).toString('hex')}`;
	const stays = `vec:${randomBytes(24).toString('hex')}`;
	const path = `/v1/datamarts/${service.datamartId}/user_activities`;
	let sent = 0;
	const send = async (agents: readonly string[], query = '') => {
		const number = sent++;
		const activity = {
			$type: 'SITE_VISIT',
			$ts: Date.now(),
			$unique_key: `number ${number}`,
			$user_identifiers: agents.map($user_agent_id => ({$type: 'USER_AGENT', $user_agent_id})),
			number,
		};
		const post = () => service.post(`${path}${query}`, activity);
		// A kept connection may be closed under a request on a busy machine: it is sent again, as clients do.
		const {status} = await post().catch(post);
		t.is(status, 200);
		return number;
	};
	const linked = await send([secret, stays], '?async=false');
	let isOver = false;
	const senders = Array.from({length: SENDERS}, async () => {
		while (!isOver) await send([secret]);
	});
	while (sent < 200) await new Promise(resolve => setTimeout(resolve, 5));
	// Many of these lie in the journal, and more are on their way.
	const before = sent - SENDERS;
	const file = lines([{type: 'USER_AGENT', user_agent_id: secret}]);
	const {path: executions, answer} = await execute(
		service,
		service.datamartId,
		'USER_IDENTIFIERS_DELETION',
		file,
	);
	const done = await ended(service, `${executions}/${answer.body.data.id}`);
	t.like(done.result.receipt, {found: 1, removed: 1, unknown: 0});
	isOver = true;
	await Promise.all(senders);
	const after = await send([secret], '?async=false');

	const old = await numbersOf(stays);
	const fresh = await numbersOf(secret);
	t.truthy(fresh.userPointId);
	t.not(fresh.userPointId, old.userPointId, 'what arrived after the deletion is somebody new');
	t.deepEqual(
		[...old.numbers, ...fresh.numbers].sort((a, b) => a - b),
		Array.from({length: sent}, (_, index) => index),
		'each is there once',
	);
	t.true(old.numbers.includes(linked));
	t.true(fresh.numbers.includes(after));
	t.deepEqual(
		fresh.numbers.filter(number => number < before),
		[],
		'what was answered before the deletion was asked for belongs to the old user point',
	);
	const identifiers = await service.get(
		`/v1/datamarts/${service.datamartId}/user_identifiers/user_agent_id=${stays}`,
	);
	t.false(JSON.stringify(identifiers.body).includes(secret), 'the old one does not come back');
});
