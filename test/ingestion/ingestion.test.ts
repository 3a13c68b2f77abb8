import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import {DomainError} from '../../src/errors.ts';
import {userTimeline} from '../../src/ingestion/timelines/timelines.ts';
import {
	type AcceptContext,
	acceptMany,
	acceptOne,
	type Door,
} from '../../src/ingestion/user-activities/accept.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import {factsOf as expectedFacts} from '../oracle/facts.ts';
import {randomCase} from '../oracle/histories.ts';
import {allFacts, keptActivities} from '../support/facts.query.ts';
import {datamartNumber, directoryOf, incoming, startTestIngestion} from '../support/ingestion.ts';
import {startSharedPostgres, type TestPostgres} from '../support/postgres.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

interface Stores {
	readonly postgres: TestPostgres;
	readonly store: TestWarehouse;
}

const test = anyTest as TestFn<Stores>;

test.before(async t => {
	const [postgres, store] = await Promise.all([startSharedPostgres(), startSharedWarehouse()]);
	t.context = {postgres, store};
});
test.after.always(async t => {
	await Promise.all([t.context.postgres?.stop(), t.context.store?.stop()]);
});

let lastDatamart = 0;

/** A datamart of its own for each test, over the file's engines. */
async function newDoor(t: ExecutionContext<Stores>, warehouse = t.context.store.warehouse) {
	const datamart = datamartNumber(++lastDatamart);
	const ingestion = await startTestIngestion(t, {database: t.context.postgres.database, warehouse});
	const context: AcceptContext = {...ingestion, directory: directoryOf([datamart])};
	const door: Door = {datamart, userAgent: ''};
	const post = async (...activities: object[]) => {
		const {lastArrival} = await acceptMany(context, door, incoming(activities));
		await ingestion.whenQueryable(lastArrival);
	};
	const facts = async () => (await t.context.store.warehouse.read(allFacts, datamart.id)).rows;
	return {datamart, ingestion, context, door, post, facts};
}

const visit = (agent: string, extra: object = {}) => ({
	$type: 'SITE_VISIT',
	$ts: 1_700_000_000_000,
	$user_identifiers: [{$type: 'USER_AGENT', $user_agent_id: agent}],
	...extra,
});

/** A row as both sides can say it, without the numbers that each gives out by itself. */
function comparable(
	userPoint: unknown,
	ts: number,
	money: number,
	units: number,
	values: Record<string, readonly string[]>,
) {
	// A value twice on one row means no more than once.
	const filled = Object.entries(values)
		.map(([name, list]) => [name, [...new Set(list)].filter(value => value !== '')] as const)
		.filter(([, list]) => list.length > 0);
	return {userPoint, ts, money, units, values: Object.fromEntries(filled.sort())};
}

const SINGLE = [
	'type',
	'event_type',
	'channel_id',
	'origin_campaign_id',
	'origin_sub_campaign_id',
	'origin_creative_id',
	'campaign_id',
	'goal_id',
	'device_form_factor',
	'device_os_family',
	'device_browser_family',
	'device_brand',
	'device_model',
	'device_carrier',
	'has_conversion',
	'has_clicked',
	'has_bounced',
];
const MULTI = ['brand', 'category1', 'category2', 'category3', 'category4', 'product_id'];

test('random histories become the facts that the reference evaluator makes of them, row for row', async t => {
	const {post, facts, datamart} = await newDoor(t);
	const cases = Array.from({length: 40}, (_, seed) => randomCase(seed + 1));
	const accepted = cases.flatMap(one => one.accepted);
	for (let at = 0; at < accepted.length; at += 100) {
		await post(...accepted.slice(at, at + 100).map(({activity}) => activity as object));
	}
	const expected = expectedFacts(accepted, {defaultCompartment: String(datamart.id * 10)}).rows;
	const rows = await facts();
	t.is(rows.length, expected.length);

	// User points carry other numbers on each side: they are told by their first row in the order of arrival.
	const names = new Map<unknown, string>();
	const nameOf = (point: unknown, key: string) => {
		if (point === null || point === '0') return null;
		if (!names.has(`${key}${point}`))
			names.set(
				`${key}${point}`,
				`person ${[...names.keys()].filter(name => String(name).startsWith(key)).length}`,
			);
		return names.get(`${key}${point}`)!;
	};
	const got = [...rows]
		.sort((a, b) => Number(a.arrival) - Number(b.arrival) || Number(a.event_index) - Number(b.event_index))
		.map(row =>
			comparable(
				nameOf(row.user_point_id, 'got'),
				Number(BigInt(row.position as string) >> 22n),
				Number(row.money),
				Number(row.units),
				Object.fromEntries([
					...SINGLE.map(column => [column, [row[column] as string]]),
					...MULTI.map(column => [column, row[column] as string[]]),
				]),
			),
		);
	const wanted = [...expected]
		.sort((a, b) => a.arrival - b.arrival || a.eventIndex - b.eventIndex)
		.map(row =>
			comparable(
				nameOf(row.userPoint, 'want'),
				row.ts,
				row.money,
				row.units,
				Object.fromEntries(
					[...SINGLE, ...MULTI].map(column => [column, row.dimensions[column.toUpperCase()] ?? []]),
				),
			),
		);
	const first = got.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(wanted[index]));
	t.deepEqual(got[first], wanted[first], `row ${first} of ${got.length}`);

	const order = (list: {userPoint: unknown}[]) => list.map(item => item.userPoint);
	t.deepEqual(order(got), order(wanted));
});

test('an activity is kept as it was sent, its numbers to the last digit, and its identifiers stand nowhere in the warehouse', async t => {
	const {datamart, door, context, ingestion} = await newDoor(t);
	const secret = 'vec:9f1c2b7ad4e34410';
	const json = `{"$type":"SITE_VISIT","$ts":1700000000000,"$email_hash":{"$hash":"c0ffee","$email":"ann@example.org"},"$user_agent_id":"${secret}","big":12345678901234567890,"small":1e-7,"price":1.10,"nested":{"$user_agent_id":"stays","list":[1,null,"é\\u0000\\t\\"\\\\"]}}`;
	const arrival = await acceptOne(context, door, {value: JSON.parse(json), bytes: Buffer.from(json)});
	await ingestion.whenQueryable(arrival);
	const kept = (await t.context.store.warehouse.read(keptActivities, datamart.id)).rows[0]!.activity;
	for (const text of [secret, 'c0ffee', 'ann@example.org']) t.false(kept.includes(text), text);
	t.true(kept.includes('12345678901234567890') && kept.includes('"stays"'));

	const found = await ingestion.userPoints.find(datamart.id, {
		kind: 'USER_AGENT',
		compartmentId: undefined,
		text: secret,
	});
	const timeline = await userTimeline(
		{warehouse: t.context.store.warehouse, userPoints: ingestion.userPoints},
		{datamartId: datamart.id, userPointId: found!.userPointId, firstResult: 0, maxResults: 10},
	);
	t.is(timeline.total, 1);
	// biome-ignore lint/suspicious/noExplicitAny: the test looks into whatever came back.
	const [activity] = timeline.items as any[];
	t.is(String(activity.big), '12345678901234567890');
	t.is(activity.$user_agent_id, secret);
	t.deepEqual({...activity.$email_hash}, {$hash: 'c0ffee', $email: 'ann@example.org'});
	t.is(activity.nested.list[2], 'é\u0000\t"\\');
});

test('a number that a sender puts where no identifier of its kind stands refers to nobody', async t => {
	const {datamart, post, ingestion} = await newDoor(t);
	const victim = await newDoor(t);
	await victim.post({...visit('vec:victim'), $email_hash: {$hash: 'victim', $email: 'victim@example.org'}});
	const byHash = {kind: 'USER_EMAIL', compartmentId: undefined, text: 'victim'} as const;
	const hit = await ingestion.userPoints.find(victim.datamart.id, byHash);
	const ids = (await ingestion.userPoints.identifiersOf(hit!.userPointId)).map(
		({identifierId}) => identifierId,
	);
	t.is(ids.length, 2);
	for (const id of ids) {
		await post({
			...visit('vec:curious'),
			$user_identifiers: [
				{$type: 'USER_AGENT', $user_agent_id: 'vec:curious', $hash: id, $user_account_id: id, $email: id},
			],
			$hash: id,
			$email_hash: {$hash: 'own', $user_agent_id: id},
		});
	}
	const found = await ingestion.userPoints.find(datamart.id, {
		kind: 'USER_AGENT',
		compartmentId: undefined,
		text: 'vec:curious',
	});
	const timeline = await userTimeline(
		{warehouse: t.context.store.warehouse, userPoints: ingestion.userPoints},
		{datamartId: datamart.id, userPointId: found!.userPointId, firstResult: 0, maxResults: 50},
	);
	const text = JSON.stringify(timeline.items);
	t.is(timeline.total, 2);
	t.false(text.includes('victim'));
	t.true(text.includes(`"$hash":${ids[0]}`));
	// And an id of another datamart is not read even where somebody asks for it.
	t.is((await ingestion.userPoints.identifiersById(datamart.id, ids)).size, 0);
});

test('an address that comes after its hash is kept with it, and given back only where it was sent', async t => {
	const {datamart, post, ingestion} = await newDoor(t);
	const sent = [
		{...visit('vec:mail'), $email_hash: {$hash: 'feed'}},
		{...visit('vec:mail'), $ts: 1_700_000_000_001, $email_hash: {$hash: 'feed', $email: 'late@example.org'}},
	];
	for (const activity of sent) await post(activity);
	const found = await ingestion.userPoints.find(datamart.id, {
		kind: 'USER_EMAIL',
		compartmentId: undefined,
		text: 'feed',
	});
	const identifiers = await ingestion.userPoints.identifiersOf(found!.userPointId);
	t.is(identifiers.find(({kind}) => kind === 'USER_EMAIL')?.email, 'late@example.org');
	const timeline = await userTimeline(
		{warehouse: t.context.store.warehouse, userPoints: ingestion.userPoints},
		{datamartId: datamart.id, userPointId: found!.userPointId, firstResult: 0, maxResults: 50},
	);
	t.deepEqual(JSON.parse(JSON.stringify(timeline.items)), [...sent].reverse());
});

test('a person met under two identifiers is one from the moment an activity carries both', async t => {
	const {post, facts, ingestion, datamart} = await newDoor(t);
	await post(visit('vec:a1'), visit('vec:b2'));
	t.is(new Set((await facts()).map(row => row.user_point_id)).size, 2);
	await post({...visit('vec:a1'), $user_agent_id: 'vec:b2'});
	const rows = await facts();
	t.is(rows.length, 3);
	t.is(new Set(rows.map(row => row.user_point_id)).size, 1);
	const survivor = Number(rows[0]!.user_point_id);
	t.is((await ingestion.userPoints.identifiersOf(survivor)).length, 2);
	t.is((await ingestion.userPoints.idsUnder(survivor)).length, 2);
	await post(visit('vec:b2'));
	t.is(new Set((await facts()).map(row => row.user_point_id)).size, 1);
	t.truthy(datamart);
});

/** A warehouse whose writes fail as told: before they reach the engine, or after. */
function failing(warehouse: Warehouse, plan: ('before' | 'after' | 'pass')[]): Warehouse {
	const down = () => new DomainError('store_unavailable', 'not now');
	return {
		read: (...args) => warehouse.read(...args),
		command: (...args) => warehouse.command(...args),
		ping: () => warehouse.ping(),
		close: () => warehouse.close(),
		async write(block) {
			const step = plan.shift() ?? 'pass';
			if (step === 'before') throw down();
			await warehouse.write(block);
			if (step === 'after') throw down();
		},
	};
}

test('a store that fails before or after it has written leaves every activity there once', async t => {
	const warehouse = failing(t.context.store.warehouse, ['before', 'after', 'after', 'before', 'after']);
	const {post, facts, datamart} = await newDoor(t, warehouse);
	await post(
		...Array.from({length: 50}, (_, index) =>
			visit(`vec:u${index}`, {$events: [{$event_name: 'a'}, {$event_name: 'b'}]}),
		),
	);
	t.is((await facts()).length, 100);
	t.is((await t.context.store.warehouse.read(keptActivities, datamart.id)).rows.length, 50);
});

test('after a restart what was accepted and not yet drained is drained, once', async t => {
	const {database} = t.context.postgres;
	const {warehouse} = t.context.store;
	const datamart = datamartNumber(++lastDatamart);
	const directory = directoryOf([datamart]);
	const first = await startTestIngestion(t, {
		database,
		warehouse: failing(warehouse, Array(1000).fill('before')),
	});
	const accepted = await acceptMany(
		{...first, directory},
		{datamart, userAgent: ''},
		incoming([visit('vec:r1'), visit('vec:r2')]),
	);
	t.deepEqual(
		accepted.records.map(({result}) => result),
		['accepted', 'accepted'],
	);
	await first.close(200);
	const second = await startTestIngestion(t, {database, warehouse, journalDirectory: first.journalDirectory});
	await second.whenQueryable(accepted.lastArrival);
	t.is((await warehouse.read(allFacts, datamart.id)).rows.length, 2);
	await acceptMany({...second, directory}, {datamart, userAgent: ''}, incoming([visit('vec:r1')])).then(
		({lastArrival}) => second.whenQueryable(lastArrival),
	);
	const rows = (await warehouse.read(allFacts, datamart.id)).rows;
	t.is(rows.length, 3);
	t.is(new Set(rows.map(row => row.arrival)).size, 3);
});

test('two instances that meet one new identifier at the same time make one user point', async t => {
	const datamart = datamartNumber(++lastDatamart);
	const {warehouse} = t.context.store;
	const directory = directoryOf([datamart]);
	const other = await t.context.postgres.connectAgain();
	const instances = await Promise.all(
		[t.context.postgres.database, other].map(database => startTestIngestion(t, {database, warehouse})),
	);
	await Promise.all(
		instances.map(async ingestion => {
			const people = Array.from({length: 30}, (_, index) => visit(`vec:same${index}`));
			const {lastArrival} = await acceptMany(
				{...ingestion, directory},
				{datamart, userAgent: ''},
				incoming(people),
			);
			await ingestion.whenQueryable(lastArrival);
		}),
	);
	const rows = (await warehouse.read(allFacts, datamart.id)).rows;
	t.is(rows.length, 60);
	t.is(new Set(rows.map(row => row.user_point_id)).size, 30);
	await Promise.all(instances.map(instance => instance.stop()));
});

test('an activity sent to two instances under one $unique_key is there once, whichever is drained first', async t => {
	const datamart = datamartNumber(++lastDatamart);
	const {warehouse} = t.context.store;
	const directory = directoryOf([datamart]);
	const other = await t.context.postgres.connectAgain();
	const instances = await Promise.all(
		[t.context.postgres.database, other].map(database =>
			startTestIngestion(t, {database, warehouse, shared: true}),
		),
	);
	const people = Array.from({length: 20}, (_, index) =>
		visit(`vec:sent${index}`, {$unique_key: `key ${index}`}),
	);
	await Promise.all(
		instances.map(async ingestion => {
			const answer = await acceptMany({...ingestion, directory}, {datamart, userAgent: ''}, incoming(people));
			t.true(answer.records.every(({result}) => result === 'accepted'));
			await ingestion.whenQueryable(answer.lastArrival);
		}),
	);
	const rows = (await warehouse.read(allFacts, datamart.id)).rows;
	t.is(rows.length, 20);
	t.is((await warehouse.read(keptActivities, datamart.id)).rows.length, 20);
	await Promise.all(instances.map(instance => instance.stop()));
});

test('an identifier shared by everybody stops merging at the cap, and what comes later is kept without a user point', async t => {
	const {post, facts, datamart} = await newDoor(t);
	const people = Array.from({length: 1100}, (_, index) => ({
		...visit(`vec:shared${index}`),
		$user_account_id: 'kiosk',
	}));
	for (let at = 0; at < people.length; at += 300) await post(...people.slice(at, at + 300));
	const rows = await facts();
	t.is(rows.length, 1100);
	// The kiosk itself takes one of the thousand places.
	t.is(rows.filter(row => row.user_point_id === '0').length, 101);
	const letters = await t.context.postgres.database.run(sql =>
		sql('dead_letters').where({datamart_id: datamart.id}),
	);
	t.is(letters.length, 101);
	t.true(letters.every(letter => letter.reason === 'identifier_cap'));
	const {rows: kept} = await t.context.store.warehouse.read(keptActivities, datamart.id);
	t.false(JSON.stringify(kept).includes('vec:shared'), 'not even those without a user point keep the text');
});
