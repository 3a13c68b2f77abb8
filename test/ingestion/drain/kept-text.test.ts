import test from 'ava';
import fc from 'fast-check';
import {type ReadActivity, replacedInText, writtenAgain} from '../../../src/ingestion/drain/kept-text.ts';
import type {WireActivity} from '../../../src/ingestion/facts/activity.ts';
import {canonical, identifierPlaces} from '../../../src/ingestion/user-points/identifiers.ts';
import type {Placed} from '../../../src/ingestion/user-points/user-points.store.ts';

const SECRET = /secret/;

/** The activity as the drain has it, and its identifiers under numbers from 101 on, the last one refused. */
function read(json: string): {activity: ReadActivity; placed: Placed} {
	const activity = JSON.parse(json) as WireActivity;
	const places = identifierPlaces(activity, 7);
	const texts = places.map(({identifier}) => canonical(identifier));
	const identifiers = new Map(
		texts.slice(0, 2).map((text, place) => [text, {identifierId: 101 + place, userPointId: 1}]),
	);
	return {
		activity: {json, activity, places, defaultCompartmentId: 7},
		placed: {userPointId: 1, identifiers} as unknown as Placed,
	};
}

/** Each reads the text for itself, since one of them changes what was read. */
function bothWays(json: string) {
	const one = read(json);
	const other = read(json);
	return {
		inText: replacedInText(one.activity, one.placed),
		again: writtenAgain(other.activity, other.placed),
	};
}

const plain: [title: string, json: string][] = [
	['an agent at the root', '{"$type":"A","$user_agent_id":"vec:secret","$events":[]}'],
	['an account at the root', '{"$user_account_id":"secret","$compartment_id":"3","$type":"A"}'],
	[
		'one of each in the list',
		'{"$type":"A","$user_identifiers":[{"$type":"USER_AGENT","$user_agent_id":"vec:secret"},{"$type":"USER_ACCOUNT","$user_account_id":"secret-2"}]}',
	],
	['space around the colon', '{"$user_agent_id" :\n "vec:secret", "$type": "A"}'],
	[
		'one that its user point could not take',
		'{"$user_account_id":"secret","$user_agent_id":"vec:secret","$type":"A"}',
	],
	['letters of two bytes and four', '{"$user_account_id":"secret-é😀","$type":"é😀"}'],
	['nobody', '{"$type":"A","$events":[]}'],
];
for (const [title, json] of plain) {
	test(`where the identifiers stand they are replaced: ${title}`, t => {
		const {inText, again} = bothWays(json);
		t.deepEqual(JSON.parse(inText!), JSON.parse(again));
		t.notRegex(inText!, SECRET);
	});
}

test('numbers keep the digits they were sent with, without a second parser', t => {
	const json = '{"$user_agent_id":"vec:secret","$type":"A","big":12345678901234567890,"exact":1.0}';
	t.is(bothWays(json).inText, '{"$user_agent_id":101,"$type":"A","big":12345678901234567890,"exact":1.0}');
});

const doubtful: [title: string, json: string][] = [
	['an e-mail', '{"$type":"A","$email_hash":{"$hash":"secret","$email":"secret@example"}}'],
	['an escape', '{"$type":"A","$user_agent_id":"vec:secret\\u0021"}'],
	[
		'a key that was sent twice',
		'{"$type":"A","$user_agent_id":"vec:secret-1","$user_agent_id":"vec:secret-2"}',
	],
	[
		'a list that was sent twice',
		'{"$type":"A","$user_identifiers":[],"$user_identifiers":[{"$type":"USER_AGENT","$user_agent_id":"vec:secret"}]}',
	],
	[
		'an e-mail in a list that is overridden',
		'{"$type":"A","$user_identifiers":[{"$type":"USER_EMAIL","$hash":"secret"}],"$user_identifiers":[{"$type":"USER_AGENT","$user_agent_id":"vec:secret"}]}',
	],
	[
		'a kind that was sent twice',
		'{"$type":"A","$user_identifiers":[{"$type":"USER_ACCOUNT","$type":"USER_AGENT","$user_agent_id":"vec:secret"}]}',
	],
	[
		'an own property of the same name',
		'{"$type":"A","$user_agent_id":"vec:secret","$properties":{"$user_agent_id":"vec:mine"}}',
	],
	['a value that ends like a key', '{"$type":"A","$user_agent_id":"vec:secret","note":"my $user_agent_id"}'],
	[
		'two accounts',
		'{"$type":"A","$user_identifiers":[{"$type":"USER_ACCOUNT","$user_account_id":"secret"},{"$type":"USER_ACCOUNT","$user_account_id":"secret","$compartment_id":"9"}]}',
	],
	[
		'a key of another kind in the list',
		'{"$type":"A","$user_identifiers":[{"$type":"USER_EMAIL","$user_agent_id":"vec:mine"}]}',
	],
	['a number where a text belongs', '{"$type":"A","$user_agent_id":5}'],
];
for (const [title, json] of doubtful) {
	test(`where something could be mistaken the text is written again: ${title}`, t => {
		t.is(bothWays(json).inText, undefined);
	});
}

const keys = fc.constantFrom(
	'$user_agent_id',
	'$user_account_id',
	'$user_identifiers',
	'$type',
	'$hash',
	'note',
);
const texts = fc.oneof(
	{weight: 6, arbitrary: fc.constantFrom('USER_AGENT', 'USER_ACCOUNT', 'secret', 'é')},
	fc.constantFrom('$user_agent_id', ' "', '\\'),
);
const identifier = fc.record(
	{
		$type: fc.constantFrom('USER_AGENT', 'USER_ACCOUNT', 'USER_EMAIL'),
		$user_agent_id: texts,
		$user_account_id: texts,
		$compartment_id: fc.constantFrom('1', '2'),
	},
	{requiredKeys: ['$type']},
);
const anyActivity = fc.record(
	{
		$type: fc.constant('A'),
		$user_agent_id: fc.oneof(texts, fc.constant(null), fc.integer()),
		$user_account_id: texts,
		$user_identifiers: fc.array(identifier, {maxLength: 2}),
		$properties: fc.dictionary(keys, fc.oneof(texts, fc.dictionary(keys, texts)), {maxKeys: 2}),
	},
	{requiredKeys: ['$type']},
);

test('whatever an activity holds, a text that was replaced in place reads as one that was written again', t => {
	let replaced = 0;
	fc.assert(
		fc.property(anyActivity, fc.constantFrom(undefined, 1, '\t'), (activity, space) => {
			const {inText, again} = bothWays(JSON.stringify(activity, undefined, space));
			if (inText === undefined) return;
			t.deepEqual(JSON.parse(inText), JSON.parse(again));
			replaced++;
		}),
		{numRuns: 5_000},
	);
	t.true(replaced > 200, `${replaced}`);
});
