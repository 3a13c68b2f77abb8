import test from 'ava';
import {shopActivities} from '../../../src/cli/demo/shop.ts';
import {UserActivity} from '../../../src/ingestion/user-activities/user-activities.schema.ts';

const OPTIONS = {seed: 1, shoppers: 400, runId: 'r', nowMs: Date.now(), days: 14, siteId: '1', appId: '2'};

test('the same seed makes the same shop, another seed another one', t => {
	const [first, second, other] = [1, 1, 2].map(seed =>
		JSON.stringify([...shopActivities({...OPTIONS, seed})]),
	);
	t.is(first, second);
	t.not(first, other);
});

test('every made-up activity is one the service takes, of the last two weeks', t => {
	const activities = [...shopActivities(OPTIONS)];
	t.true(activities.length > 500);
	for (const activity of activities) {
		t.true(UserActivity.safeParse(activity).success);
		const ts = activity.$ts as number;
		t.true(ts >= OPTIONS.nowMs - 14 * 86_400_000 && ts <= OPTIONS.nowMs);
	}
});

test('the shop has a funnel: fewer at each step, and somebody at the end', t => {
	const names = [...shopActivities(OPTIONS)].flatMap(({$events}) =>
		($events as {$event_name: string}[]).map(event => event.$event_name),
	);
	const count = (name: string) => names.filter(each => each === name).length;
	t.true(count('$item_list_view') > count('$basket_view'));
	t.true(count('$basket_view') > count('$transaction_confirmed'));
	t.true(count('$transaction_confirmed') > 0);
});
