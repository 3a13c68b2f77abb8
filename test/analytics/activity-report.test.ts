import test from 'ava';
import {METRICS} from '../../src/query/metrics.ts';
import {NOON, only, reportWorld, row} from '../support/activity-report.ts';
import {insertFacts} from '../support/facts.ts';

const world = reportWorld(test);
const DAY = 86_400_000;

test('the whole story: two visitors, an anonymous one and an e-mail', async t => {
	const ask = await world.over([
		row('$page_view', {arrival: 1, sessionDuration: 60}),
		row('$transaction_confirmed', {arrival: 1, sessionDuration: 60, after: 1, money: 100_000}),
		row('$transaction_confirmed', {arrival: 1, sessionDuration: 60, after: 2, money: 50_000}),
		row('$item_view', {arrival: 4, sessionDuration: 30, after: DAY, TYPE: 'APP_VISIT'}),
		row('$ad_view', {user: 2, arrival: 5, TYPE: 'DISPLAY_AD', sessionDuration: 999, money: 70_000}),
		row('$item_view', {user: 0, arrival: 6}),
		row('$transaction_confirmed', {user: 2, arrival: 7, TYPE: 'EMAIL', money: 10_000}),
	]);
	const answers = Object.fromEntries(
		await Promise.all(METRICS.map(async ({name}) => [name, (await ask([], [name]))[0]?.[0]])),
	);

	t.deepEqual(answers, {
		users: 2,
		sessions: 3,
		avg_session_duration: 45,
		avg_number_of_user_events: 2,
		conversion_rate: 100 / 3,
		number_of_transactions: 3,
		number_of_confirmed_transactions: 3,
		avg_number_of_transactions_per_user_point: 1.5,
		avg_transaction_amount: 16 / 3,
		avg_revenue_per_user_point: 8,
		revenue: 16,
		number_of_user_events: 6,
		number_of_ad_views: 1,
		number_of_ad_clicks: 0,
	});
});

test('without a dimension there is one row of totals, over nothing one of zeros', async t => {
	const ask = await world.over([row('$item_view')]);
	const none = {date_ranges: [{start_date: '2026-04-01T00:00:00', end_date: '2026-04-02T00:00:00'}]};

	t.deepEqual(await ask([], ['users', 'sessions']), [[1, 1]]);
	t.deepEqual(await ask([], ['users', 'conversion_rate', 'avg_session_duration'], none), [[0, 0, 0]]);
	t.deepEqual(await ask(['TYPE'], ['users'], none), []);
	t.deepEqual(await ask([], []), []);
});

test('a session is counted once, and its duration is known from whichever of its rows is met', async t => {
	const visit = {arrival: 9, sessionDuration: 90};
	const ask = await world.over([
		row('$page_view', {...visit, CHANNEL_ID: '1'}),
		row('$item_view', {...visit, after: 1, CHANNEL_ID: '1', BRAND: ['a', 'b']}),
		row('$item_view', {...visit, after: 2, CHANNEL_ID: '1', BRAND: 'a'}),
		row('$item_view', {arrival: 10, sessionDuration: 30, user: 2, CHANNEL_ID: '1'}),
		row('$item_view', {arrival: 11, user: 3, CHANNEL_ID: '1'}),
	]);

	t.deepEqual(await ask(['channel_id'], ['sessions', 'avg_session_duration']), [[1, 3, 60]]);
	t.deepEqual(await ask([], ['avg_session_duration'], only('EVENT_TYPE', 'EXACT', ['$item_view'])), [[60]]);
	t.deepEqual(await ask(['brand'], ['sessions', 'avg_session_duration']), [
		[null, 3, 60],
		['a', 1, 90],
		['b', 1, 90],
	]);
});

test('a row of several values counts once for each distinct one, so their sum may pass the total', async t => {
	const ask = await world.over([
		row('$transaction_confirmed', {BRAND: ['acme', 'zeta', 'acme'], CATEGORY1: ['x', 'y'], money: 10_000}),
		row('$transaction_confirmed', {user: 2, after: 1, BRAND: 'acme', CATEGORY1: 'x', money: 20_000}),
	]);

	t.deepEqual(await ask(['brand'], ['revenue']), [
		['acme', 3],
		['zeta', 1],
	]);
	t.deepEqual(await ask([], ['revenue']), [[3]]);
	t.deepEqual(await ask(['brand', 'category1'], ['revenue']), [
		['acme', 'x', 3],
		['acme', 'y', 1],
		['zeta', 'x', 1],
		['zeta', 'y', 1],
	]);
});

test('autocomplete: values by frequency, then by value; none and empty are left out', async t => {
	const ask = await world.over([
		row('b'),
		row('b', {after: 1}),
		row('a', {after: 2}),
		row('c', {after: 3}),
		row('', {after: 4}),
	]);

	t.deepEqual(await ask(['EVENT_TYPE']), [['b'], ['a'], ['c']]);
	t.deepEqual(await ask(['EVENT_TYPE'], [], only('EVENT_TYPE', 'LIKE', [''])), [['b'], ['a'], ['c']]);
	t.deepEqual(await ask(['EVENT_TYPE'], [], {max_result: 2}), [['b'], ['a']]);
});

test('frequency counts rows, whatever the values are put in order by', async t => {
	const ask = await world.over([
		row('a', {arrival: 1}),
		row('b', {arrival: 2, after: 1}),
		row('b', {arrival: 2, after: 2}),
	]);

	const order_by = {field_name: 'avg_session_duration'};
	t.deepEqual(await ask(['EVENT_TYPE'], [], {order_by}), [['b'], ['a']]);
});

test('autocomplete of items lists the values that were typed, not their neighbours in the basket', async t => {
	const ask = await world.over([
		row('$item_view', {BRAND: ['Acme', 'zeta']}),
		row('$item_view', {after: 1, BRAND: ['zeta', 'Face']}),
		row('$item_view', {after: 2, BRAND: ['zeta']}),
	]);
	const typed = (expression: string) => only('BRAND', 'LIKE', [expression], {case_sensitive: false});

	t.deepEqual(await ask(['BRAND'], [], typed('AC')), [['Acme'], ['Face']]);
	t.deepEqual(await ask(['BRAND'], [], typed('')), [['zeta'], ['Acme'], ['Face']]);
	t.deepEqual(await ask(['BRAND'], [], typed('_')), []);
});

test('two dimensions are the values of one where the other is set', async t => {
	const ask = await world.over([
		row('view', {TYPE: 'SITE_VISIT'}),
		row('view', {after: 1, TYPE: 'SITE_VISIT'}),
		row('sent', {after: 2, TYPE: 'EMAIL'}),
		row('', {after: 3, TYPE: 'EMAIL'}),
	]);

	t.deepEqual(await ask(['TYPE', 'EVENT_TYPE']), [
		['SITE_VISIT', 'view'],
		['EMAIL', 'sent'],
	]);
	t.deepEqual(await ask(['TYPE', 'EVENT_TYPE'], [], only('TYPE', 'EXACT', ['EMAIL'])), [['EMAIL', 'sent']]);
});

test('a page holds a hundred rows, and says how many it holds', async t => {
	const ask = await world.over(
		Array.from({length: 130}, (_, at) => row(`event ${String(at).padStart(3, '0')}`, {after: at})),
	);

	const rows = await ask(['EVENT_TYPE']);
	t.is(rows.length, 100);
	t.deepEqual(rows[99], ['event 099']);
	t.is((await ask(['EVENT_TYPE'], ['users'], {max_result: 1000})).length, 100);
	t.deepEqual((await ask(['EVENT_TYPE'], [], {first_result: 129}))[0], ['event 129']);
});

test('days, hours and minutes are those of local clocks, where they jump too', async t => {
	// São Paulo, 2018-11-04: midnight never came, 23:59:59 was followed by 01:00.
	const gap = Date.UTC(2018, 10, 4, 3);
	const at = (ts: number) => ({...row('$item_view', {user: ts}), ts});
	const ask = await world.over([at(gap - 1), at(gap), at(gap + 3_600_000)], {timeZone: 'America/Sao_Paulo'});
	const whole = {date_ranges: [{start_date: '2018-11-01', end_date: '2018-11-30'}]};
	const values = async (name: string) => (await ask([name], ['users'], whole)).map(([value]) => value);

	t.deepEqual(await ask(['date_yyyy_mm_dd'], ['users'], whole), [
		['2018-11-03', 1],
		['2018-11-04', 2],
	]);
	t.deepEqual(await values('date_yyyymmdd'), ['20181103', '20181104']);
	t.deepEqual(await values('date_yyyymmddhh'), ['2018110323', '2018110401', '2018110402']);
	t.deepEqual(await values('date_yyyy_mm_dd_hh_mm'), [
		'2018-11-03 23:59',
		'2018-11-04 01:00',
		'2018-11-04 02:00',
	]);
	t.deepEqual(await values('date_time'), [gap - 1, gap, gap + 3_600_000]);
	const day = only('DATE_YYYY_MM_DD', 'EXACT', ['2018-11-04']);
	t.deepEqual(await ask([], ['users'], {...whole, ...day}), [[2]]);
	const since = {date_ranges: [{start_date: '2018-11-04T00:00:00', end_date: '2018-11-04T23:59:59'}]};
	t.deepEqual(await ask([], ['users'], since), [[2]]);
});

test('both ends of a range are inside, several ranges are a union, and rows in two of them count once', async t => {
	const ask = await world.over([
		row('a'),
		row('a', {after: 999}),
		row('a', {after: 1000}),
		row('b', {after: DAY}),
	]);
	const over = async (...ranges: [string, string][]) =>
		(
			await ask([], ['number_of_user_events'], {
				date_ranges: ranges.map(([start_date, end_date]) => ({start_date, end_date})),
			})
		)[0]?.[0];

	t.is(await over(['2026-03-10T12:00:00', '2026-03-10T12:00:00']), 2);
	t.is(await over(['2026-03-10T12:00:01', '2026-03-10T13:00:00']), 1);
	t.is(await over(['2026-03-11', '2026-03-11'], ['2026-03-10T11:00:00', '2026-03-10T12:00:00']), 3);
	t.is(await over(['2026-03-10', '2026-03-11'], ['2026-03-10', '2026-03-10']), 4);
	t.is(await over(), 4, 'no range asks of all time');
	t.is(await over(['0001-01-01', '9999-12-31']), 4);
});

test('relative dates count from now, in local days', async t => {
	const ask = await world.over([row('a'), row('b', {after: -3 * DAY})], {now: NOON + 7 * DAY});
	const since = async (start_date: string, end_date = 'now') =>
		(await ask(['EVENT_TYPE'], [], {date_ranges: [{start_date, end_date}]})).flat();

	t.deepEqual(await since('now-7d'), ['a']);
	t.deepEqual(await since('now-167h'), []);
	t.deepEqual(await since('now-10d/d'), ['a', 'b']);
	t.deepEqual(await since('now-20d', 'now-8d/d'), ['b']);
});

test('numbers and absence can be filtered by', async t => {
	const ask = await world.over([
		row('$transaction_confirmed', {user: 1, arrival: 1, money: 1_780_000_000, sessionDuration: 10}),
		row('$transaction_confirmed', {user: 2, arrival: 2, money: 5_000, sessionDuration: 200, CHANNEL_ID: '7'}),
		row('$item_view', {user: 3, arrival: 3, BRAND: ['a'], CHANNEL_ID: 'seven'}),
		row('$item_view', {user: 3, arrival: 3, after: 1}),
	]);
	const users = async (...filter: Parameters<typeof only>) =>
		(await ask([], ['users'], only(...filter)))[0]?.[0];

	t.is(await users('SESSION_DURATION', 'NUMERIC_GREATER_THAN', [10]), 1);
	t.is(await users('SESSION_DURATION', 'NUMERIC_LESS_THAN', ['200.5']), 2);
	t.is(await users('SESSION_DURATION', 'EXACT', ['10.0']), 1);
	t.is(await users('SESSION_DURATION', 'IS_NULL'), 1);
	t.is(await users('SESSION_DURATION', 'EXACT', [10], {not: true}), 1);
	t.is(await users('TRANSACTION_AMOUNT', 'NUMERIC_EQUAL', ['0.5']), 1);
	t.is(await users('TRANSACTION_AMOUNT', 'IN_LIST', [178000, 'much']), 1);
	t.is(await users('CHANNEL_ID', 'NUMERIC_GREATER_THAN', [6]), 1);
	t.is(await users('CHANNEL_ID', 'NUMERIC_GREATER_THAN', [6], {not: true}), 1);
	t.is(await users('CHANNEL_ID', 'IS_NULL'), 2);
	t.is(await users('BRAND', 'IS_NULL', undefined, {not: true}), 1);
	const slip = {
		operator: 'AND',
		filters: [{dimensions_name: 'brand', operator: 'EXACT', expressions: ['a']}],
	};
	t.deepEqual(await ask([], ['users'], {dimension_filter_clauses: slip}), [[1]]);
	t.is(await users('NUMBER_OF_USER_EVENTS', 'NUMERIC_EQUAL', [2]), 1);
	t.deepEqual(await ask(['transaction_amount'], ['users']), [
		[0.5, 1],
		[178_000, 1],
		[null, 1],
	]);
	t.deepEqual(await ask(['number_of_user_events'], []), [[1], [2]]);
});

test('metric filters keep whole rows, and rows come in the order asked for', async t => {
	const ask = await world.over([
		...Array.from({length: 3}, (_, at) => row('$item_view', {user: at + 1, after: at, CHANNEL_ID: '10'})),
		...Array.from({length: 2}, (_, at) => row('$item_view', {user: 1, after: 10 + at, CHANNEL_ID: '9'})),
		row('$item_view', {user: 9, after: 20}),
	]);
	const kept = (operator: string, value: string, more: object = {}) => ({
		metric_filter_clauses: {
			operator: 'AND',
			filters: [{metric_name: 'USERS', operator, comparison_value: value, ...more}],
		},
	});

	t.deepEqual(await ask(['channel_id'], ['users']), [
		[10, 3],
		[9, 1],
		[null, 1],
	]);
	t.deepEqual(await ask(['channel_id'], ['sessions'], kept('GREATER_THAN', '1')), [[10, 3]]);
	t.deepEqual(await ask(['channel_id'], [], kept('EQUAL', '3', {not: true})), [[9]]);
	const ordered = async (order_by: object) =>
		(await ask(['channel_id'], ['users'], {order_by})).map(([id]) => id);
	t.deepEqual(await ordered({field_name: 'channel_id', sort_order: 'ASCENDING'}), [9, 10, null]);
	t.deepEqual(await ordered({field_name: '-CHANNEL_ID'}), [10, 9, null]);
	t.deepEqual(await ordered({field_name: 'sessions', sort_order: 'ASCENDING'}), [null, 9, 10]);
});

test('channels have names; those that are none keep their id', async t => {
	const ask = await world.over([row('a', {CHANNEL_ID: '1'}), row('a', {after: 1, CHANNEL_ID: '99'})], {
		channels: [
			{id: 1, name: "Bob's “Shop”"},
			{id: 2, name: 'Other'},
		],
	});

	t.deepEqual(await ask(['channel_name', 'channel_id'], ['sessions']), [
		["Bob's “Shop”", 1, 1],
		[null, 99, 1],
	]);
	t.deepEqual(await ask(['CHANNEL_NAME'], []), [["Bob's “Shop”"]]);
	t.deepEqual(await ask(['channel_id'], [], only('channel_name', 'LIKE', ["bob's"])), [[1]]);
});

test('merged user points are one user, in segments too', async t => {
	const {warehouse} = world.store;
	const ask = await world.over([
		row('a', {user: 901}),
		row('a', {user: 902, after: 1}),
		row('a', {user: 903, after: 2}),
	]);
	t.deepEqual(await ask([], ['users']), [[3]]);

	await warehouse.command('INSERT INTO user_point_merges_v1 VALUES (902, 901, 1)');
	await warehouse.command('SYSTEM RELOAD DICTIONARY user_point_merges');
	const id = ask.datamartId;
	await warehouse.command(
		`INSERT INTO user_segments_v1 VALUES (${id}, '5', 902, 18446744073709551615), (${id}, 'left', 903, 0)`,
	);

	t.deepEqual(await ask([], ['users', 'sessions']), [[2, 3]]);
	t.deepEqual(await ask(['segment_id'], ['users', 'sessions']), [
		[5, 1, 2],
		[null, 1, 1],
	]);
	t.deepEqual(await ask(['segment_id']), [[5]]);
	t.deepEqual(await ask([], ['sessions'], only('segment_id', 'EXACT', [5])), [[2]]);
	t.deepEqual(await ask([], ['sessions'], only('segment_id', 'EXACT', [5], {not: true})), [[1]]);
	t.deepEqual(await ask([], ['sessions'], only('segment_id', 'IS_NULL')), [[1]]);
});

test('quotes, backslashes, NUL, emoji and placeholders stay values, in filters and in answers', async t => {
	const hostile = [
		"' OR 1=1 --",
		'\\',
		"\\' OR ''='",
		'a\0b',
		'👩‍💻',
		'{p0:String}',
		'/*{condition}*/',
		'%',
		'.*',
		`${'long '.repeat(2000)}`,
		'new\nline\ttab',
	];
	const ask = await world.over(
		hostile.map((value, at) => row(value, {user: at + 1, after: at, BRAND: [value]})),
	);

	for (const [at, value] of hostile.entries()) {
		for (const operator of ['EXACT', 'LIKE', 'IN_LIST']) {
			for (const dimension of ['EVENT_TYPE', 'BRAND']) {
				const answer = await ask([dimension], [], only(dimension, operator, [value], {case_sensitive: true}));
				t.deepEqual(
					answer.filter(([found]) => found === value),
					[[value]],
					`${operator} ${at}`,
				);
				if (operator !== 'LIKE') t.is(answer.length, 1);
			}
		}
	}
	const foreign = await world.over([row('a', {user: 77})]);
	await insertFacts(world.store.warehouse, foreign.datamartId, [row('b', {user: 78})]);
	t.deepEqual(await foreign([], ['users'], only('EVENT_TYPE', 'EXACT', ["a') OR 1=1 OR ('"], {not: true})), [
		[2],
	]);
	t.deepEqual((await foreign(['EVENT_TYPE'], [])).flat(), ['a', 'b']);
});
