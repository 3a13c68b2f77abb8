import anyTest, {type TestFn} from 'ava';
import {startTestService, type TestService} from '../../support/service.ts';

const test = anyTest as TestFn<{service: TestService}>;

test.before(async t => {
	t.context.service = await startTestService();
});
test.after.always(t => t.context.service?.stop());

const visit = (agent: string, uniqueKey?: string) => ({
	$type: 'SITE_VISIT',
	$ts: 1_700_000_000_000,
	$user_agent_id: `vec:${agent}`,
	...(uniqueKey === undefined ? {} : {$unique_key: uniqueKey}),
});

const path = (service: TestService, flags = '') =>
	`/v1/datamarts/${service.datamartId}/user_activities${flags}`;

/** How many activities the person has, after everything accepted has been drained. */
async function stored(service: TestService, agent: string): Promise<number> {
	await service.post(path(service, '?async=false'), {$type: 'MARKER'});
	const url = `/v1/datamarts/${service.datamartId}/user_timelines/user_agent_id=vec:${agent}/user_activities`;
	return (await service.get(url)).body.total ?? 0;
}

const results = (answer: {body: {data: {records: {result: string}[]}}}) =>
	answer.body.data.records.map(({result}) => result);

test('an activity sent again with its $unique_key is answered 200 and stored once', async t => {
	const {service} = t.context;
	for (let time = 0; time < 3; time++) {
		const {status, body} = await service.post(path(service), visit('again', 'key-1'));
		t.is(status, 200);
		t.deepEqual(body, {status: 'ok', data: true});
	}
	t.is(await stored(service, 'again'), 1);
});

test('fifty requests at once with one $unique_key store one activity', async t => {
	const {service} = t.context;
	const answers = await Promise.all(
		Array.from({length: 50}, () => service.post(path(service), visit('race', 'key-race'))),
	);
	t.true(answers.every(({status}) => status === 200));
	t.is(await stored(service, 'race'), 1);
});

test('a list tells which records were there already, in the store, in flight and in the list itself', async t => {
	const {service} = t.context;
	await service.post(path(service), visit('list', 'key-a'));
	const list = [
		visit('list', 'key-a'),
		visit('list', 'key-b'),
		visit('list', 'key-b'),
		visit('list'),
		visit('list'),
	];
	t.deepEqual(results(await service.post(path(service), list)), [
		'duplicate',
		'accepted',
		'duplicate',
		'accepted',
		'accepted',
	]);
	t.is(await stored(service, 'list'), 4);
});

test('two lists that cross each other’s keys at the same time both end, and store each key once', async t => {
	const {service} = t.context;
	const keys = Array.from({length: 40}, (_, index) => `cross-${index}`);
	const lists = [keys, [...keys].reverse(), keys];
	const answers = await Promise.all(
		lists.map(list =>
			service.post(
				path(service),
				list.map(key => visit('cross', key)),
			),
		),
	);
	const accepted = answers.flatMap(results).filter(result => result === 'accepted');
	t.is(accepted.length, 40);
	t.is(await stored(service, 'cross'), 40);
});

test('a batch sent again with its Idempotency-Key is answered as the first time, record by record', async t => {
	const {service} = t.context;
	const list = [
		visit('batch'),
		{...visit('batch'), $app_id: 7},
		visit('batch', 'key-batch'),
		visit('batch', 'key-batch'),
	];
	const headers = {'idempotency-key': 'batch-1'};
	const first = await service.post(path(service), list, headers);
	const second = await service.post(path(service), list, headers);
	t.deepEqual(results(first), ['accepted', 'rejected', 'accepted', 'duplicate']);
	t.deepEqual(second.body, first.body);
	t.is(await stored(service, 'batch'), 2);
	await service.post(path(service), list.slice(0, 1), {'idempotency-key': 'batch-2'});
	t.is(await stored(service, 'batch'), 3);
});

test('keys of one datamart say nothing about another’s', async t => {
	const {service} = t.context;
	const other = await service.post('/v1/datamarts', {
		name: 'other',
		organisation_id: service.organisationId,
		time_zone: 'UTC',
	});
	const url = `/v1/datamarts/${other.body.data.id}/user_activities`;
	t.deepEqual(results(await service.post(path(service), [visit('two', 'shared')])), ['accepted']);
	t.deepEqual(results(await service.post(url, [visit('two', 'shared')])), ['accepted']);
});

test('an Idempotency-Key that is too long is refused', async t => {
	const {service} = t.context;
	const {status, body} = await service.post(path(service), visit('long'), {
		'idempotency-key': 'x'.repeat(256),
	});
	t.is(status, 400);
	t.is(body.errors[0].pointer, 'Idempotency-Key');
	t.is(await stored(service, 'long'), 0);
});

test('a number that no double can carry stays whole in a list', async t => {
	const {service} = t.context;
	const text = JSON.stringify([visit('digits')]).replace(
		'"vec:digits"',
		'"vec:digits","big":12345678901234567890',
	);
	t.is((await service.post(path(service), text)).status, 200);
	t.is(await stored(service, 'digits'), 1);
	const url = `/v1/datamarts/${service.datamartId}/user_timelines/user_agent_id=vec:digits/user_activities`;
	const raw = await (await fetch(service.url + url, {headers: {authorization: service.token}})).text();
	t.true(raw.includes('12345678901234567890'));
});
