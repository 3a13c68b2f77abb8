import {readdirSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import anyTest, {type TestFn} from 'ava';
import {DomainError} from '../../../src/errors.ts';
import {acceptMany, acceptOne} from '../../../src/ingestion/user-activities/accept.ts';
import {adding, hang, send, status} from '../../support/analyzer-worker.ts';
import {analyzerAt} from '../../support/analyzers.ts';
import {type ChainContext, DEADLINE_MS, newDoor, visit} from '../../support/chain-door.ts';
import {incoming} from '../../support/ingestion.ts';
import {startSharedPostgres} from '../../support/postgres.ts';
import {startSharedWarehouse} from '../../support/warehouse.ts';

const test = anyTest as TestFn<ChainContext>;

test.before(async t => {
	const [postgres, store] = await Promise.all([startSharedPostgres(), startSharedWarehouse()]);
	t.context = {postgres, store};
});
test.after.always(async t => {
	await Promise.all([t.context.postgres?.stop(), t.context.store?.stop()]);
});

test.serial(
	'each analyzer is given what the one before made of the activity, and the last says who it was',
	async t => {
		const {post, chains, worker, channelId, kept, datamart} = await newDoor(
			t,
			adding(activity => ({seen: Number(activity.seen ?? 0) + 1})),
		);
		chains.set(
			channelId(1),
			[1, 2, 3].map(id => analyzerAt(worker.url, id)),
		);
		await post(visit(channelId(1)));
		t.deepEqual(
			worker.requests.map(({path, body}) => [path, body.activity_analyzer_id, body.activity.seen]),
			[
				['/v1/activity_analysis', '1', undefined],
				['/v1/activity_analysis', '2', 1],
				['/v1/activity_analysis', '3', 2],
			],
		);
		t.is(worker.requests[0]?.body.datamart_id, String(datamart.id));
		t.is(worker.requests[0]?.body.channel_id, String(channelId(1)));
		const [activity] = await kept();
		t.is(activity.seen, 3);
		t.is(activity.processed_by, '3');
		t.is(activity.$events[0].processed_by, '3');
		t.false('$error_analyzer_id' in activity);
	},
);

test.serial('what an analyzer makes of events is what reports count', async t => {
	const {post, chains, worker, channelId, facts} = await newDoor(
		t,
		adding({
			$events: [
				{$event_name: '$page_view'},
				{$event_name: '$transaction_confirmed', $properties: {$amount: 12.5}},
			],
		}),
	);
	chains.set(channelId(1), [analyzerAt(worker.url, 1)]);
	await post(visit(channelId(1)));
	const rows = await facts();
	t.deepEqual(
		rows.map(row => [row.event_type, Number(row.money)]),
		[
			['$page_view', 0],
			['$transaction_confirmed', 125_000],
		],
	);
});

test.serial(
	'a channel without analyzers, a channel of somebody else and a sender who asks for it are not analysed',
	async t => {
		const {post, chains, worker, channelId, kept, context, door, ingestion} = await newDoor(t);
		chains.set(channelId(1), [analyzerAt(worker.url, 1)]);
		// Of another datamart: a sender may write any number.
		chains.set(99_999, [analyzerAt(worker.url, 1)]);
		await post(visit(channelId(2)), visit(99_999), {...visit(1), $site_id: 'no number'});
		t.is(ingestion.waiting.size, 0);
		const noted = {arrivals: [], found: []};
		const value = visit(channelId(1));
		const bytes = Buffer.from(JSON.stringify(value));
		const arrival = await acceptOne(context, {...door, analysed: false, noted}, {value, bytes});
		await ingestion.whenQueryable(arrival, noted);
		t.is(worker.requests.length, 0);
		t.is((await kept()).length, 4);
	},
);

test.serial('numbers that no double can carry pass through analyzers that give them back', async t => {
	const {chains, worker, channelId, context, door, ingestion, keptText} = await newDoor(
		t,
		(request, response) => send(response, 200, `{"status":"ok","data":${rawActivity(request.body)}}`),
	);
	// A plugin in another language, that keeps what it does not know.
	const rawActivity = (body: {activity: object}) =>
		JSON.stringify(body.activity).replace(/"big":[^,}]+/, '"big":12345678901234567890');
	chains.set(channelId(1), [analyzerAt(worker.url, 1)]);
	const text = JSON.stringify(visit(channelId(1))).replace('{', '{"big":12345678901234567890,');
	const noted = {arrivals: [], found: []};
	const value = JSON.parse(text);
	const arrival = await acceptOne(context, {...door, noted}, {value, bytes: Buffer.from(text)});
	await ingestion.whenQueryable(arrival, noted);
	t.regex(await keptText(), /"big":12345678901234567890/);
	t.regex(await keptText(), /"processed_by":"1"/);
});

test.serial('a long number survives an analyzer that fails', async t => {
	const {chains, worker, channelId, context, door, ingestion, keptText} = await newDoor(t, status(500));
	chains.set(channelId(1), [analyzerAt(worker.url, 1)]);
	const text = JSON.stringify(visit(channelId(1))).replace('{', '{"big":12345678901234567890,');
	const noted = {arrivals: [], found: []};
	const arrival = await acceptOne(
		context,
		{...door, noted},
		{value: JSON.parse(text), bytes: Buffer.from(text)},
	);
	await ingestion.whenQueryable(arrival, noted);
	t.regex(await keptText(), /"big":12345678901234567890/);
	t.regex(await keptText(), /"\$error_analyzer_id":"[0-9a-f-]{36}"/);
});

test.serial('an analyzer whose plugin worker nobody has set fails, as its strategy says', async t => {
	const {post, chains, channelId, kept} = await newDoor(t);
	chains.set(channelId(1), [analyzerAt(undefined, 1)]);
	chains.set(channelId(2), [analyzerAt(undefined, 1, {strategy: 'DROP'})]);
	await post(visit(channelId(1)), visit(channelId(2)));
	const activities = await kept();
	t.is(activities.length, 1);
	t.truthy(activities[0].$error_analyzer_id);
});

test.serial('an activity keeps the place in the order of arrival that it was accepted in', async t => {
	const {post, chains, worker, channelId, facts} = await newDoor(t, ({body}, response) => {
		setTimeout(() => send(response, 200, {status: 'ok', data: body.activity}), 150);
	});
	chains.set(channelId(1), [analyzerAt(worker.url, 1)]);
	const same = {$user_agent_id: 'vec:ordered'};
	await post(
		visit(channelId(1), {...same, $events: [{$event_name: 'first'}, {$event_name: 'second'}]}),
		visit(channelId(2), {...same, $events: [{$event_name: 'third'}]}),
	);
	const rows = await facts();
	t.deepEqual(
		rows.map(row => row.event_type),
		['first', 'second', 'third'],
	);
});

test.serial('an activity that gets more events than there is room for is stored whole, once', async t => {
	const many = Array.from({length: 60}, (_, index) => ({$event_name: `event ${index}`}));
	const {post, chains, worker, channelId, facts, kept} = await newDoor(t, adding({$events: many}));
	chains.set(channelId(1), [analyzerAt(worker.url, 1)]);
	await post(visit(channelId(1)), visit(channelId(2)));
	t.is((await facts()).length, 61);
	t.is((await kept()).length, 2);
});

test.serial(
	'an activity sent again under its $unique_key while it is analysed is there once, and its sender waits for it',
	async t => {
		const {chains, worker, channelId, context, door, ingestion, kept} = await newDoor(
			t,
			({body}, response) => {
				setTimeout(() => send(response, 200, {status: 'ok', data: body.activity}), 300);
			},
		);
		chains.set(channelId(1), [analyzerAt(worker.url, 1)]);
		const activity = visit(channelId(1), {$unique_key: 'the same'});
		await acceptMany(context, door, incoming([activity]));
		const noted = {arrivals: [], found: []};
		const again = await acceptMany(context, {...door, noted}, incoming([activity]));
		t.is(again.records[0]?.result, 'duplicate');
		t.is(ingestion.waiting.size, 1);
		await ingestion.whenQueryable(again.lastArrival, noted);
		t.is(ingestion.waiting.size, 0);
		t.is((await kept()).length, 1);
		t.is(worker.requests.length, 1);
	},
);

test.serial('a plugin worker that hangs is felt by its channel alone', async t => {
	const {chains, worker, channelId, context, door, ingestion, post, kept} = await newDoor(
		t,
		(request, response) =>
			request.body.activity_analyzer_id === '1'
				? hang(request, response)
				: send(response, 200, {status: 'ok', data: request.body.activity}),
	);
	chains.set(channelId(1), [analyzerAt(worker.url, 1)]);
	chains.set(channelId(2), [analyzerAt(worker.url, 2)]);
	const stuck = Array.from({length: 300}, () => visit(channelId(1), {stuck: true}));
	await acceptMany(context, door, incoming(stuck));
	const began = performance.now();
	await post(visit(channelId(2)), visit(channelId(3)));
	const tookMs = performance.now() - began;
	t.is(ingestion.waiting.size, 300, 'nothing of the stuck ones is through');
	t.true(tookMs < DEADLINE_MS, `${tookMs} ms`);
	// The first ones fail at the deadline; the plugin worker is left alone then, and the rest is stored at once.
	while (ingestion.waiting.size > 0) await delay(20);
	await post(visit(channelId(3)));
	const activities = await kept();
	t.is(activities.length, 303);
	t.is(activities.filter(each => each.stuck && each.$error_analyzer_id).length, 300);
	t.true(worker.requests.length < 100);
});

test.serial('what waits stays in the journal, and goes once it is stored', async t => {
	const {chains, worker, channelId, context, door, ingestion, post, journalDirectory} = await newDoor(
		t,
		hang,
	);
	chains.set(channelId(1), [analyzerAt(worker.url, 1)]);
	await acceptMany(context, door, incoming([visit(channelId(1))]));
	t.deepEqual(ingestion.chain.oldest, {segment: 1, offset: 0});
	const segments = () => readdirSync(journalDirectory).filter(name => name.endsWith('.journal'));
	await post(visit(channelId(2)));
	t.is(segments().length, 1);
	while (ingestion.waiting.size > 0) await delay(20);
	t.is(ingestion.chain.oldest, undefined);
});

test.serial(
	'what waits when the service stops is analysed after the next start, once, in its place',
	async t => {
		const {chains, worker, channelId, context, door, ingestion, start, kept, facts} = await newDoor(t, hang);
		chains.set(channelId(1), [analyzerAt(worker.url, 1), analyzerAt(worker.url, 2)]);
		const person = {$user_agent_id: 'vec:restarted'};
		const activities = [1, 2, 1, 2].map((channel, index) =>
			visit(channelId(channel), {...person, number: index, $events: [{$event_name: `event ${index}`}]}),
		);
		await acceptMany(context, door, incoming(activities));
		// No time to wait for anybody, as a crash has none.
		await ingestion.close(0);
		worker.answer(adding({analysed: true}));
		const second = await start();
		t.true(second.waiting.size <= 2);
		while (second.waiting.size > 0) await delay(20);
		await second.whenQueryable(second.journal.lastArrival);
		const stored = await kept();
		t.is(stored.length, 4);
		t.deepEqual(stored.map(each => [each.number, each.analysed ?? false]).sort(), [
			[0, true],
			[1, false],
			[2, true],
			[3, false],
		]);
		t.deepEqual(
			(await facts()).map(row => row.event_type),
			['event 0', 'event 1', 'event 2', 'event 3'],
		);
		await second.stop();
		const third = await start();
		t.is(third.waiting.size, 0, 'its outcome is in the journal');
		await third.stop();
		t.is((await kept()).length, 4);
	},
);

test.serial('what comes out of analyzers is kept even where the journal has reached its bound', async t => {
	const {chains, worker, channelId, context, door, ingestion} = await newDoor(t, hang);
	chains.set(channelId(1), [analyzerAt(worker.url, 1)]);
	await acceptMany(context, door, incoming([visit(channelId(1))]));
	const full = new DomainError('journal_full', 'full');
	const {journal} = ingestion;
	const append = journal.append.bind(journal);
	// As a full journal does.
	journal.append = (records, options) =>
		options?.pastBound ? append(records, options) : Promise.reject(full);
	while (ingestion.waiting.size > 0) await delay(20);
	t.pass();
});

test.serial(
	'a thread that is lost costs nothing but another try; an activity that loses every thread fails its analyzers',
	async t => {
		const {chains, worker, channelId, context, start, ingestion, door, kept} = await newDoor(t);
		await ingestion.stop();
		chains.set(channelId(1), [analyzerAt(worker.url, 1)]);
		let lost = 0;
		const second = await start({
			run: async analysis => {
				const {deadly, unlucky} = JSON.parse(analysis.activity);
				if (deadly || (unlucky && lost++ === 0)) throw new Error('Worker terminated');
				return {activity: analysis.activity, rows: 1, steps: []};
			},
		});
		const noted = {arrivals: [], found: []};
		const {lastArrival} = await acceptMany(
			{...context, ...second},
			{...door, noted},
			incoming([visit(channelId(1), {deadly: true}), visit(channelId(1), {unlucky: true})]),
		);
		await second.whenQueryable(lastArrival, noted);
		const stored = await kept();
		t.truthy(stored.find(each => each.deadly)?.$error_analyzer_id);
		t.is(stored.find(each => each.unlucky)?.$error_analyzer_id, undefined);
	},
);
