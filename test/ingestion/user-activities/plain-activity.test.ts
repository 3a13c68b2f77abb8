import test from 'ava';
import fc from 'fast-check';
import {singleActivity, visit} from '../../../benchmarks/ingestion/activities.ts';
import {isPlainActivity} from '../../../src/ingestion/user-activities/plain-activity.ts';
import {tellsNobody, UserActivity} from '../../../src/ingestion/user-activities/user-activities.schema.ts';

const now = Date.now();

/** What senders put anywhere, good and bad, with what lies on the borders. */
const anything = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.constantFrom(null, '', 'x', '0', 'null', 'UNDEFINED', 'vec:000', 'vec:a0', 'v:null', '0l'),
	},
	{
		weight: 2,
		arbitrary: fc.constantFrom(0, -1, 1.5, 1e14, -1e14, 1.1e14, 1e15, 5e10, now, now / 1000, 1e308),
	},
	fc.constantFrom(true, [], {}, {constructor: 1}, {$hash: 'h'}, [null], ['a'], [{}], 'y'.repeat(2049)),
	fc.constantFrom(now + 86_300_000, now + 86_500_000, 946_684_800_000, 946_684_799_999, -now),
	fc.jsonValue({maxDepth: 2}),
);
const keyed = (keys: Record<string, fc.Arbitrary<unknown>>) =>
	fc.record(keys, {requiredKeys: []}) as fc.Arbitrary<Record<string, unknown>>;
const mostly = (good: fc.Arbitrary<unknown>) =>
	fc.oneof({weight: 40, arbitrary: good}, {weight: 1, arbitrary: anything});

const identifierText = fc.oneof(
	fc.constantFrom('vec:abc', 'customer-17', 'a@b.c', 'undefinedd', 'nul', 'Null', ' 0', 'vec:-_.0', 'é', 'ſ'),
	fc.string({maxLength: 6}),
);
const ts = fc.constantFrom(now, now / 1000, null, 1_600_000_000_000);
const optionalText = fc.constantFrom('a', '', null);
const identifier = keyed({
	$type: mostly(fc.constantFrom('USER_AGENT', 'USER_ACCOUNT', 'USER_EMAIL')),
	$user_agent_id: mostly(identifierText),
	$user_account_id: mostly(identifierText),
	$compartment_id: mostly(fc.constantFrom('1', 1, null)),
	$hash: mostly(identifierText),
	$email: mostly(optionalText),
	constructor: fc.constantFrom('odd'),
});
const event = keyed({
	$event_name: mostly(fc.constantFrom('$page_view', 'buy')),
	$ts: mostly(ts),
	$properties: mostly(keyed({$amount: mostly(fc.constantFrom(12.5, null, '12')), $items: anything})),
});
const activity = keyed({
	$type: mostly(fc.constant('SITE_VISIT')),
	$ts: mostly(ts),
	$session_status: mostly(optionalText),
	$session_duration: mostly(fc.constantFrom(12, null)),
	$site_id: mostly(optionalText),
	$app_id: mostly(optionalText),
	$user_agent: mostly(optionalText),
	$user_agent_info: mostly(fc.constantFrom({brand: 'x'}, null)),
	$origin: mostly(fc.constantFrom({$source: 's'}, null)),
	$campaign_id: mostly(fc.constantFrom('c', 3, null)),
	$unique_key: mostly(optionalText),
	$user_identifiers: mostly(fc.array(mostly(identifier), {maxLength: 2})),
	$user_agent_id: mostly(identifierText),
	$user_account_id: mostly(identifierText),
	$compartment_id: mostly(fc.constantFrom('1', 1, null)),
	$email_hash: mostly(keyed({$hash: mostly(identifierText), $email: mostly(optionalText)})),
	$events: mostly(fc.array(mostly(event), {maxLength: 2})),
	other: anything,
});

test('whatever passes for plain, the schema accepts', t => {
	let plain = 0;
	let accepted = 0;
	fc.assert(
		fc.property(fc.oneof({weight: 30, arbitrary: activity}, anything), value => {
			// As it comes off the wire.
			const read = JSON.parse(JSON.stringify(value));
			const isAccepted = UserActivity.safeParse(read).success;
			if (isAccepted) accepted += 1;
			if (!isPlainActivity(read)) return true;
			plain += 1;
			return isAccepted;
		}),
		{numRuns: 20_000, seed: 11},
	);
	t.true(plain > 1_000, `${plain} were plain`);
	t.true(plain > accepted * 0.6, `${plain} of ${accepted} accepted ones were plain`);
});

test('one bad value anywhere in a plain activity leaves it to the schema, which names the value', t => {
	const good = {
		$type: 'SITE_VISIT',
		$user_identifiers: [{$type: 'USER_EMAIL', $hash: 'h1'}],
		$email_hash: {$hash: 'h2'},
		$events: [{$event_name: 'buy', $properties: {$amount: 1}}],
	};
	t.true(isPlainActivity(good));
	const bad: readonly object[] = [
		{$type: ''},
		{$ts: 1e16},
		{$session_duration: 'long'},
		{$site_id: 1},
		{$origin: []},
		{$campaign_id: true},
		{$unique_key: {}},
		{$user_agent_id: 'vec:0000'},
		{$user_account_id: 'NULL'},
		{$user_identifiers: [{$type: 'USER_PHONE', $hash: 'h'}]},
		{$user_identifiers: [{$type: 'USER_AGENT'}]},
		{$email_hash: {$hash: null}},
		{$events: [{$event_name: ''}]},
		{$events: [{$event_name: 'buy', $ts: 5}]},
		{$events: [{$event_name: 'buy', $properties: {$amount: 2e14}}]},
		{$events: Array.from({length: 10_001}, () => ({$event_name: 'x'}))},
	];
	for (const fault of bad) {
		const value = {...good, ...fault};
		t.false(isPlainActivity(value), JSON.stringify(fault).slice(0, 80));
		t.false(UserActivity.safeParse(value).success, JSON.stringify(fault).slice(0, 80));
	}
});

test('zeros, nulls and nothing tell nobody apart; the first number of a counter and texts with colons do', t => {
	const zeroed = '00000000-0000-0000-0000-000000000000';
	const nobody = [
		...['', ' ', '0', '0000', zeroed, 'null', 'NULL', 'undefined', '--'],
		...['vec:', 'vec:00', `vec:${zeroed}`, 'vec:null', 'net:9:', 'net:9:undefined'],
		...['mob:ios:raw:0', `mob:ios:raw:${zeroed}`, 'mob:and:raw:', 'mov:ios:12:null'],
	];
	const somebody = ['vec:0', 'vec:10', 'net:9:0', 'net:9:12345', 'shop:0', 'a:null', 'nullable', '10', 'x:'];
	for (const text of nobody) t.true(tellsNobody(text), text);
	for (const text of somebody) t.false(tellsNobody(text), text);
	for (const text of [...nobody, ...somebody]) {
		const value = {$type: 'SITE_VISIT', $user_identifiers: [{$type: 'USER_AGENT', $user_agent_id: text}]};
		t.is(UserActivity.safeParse(value).success, somebody.includes(text), text);
		t.is(isPlainActivity(value), somebody.includes(text), text);
	}
});

test('what a tracker sends is plain', t => {
	for (let number = 0; number < 200; number++) {
		t.true(isPlainActivity(JSON.parse(singleActivity(number, now))));
		t.true(isPlainActivity(JSON.parse(visit('x', number, now, 32))));
	}
});
