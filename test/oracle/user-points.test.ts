import test from 'ava';
import {identifiersOf, linkUserPoints} from './user-points.ts';

const agent = (id: string) => ({$type: 'USER_AGENT', $user_agent_id: id});
const account = (id: string, compartment?: unknown) => ({
	$type: 'USER_ACCOUNT',
	$user_account_id: id,
	$compartment_id: compartment,
});
const email = (hash: string) => ({$type: 'USER_EMAIL', $hash: hash});
const by = (...identifiers: object[]) => ({$user_identifiers: identifiers});

test('identifiers are read in the new form and in the older one, nulls passed over', t => {
	t.deepEqual(identifiersOf(by(agent('a'), account('b', 5), email('c'))), [
		'USER_AGENT a',
		'USER_ACCOUNT 5 b',
		'USER_EMAIL c',
	]);
	t.deepEqual(
		identifiersOf({
			$user_identifiers: null,
			$user_agent_id: 'a',
			$user_account_id: 'b',
			$compartment_id: '5',
			$email_hash: {$hash: 'c', $email: null},
		}).sort(),
		['USER_ACCOUNT 5 b', 'USER_AGENT a', 'USER_EMAIL c'],
	);
	t.deepEqual(identifiersOf({$user_agent_id: null, $user_account_id: '', $email_hash: null}), []);
});

test('an account without a compartment is one of the default compartment', t => {
	const {ofActivity} = linkUserPoints([by(account('b')), by(account('b', 1)), by(account('b', '2'))], '1');

	t.deepEqual(ofActivity, [1, 1, 2]);
});

test('identifiers that arrive together are one person, and unknown ones join the known one', t => {
	const {ofActivity} = linkUserPoints([
		by(agent('a')),
		by(agent('a'), email('c')),
		by(email('c')),
		by(agent('x')),
	]);

	t.deepEqual(ofActivity, [1, 1, 1, 2]);
});

test('two persons found to be one merge into the older, the past included', t => {
	const {ofActivity, ofIdentifier} = linkUserPoints([
		by(agent('a')),
		by(account('b')),
		by(email('c')),
		by(email('c'), account('b')),
		by(email('c'), agent('a')),
		by(account('b')),
	]);

	t.deepEqual(ofActivity, [1, 1, 1, 1, 1, 1]);
	t.deepEqual([...new Set(ofIdentifier.values())], [1]);
});

test('an activity without identifiers has no user point and takes no number', t => {
	t.deepEqual(linkUserPoints([{}, by(), by(agent('a'))]).ofActivity, [null, null, 1]);
});
