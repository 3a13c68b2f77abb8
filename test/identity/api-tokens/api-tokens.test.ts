import test from 'ava';
import {DomainError} from '../../../src/errors.ts';
import {fakeApiTokenStore} from '../../../src/identity/api-tokens/api-tokens.store.fake.ts';
import {ApiTokens} from '../../../src/identity/api-tokens/api-tokens.ts';
import {newApiToken} from '../../../src/identity/api-tokens/token-format.ts';
import type {Role} from '../../../src/identity/principal.ts';

const NOON = Date.UTC(2026, 0, 31, 12);
const ASK = {name: 'ci', expirationDate: undefined, lifetimeMonths: undefined};

/** Tokens of Ann (7), with a clock, a database that can be sent away, and a count of what it was asked. */
function world(t: {teardown(work: () => Promise<void>): void}) {
	const store = fakeApiTokenStore();
	const clock = {now: NOON};
	const ann = {role: 'READER' as Role, gone: false};
	const questions = {count: 0};
	const tokens = new ApiTokens({
		now: () => clock.now,
		tokens: {
			...store,
			findByDigest: digest => {
				questions.count++;
				return store.findByDigest(digest);
			},
		},
		roles: {
			async grantsOf() {
				if (store.down) throw new DomainError('store_unavailable', 'away');
				const roles = [{organisationId: 2, communityId: 1, role: ann.role}];
				return ann.gone ? undefined : {communityId: 1, roles};
			},
		},
	});
	t.teardown(() => tokens.close());
	const refusal = async (value: string) => {
		const error = await outcome(tokens.verify(value));
		return error instanceof DomainError ? error.code : error;
	};
	return {tokens, store, clock, ann, questions, refusal};
}

const outcome = (work: Promise<unknown>) =>
	work.then(
		() => 'accepted',
		(error: unknown) => error,
	);

test('a new token says who its holder is, and a known one costs no question', async t => {
	const {tokens, questions} = world(t);
	const {value, id} = await tokens.create(7, ASK);
	const principal = {kind: 'user', userId: 7, credential: 'api_token', credentialId: String(id)} as const;
	await Promise.all(Array.from({length: 20}, async () => t.like(await tokens.verify(value), principal)));
	for (const sent of [value, value.slice(4), `api:${value}`]) t.like(await tokens.verify(sent), principal);
	t.is(questions.count, 1);
});

test('a typing error is refused without a look-up, a token nobody was given after one', async t => {
	const {refusal, questions, tokens} = world(t);
	const {value} = await tokens.create(7, ASK);
	const last = value.endsWith('a') ? 'b' : 'a';
	t.is(await refusal(value.slice(0, -1) + last), 'token_unknown');
	t.is(questions.count, 0);
	t.is(await refusal(newApiToken()), 'token_unknown');
	t.is(questions.count, 1);
});

test('it lives twelve calendar months, or as long as was asked, up to twenty-four', async t => {
	const {tokens, clock, refusal} = world(t);
	t.is((await tokens.create(7, ASK)).expirationTs, Date.UTC(2027, 0, 31, 12));
	const month = await tokens.create(7, {...ASK, lifetimeMonths: 1});
	t.is(month.expirationTs, Date.UTC(2026, 1, 28, 12), 'a shorter month ends with its last day');
	t.is((await tokens.create(7, {...ASK, lifetimeMonths: 24})).expirationTs, Date.UTC(2028, 0, 31, 12));
	const latest = Date.UTC(2028, 0, 31, 12);
	t.is((await tokens.create(7, {...ASK, expirationDate: latest})).expirationTs, latest);
	for (const expirationDate of [latest + 1, NOON, NOON - 1]) {
		const error = await outcome(tokens.create(7, {...ASK, expirationDate}));
		t.is((error as DomainError).faults[0]?.pointer, '/expiration_date');
	}

	t.is(await refusal(month.value), 'accepted');
	clock.now = month.expirationTs - 1;
	t.is(await refusal(month.value), 'accepted');
	clock.now = month.expirationTs;
	t.is(await refusal(month.value), 'token_expired');
});

test('a revoked token is refused from the next request on, even while the database is away', async t => {
	const {tokens, store, refusal} = world(t);
	const [kept, gone] = [await tokens.create(7, ASK), await tokens.create(7, ASK)];
	t.is(await refusal(gone.value), 'accepted');
	t.is(await refusal(kept.value), 'accepted');
	await tokens.revoke({id: gone.id, userId: 7});
	store.down = true;
	t.is(await refusal(gone.value), 'store_unavailable');
	t.is(await refusal(kept.value), 'accepted', 'the others go on');
	store.down = false;
	t.is(await refusal(gone.value), 'token_unknown');
});

test('who asks after a revocation does not get the answer to a question from before it', async t => {
	const {tokens, store} = world(t);
	const {value, id} = await tokens.create(7, ASK);
	const before = tokens.verify(value);
	const revoked = store.remove({id, userId: 7}).then(() => tokens.forgetPrincipals());
	const after = revoked.then(() => outcome(tokens.verify(value)));
	await outcome(before);
	t.is(((await after) as DomainError).code, 'token_unknown');
});

test('a changed role counts from the next request on, and a removed user has no tokens', async t => {
	const {tokens, ann, refusal} = world(t);
	const {value} = await tokens.create(7, ASK);
	t.is((await tokens.verify(value)).roles[0]?.role, 'READER');
	ann.role = 'EDITOR';
	tokens.forgetPrincipals();
	t.is((await tokens.verify(value)).roles[0]?.role, 'EDITOR');
	ann.gone = true;
	tokens.forgetPrincipals();
	t.is(await refusal(value), 'token_unknown');
});

test('its last use is written in the background, and not lost while the database is away', async t => {
	const {tokens, store, clock} = world(t);
	const {value, id} = await tokens.create(7, ASK);
	const lastUse = async () => (await tokens.get({id, userId: 7})).lastUseTs;
	t.is(await lastUse(), null);
	await tokens.verify(value);
	clock.now += 5;
	await tokens.verify(value);
	t.is(await lastUse(), null, 'nothing is written by a request');
	store.down = true;
	await outcome(tokens.noteUses());
	store.down = false;
	await tokens.noteUses();
	t.is(await lastUse(), NOON + 5);
});

test('what is shown later is masked, and another user’s token is none', async t => {
	const {tokens} = world(t);
	const made = await tokens.create(7, ASK);
	const later = {...made, value: `${made.value.slice(0, 8)}${'*'.repeat(38)}`};
	t.deepEqual(await tokens.get({id: made.id, userId: 7}), later);
	t.deepEqual((await tokens.list(7, {firstResult: 0, maxResults: 50})).items, [later]);
	t.deepEqual(await tokens.rename({id: made.id, userId: 7}, 'cd'), {...later, name: 'cd'});
	const foreign = {id: made.id, userId: 8};
	for (const work of [tokens.get(foreign), tokens.rename(foreign, 'x'), tokens.revoke(foreign)]) {
		t.is(((await outcome(work)) as DomainError).code, 'api_token_not_found');
	}
});
