import test from 'ava';
import {type FactRow, factsOf} from './facts.ts';
import {on, RECEIVED, visit} from './story.ts';
import type {AcceptedActivity, WireActivity} from './wire.ts';

const noon = on(5, '12:00');

function rowsOf(...accepted: AcceptedActivity[]): FactRow[] {
	return factsOf(accepted).rows;
}

function rowWith(properties: WireActivity, more: WireActivity = {}): FactRow {
	return rowsOf(visit('ann', [['$item_view', noon, properties]], more))[0]!;
}

test('every event is a row, and so is an activity without events', t => {
	const rows = rowsOf(
		visit('ann', [
			['a', noon],
			['b', noon],
		]),
		visit('ann', [], {$ts: noon}),
	);

	t.deepEqual(
		rows.map(({arrival, eventIndex, dimensions}) => [arrival, eventIndex, dimensions.EVENT_TYPE]),
		[
			[0, 0, ['a']],
			[0, 1, ['b']],
			[1, 0, []],
		],
	);
});

test('a row happens when its event did, else when its activity did, else when it was received', t => {
	const events = [{$event_name: 'a', $ts: noon + 5}, {$event_name: 'b', $ts: null}, {$event_name: 'c'}];

	t.deepEqual(
		rowsOf(visit('ann', [], {$ts: noon, $events: events})).map(row => row.ts),
		[noon + 5, noon, noon],
	);
	t.deepEqual(
		rowsOf(visit('ann', [], {$ts: null, $events: events})).map(row => row.ts),
		[noon + 5, RECEIVED, RECEIVED],
	);
});

test('a time below 100,000,000,000 is in seconds', t => {
	t.is(rowsOf(visit('ann', [], {$ts: noon / 1000}))[0]?.ts, noon);
	t.is(rowsOf(visit('ann', [], {$ts: 99_999_999_999}))[0]?.ts, 99_999_999_999_000);
	t.is(rowsOf(visit('ann', [], {$ts: 100_000_000_000}))[0]?.ts, 100_000_000_000);
});

test('a snapshot of a running session makes no rows, yet its identifiers are known from it', t => {
	const {rows, userPoints} = factsOf([visit('ann', [['a', noon]], {$session_status: 'SESSION_SNAPSHOT'})]);

	t.deepEqual(rows, []);
	t.is(userPoints.ofIdentifier.get('USER_AGENT ann'), 1);
});

test('money is the amount when that is a number, else price times quantity over the items, else nothing', t => {
	const items = [
		{$price: 10, $qty: 2},
		{$price: 0.5, $quantity: 3},
		{$price: 1},
		{$price: 2, $qty: null},
		{$qty: 4},
	];

	t.is(rowWith({$amount: 12.34, $items: items}).money, 123_400);
	t.is(rowWith({$amount: '12.34', $items: items}).money, 245_000);
	t.is(rowWith({$amount: 0, $items: items}).money, 0);
	t.is(rowWith({$items: [{$price: '10'}]}).money, 0);
	t.is(rowWith({}).money, 0);
});

test('money is rounded half up to 1/10,000, once a row, by its decimal digits', t => {
	t.is(rowWith({$amount: 19.99995}).money, 200_000);
	t.is(rowWith({$amount: 19.99994999}).money, 199_999);
	t.is(rowWith({$amount: 0.00005}).money, 1);
	t.is(rowWith({$amount: -0.00005}).money, 0);
	t.is(rowWith({$amount: -0.00006}).money, -1);
	t.is(rowWith({$amount: 1e-7}).money, 0);
	t.is(rowWith({$amount: 2e5}).money, 2_000_000_000);
	// Each alone would round to nothing.
	t.is(rowWith({$items: [{$price: 0.00003}, {$price: 0.00002}]}).money, 1);
	t.is(rowWith({$items: [{$price: 1.00015, $qty: 3}]}).money, 30_005);
});

test('units are the sum of quantities, one where none is told', t => {
	t.is(rowWith({$items: [{$qty: 2}, {$quantity: 3}, {}, {$qty: null}, {$qty: 0}]}).units, 70_000);
	t.is(rowWith({$items: [{$qty: 0.1}, {$qty: 0.2}]}).units, 3000);
	t.is(rowWith({$amount: 5}).units, 0);
});

test('item dimensions have every non-empty value, items first, in order', t => {
	const {dimensions} = rowWith({
		$items: [
			{$brand: '', $id: 'i1'},
			{$brand: 'b', $product_id: 'p2', $id: 'i2'},
			{$brand: null, $category4: 7},
		],
		$brand: 'a',
		$product_id: 'p0',
		$id: 'not a product',
	});

	t.deepEqual(dimensions.BRAND, ['b', 'a']);
	t.deepEqual(dimensions.PRODUCT_ID, ['i1', 'p2', 'p0']);
	t.deepEqual(dimensions.CATEGORY4, ['7']);
	t.deepEqual(dimensions.CATEGORY1, []);
});

test('the channel is the site or the application, whatever the type', t => {
	t.deepEqual(rowWith({}, {$type: 'EMAIL', $site_id: '8'}).dimensions.CHANNEL_ID, ['8']);
	t.deepEqual(rowWith({}, {$site_id: null, $app_id: '9'}).dimensions.CHANNEL_ID, ['9']);
	t.deepEqual(rowWith({}, {$site_id: ''}).dimensions.CHANNEL_ID, []);
});

test('campaigns come from the origin, and the campaign of the activity or event comes before it', t => {
	const $origin = {$campaign_id: 5, $sub_campaign_id: '6', $creative_id: 7, $source: 's', $channel: 'c'};

	const {dimensions} = rowWith({}, {$origin});
	t.deepEqual(
		[
			'ORIGIN_CAMPAIGN_ID',
			'ORIGIN_SUB_CAMPAIGN_ID',
			'ORIGIN_CREATIVE_ID',
			'ORIGIN_SOURCE',
			'ORIGIN_CHANNEL',
		].map(name => dimensions[name]),
		[['5'], ['6'], ['7'], ['s'], ['c']],
	);
	t.deepEqual(dimensions.CAMPAIGN_ID, ['5']);
	t.deepEqual(rowWith({$campaign_id: 8}, {$origin}).dimensions.CAMPAIGN_ID, ['8']);
	t.deepEqual(rowWith({}, {$origin, $campaign_id: 9}).dimensions.CAMPAIGN_ID, ['9']);
});

test('only a conversion has a goal', t => {
	const goals = rowsOf(
		visit('ann', [
			['$conversion', noon, {$goal_id: 3}],
			['$item_view', noon, {$goal_id: 4}],
		]),
	).map(row => row.dimensions.GOAL_ID);

	t.deepEqual(goals, [['3'], []]);
});

test('conversion and click are facts of the whole activity', t => {
	const facts = (...names: string[]) =>
		rowsOf(
			visit(
				'ann',
				names.map(name => [name, noon] as const),
			),
		).map(({dimensions}) => [dimensions.HAS_CONVERSION, dimensions.HAS_CLICKED].flat().join(''));

	t.deepEqual(facts('a', '$conversion'), ['10', '10']);
	t.deepEqual(facts('$email_click', 'a'), ['01', '01']);
	t.deepEqual(facts('$ad_click'), ['01']);
	t.deepEqual(facts('$email_view'), ['00']);
	t.deepEqual(rowsOf(visit('ann', []))[0]?.dimensions.HAS_CLICKED, ['0']);
});

test('a bounce is a visit of one view and nothing else', t => {
	const bounced = (names: string[], type = 'SITE_VISIT') =>
		rowsOf(
			visit(
				'ann',
				names.map(name => [name, noon] as const),
				{$type: type},
			),
		)[0]?.dimensions.HAS_BOUNCED;

	t.deepEqual(bounced(['$page_view']), ['1']);
	t.deepEqual(bounced(['$app_open'], 'APP_VISIT'), ['1']);
	t.deepEqual(bounced(['$page_view', '$page_view']), ['0']);
	t.deepEqual(bounced(['$basket_view']), ['0']);
	t.deepEqual(bounced(['$page_view'], 'EMAIL'), ['0']);
	t.deepEqual(bounced([]), ['0']);
});

test('the device an activity brings is not mixed with one that is parsed', t => {
	const parseUserAgent = (text: string) =>
		text.startsWith('Mozilla') ? {browser_family: text, brand: 'parsed'} : undefined;
	const device = (more: WireActivity, requestUserAgent?: string) => {
		const accepted = {...visit('ann', [], more), ...(requestUserAgent !== undefined && {requestUserAgent})};
		const {dimensions} = factsOf([accepted], {parseUserAgent}).rows[0]!;
		return [dimensions.DEVICE_BROWSER_FAMILY, dimensions.DEVICE_BRAND].flat();
	};

	t.deepEqual(device({$user_agent_info: {browser_family: 'CHROME'}, $user_agent: 'Mozilla A'}), ['CHROME']);
	t.deepEqual(device({$user_agent: 'Mozilla A'}, 'Mozilla B'), ['Mozilla A', 'parsed']);
	t.deepEqual(device({$user_agent_info: null}, 'Mozilla B'), ['Mozilla B', 'parsed']);
	t.deepEqual(device({}, 'curl/8'), []);
	t.deepEqual(device({}), []);
});
