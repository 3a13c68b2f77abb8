import {createHash} from 'node:crypto';
import test from 'ava';
import {DomainError} from '../../../src/errors.ts';
import {fakeAccessTokenStore} from '../../../src/identity/access-tokens/access-tokens.store.fake.ts';
import {AccessTokens} from '../../../src/identity/access-tokens/access-tokens.ts';
import {Logins} from '../../../src/identity/access-tokens/logins.ts';
import {hashPassword} from '../../../src/identity/passwords.ts';
import type {Role} from '../../../src/identity/principal.ts';

const HOUR = 3_600_000;
const passwordHash = hashPassword('correct horse');

/** One user, Ann, with a clock and a database that can be sent away; `questions` counts what it was asked. */
function world() {
	const store = fakeAccessTokenStore();
	const clock = {now: 1_700_000_000_000};
	const ann = {role: 'READER' as Role, gone: false};
	const questions = {count: 0};
	const stored: string[] = [];
	const tokens = new AccessTokens({
		now: () => clock.now,
		tokens: {
			...store,
			create: token => {
				stored.push(token.digest);
				return store.create(token);
			},
			findByDigest: digest => {
				questions.count++;
				return store.findByDigest(digest);
			},
		},
		roles: {
			grantsOf: async () => {
				if (store.down) throw new DomainError('store_unavailable', 'away');
				return ann.gone
					? undefined
					: {communityId: 1, roles: [{organisationId: 2, communityId: 1, role: ann.role}]};
			},
		},
	});
	const logins = new Logins({
		findLogin: async email =>
			email === 'ann@example.org' ? {userId: 7, passwordHash: await passwordHash} : undefined,
	});
	const login = async () =>
		(
			await tokens.create(
				await logins.verify({email: 'ann@example.org', password: 'correct horse'}, '192.0.2.1'),
			)
		).value;
	return {tokens, logins, store, clock, ann, questions, stored, login};
}

test('the right password brings a token of an hour that says who its holder is', async t => {
	const {tokens, stored, login} = world();
	const value = await login();
	t.like(await tokens.verify(value), {
		kind: 'user',
		userId: 7,
		credential: 'access_token',
		communityId: 1,
		roles: [{organisationId: 2, communityId: 1, role: 'READER'}],
	});
	t.deepEqual(stored, [createHash('sha256').update(value).digest('hex')], 'only a digest is kept');
	t.not(await login(), value);
});

test('a wrong password and an unknown address are answered alike', async t => {
	const {logins} = world();
	const answers = await Promise.all(
		[
			{email: 'ann@example.org', password: 'wrong'},
			{email: 'nobody@example.org', password: 'correct horse'},
		].map(login => t.throwsAsync<DomainError>(logins.verify(login, '192.0.2.1'))),
	);
	t.is(answers[0]?.code, 'credentials_invalid');
	t.deepEqual([answers[0]?.code, answers[0]?.message], [answers[1]?.code, answers[1]?.message]);
});

test('a known token costs no question, and requests that come together ask once', async t => {
	const {tokens, questions, login} = world();
	const value = await login();
	await Promise.all(Array.from({length: 20}, () => tokens.verify(value)));
	t.is(questions.count, 1);
	for (let i = 0; i < 100; i++) await tokens.verify(value);
	t.is(questions.count, 1);
});

test('after its hour a token has expired, whether it is known here or not', async t => {
	const {tokens, clock, login} = world();
	const [seen, unseen] = [await login(), await login()];
	await tokens.verify(seen);
	clock.now += HOUR - 1;
	await t.notThrowsAsync(tokens.verify(seen));
	clock.now += 1;
	await t.throwsAsync(tokens.verify(seen), {message: /expired/});
	t.is((await t.throwsAsync<DomainError>(tokens.verify(unseen)))?.code, 'token_expired');
});

test('a token nobody was given is unknown, and one of another shape is not even looked up', async t => {
	const {tokens, questions} = world();
	const forged = `access:${'A'.repeat(43)}`;
	t.is((await t.throwsAsync<DomainError>(tokens.verify(forged)))?.code, 'token_unknown');
	t.is(questions.count, 1);
	for (const odd of ['', 'access:', 'api:abc', `${forged}A`, `${forged} `]) {
		t.is((await t.throwsAsync<DomainError>(tokens.verify(odd)))?.code, 'token_unknown');
	}
	t.is(questions.count, 1);
});

test('while the database is away known tokens stay good, even when roles had moved, and others are 503', async t => {
	const {tokens, store, login, ann} = world();
	const [known, other] = [await login(), await login()];
	await tokens.verify(known);
	store.down = true;
	t.is((await tokens.verify(known)).userId, 7);
	t.is((await t.throwsAsync<DomainError>(tokens.verify(other)))?.code, 'store_unavailable');
	tokens.forgetPrincipals();
	t.is((await tokens.verify(known)).userId, 7);

	store.down = false;
	ann.role = 'EDITOR';
	t.is((await tokens.verify(known)).roles[0]?.role, 'EDITOR', 'and roles are read again when it is back');
	t.is((await tokens.verify(other)).userId, 7);
});

test('a changed role counts from the next request on, and a removed user is unknown', async t => {
	const {tokens, ann, login} = world();
	const value = await login();
	await tokens.verify(value);
	ann.role = 'ORGANISATION_ADMIN';
	tokens.forgetPrincipals();
	t.is((await tokens.verify(value)).roles[0]?.role, 'ORGANISATION_ADMIN');
	ann.gone = true;
	tokens.forgetPrincipals();
	t.is((await t.throwsAsync<DomainError>(tokens.verify(value)))?.code, 'token_unknown');
});

test('a look-up that began before a change answers nobody who comes after it', async t => {
	const {tokens, ann, questions, login} = world();
	const value = await login();
	const before = tokens.verify(value);
	ann.gone = true;
	tokens.forgetPrincipals();
	t.is((await t.throwsAsync<DomainError>(tokens.verify(value)))?.code, 'token_unknown');
	await before.catch(() => {});
	t.is(questions.count, 2);
});

test('expired tokens are removed a day later, the others stay', async t => {
	const {tokens, clock, login} = world();
	await login();
	clock.now += 24 * HOUR;
	const young = await login();
	t.is(await tokens.removeExpired(), 0);
	clock.now += HOUR + 1;
	t.is(await tokens.removeExpired(), 1);
	t.is((await t.throwsAsync<DomainError>(tokens.verify(young)))?.code, 'token_expired');
});
