import test from 'ava';
import {DomainError} from '../../src/errors.ts';
import {ok} from '../../src/http/envelope.ts';
import {RateLimit} from '../../src/http/rate-limit.ts';
import {route} from '../../src/http/route.ts';
import type {Principal} from '../../src/identity/principal.ts';
import {tenantView} from '../../src/tenants/directory.ts';
import {serveApp} from '../support/app.ts';
import {datamartNumber} from '../support/ingestion.ts';

const user = (credentialId: string): Principal => ({
	kind: 'user',
	userId: 1,
	credential: 'access_token',
	credentialId,
	communityId: 1,
	roles: [{organisationId: 1, communityId: 1, role: 'COMMUNITY_ADMIN'}],
});
const channel = (channelId: number): Principal => ({
	kind: 'channel',
	channelId,
	datamartId: 1,
	organisationId: 1,
});

/** A limit under a clock that moves when it is told to. */
function limitOf(perSecond: number) {
	const clock = {ms: 1_000_000};
	const limit = new RateLimit(perSecond, () => clock.ms);
	const headers: Record<string, string> = {};
	const setHeader = (name: string, value: string) => {
		headers[name] = value;
	};
	return {
		clock,
		headers,
		admit: (principal: Principal, datamartId?: number) => limit.admit(principal, datamartId, setHeader),
		/** How many of these requests are let in. */
		count(requests: number, principal: Principal, datamartId?: number): number {
			let admitted = 0;
			for (let request = 0; request < requests; request++) {
				try {
					limit.admit(principal, datamartId, setHeader);
					admitted += 1;
				} catch (error) {
					if (!(error instanceof DomainError) || error.code !== 'rate_limit_exceeded') throw error;
				}
			}
			return admitted;
		},
	};
}

test('a token may do its number in a burst, and then as many as the time brings', t => {
	const {clock, count} = limitOf(10);
	t.is(count(25, user('a')), 10);
	clock.ms += 99;
	t.is(count(5, user('a')), 0);
	clock.ms += 1;
	t.is(count(5, user('a')), 1);
	clock.ms += 550;
	t.is(count(10, user('a')), 5);
	clock.ms += 50;
	t.is(count(10, user('a')), 1, 'the half that was left is not lost');
	clock.ms += 3_600_000;
	t.is(count(25, user('a')), 10, 'an hour of silence saves up no more than a second');
});

for (const perSecond of [1, 3, 7, 1000, 2500]) {
	test(`over a minute at ${perSecond} a second nobody gets one more or one less than that`, t => {
		const {clock, count} = limitOf(perSecond);
		let admitted = count(perSecond * 2, user('a'));
		for (let step = 0; step < 600; step++) {
			clock.ms += 100;
			admitted += count(Math.ceil(perSecond / 10) + 1, user('a'));
		}
		t.is(admitted, perSecond * 61);
	});
}

test('every token has its own number, and the tokens of a datamart share another', t => {
	const {count} = limitOf(10);
	t.is(count(6, user('a'), 1), 6);
	t.is(count(20, user('b'), 1), 4, 'the datamart’s');
	t.is(count(20, user('b'), 2), 6, 'the rest of the token’s, at another datamart');
	t.is(count(20, user('c')), 10, 'routes without a datamart know the token’s alone');
});

test('what pages send with public tokens uses up nothing of what people have', t => {
	const {count} = limitOf(10);
	t.is(count(30, channel(1), 1), 10);
	t.is(count(30, channel(2), 1), 0, 'channels of a datamart share one number');
	t.is(count(30, user('a'), 1), 10);
});

test('a refused request costs nothing and says when the next one may come', t => {
	const {clock, admit, count} = limitOf(2);
	t.is(count(2, user('a')), 2);
	for (let again = 0; again < 50; again++) {
		const error = t.throws(() => admit(user('a')), {instanceOf: DomainError});
		t.is(error?.code, 'rate_limit_exceeded');
		t.is(error?.retryAfterSeconds, 1);
		t.regex(error!.message, /token's 2 /);
	}
	clock.ms += 500;
	t.is(count(1, user('a')), 1);
});

test('a batch is let in when anything is left, and its records are paid for before the next', t => {
	const {clock, admit, count, headers} = limitOf(10);
	admit(user('a'), 1)(99);
	t.is(headers.RateLimit, '"token";r=0;t=10, "datamart";r=0;t=10');
	const error = t.throws(() => admit(user('a'), 1), {instanceOf: DomainError});
	t.is(error?.retryAfterSeconds, 10, '90 owed and one to come, at 10 a second: 9.1 s');
	clock.ms += 9099;
	t.is(count(1, user('a'), 1), 0);
	clock.ms += 1;
	t.is(count(5, user('a'), 1), 1);
});

test('one batch locks nobody out for longer than 61 s', t => {
	const {clock, admit, count} = limitOf(1);
	admit(channel(1), 1)(50_000);
	clock.ms += 60_999;
	t.is(count(1, channel(1), 1), 0);
	clock.ms += 1;
	t.is(count(1, channel(1), 1), 1);
});

test('the headers tell the policies, what is left and when all of it is there again', t => {
	const {headers, admit, count, clock} = limitOf(4);
	admit(user('a'), 1);
	t.is(headers['RateLimit-Policy'], '"token";q=4;w=1, "datamart";q=4;w=1');
	t.is(headers.RateLimit, '"token";r=3;t=1, "datamart";r=3;t=1');
	count(2, user('b'), 1);
	clock.ms += 125;
	admit(user('a'), 1);
	t.is(headers.RateLimit, '"token";r=2;t=1, "datamart";r=0;t=1', 'half a unit is none yet');
	admit(user('c'));
	t.is(headers['RateLimit-Policy'], '"token";q=4;w=1');
});

const directory = tenantView({
	organisations: [
		{
			id: 1,
			communityId: 1,
			administratorId: null,
			marketId: null,
			name: 'one',
			technicalName: null,
			customerType: 'ENTERPRISE',
			archived: false,
			createdBy: null,
			createdTs: 0,
			lastModifiedBy: null,
			lastModifiedTs: 0,
		},
	],
	datamarts: [datamartNumber(1)],
	compartments: [],
	channels: [],
});
const verifyToken = async (token: string) => user(token);
const COUNTED = route({
	method: 'POST',
	path: '/v1/datamarts/:datamartId/things',
	summary: 'Takes as many things as its body says',
	action: 'activities:write',
	body: 'raw',
	async handle({bytes, charge}) {
		charge(Number(bytes.toString()) - 1);
		return ok(true);
	},
});

test('an answer tells what is left; a 429 comes with Retry-After, in time to spare reading the body', async t => {
	const clock = {ms: 0};
	const rateLimit = new RateLimit(5, () => clock.ms);
	const url = await serveApp(t, [COUNTED], {directory, verifyToken, rateLimit});
	const post = (body: string) =>
		fetch(`${url}/v1/datamarts/1/things`, {
			method: 'POST',
			body,
			headers: {authorization: 'a', origin: 'https://shop.example'},
		});
	const first = await post('4');
	t.is(first.status, 200);
	t.is(first.headers.get('ratelimit'), '"token";r=1;t=1, "datamart";r=1;t=1');
	t.is((await post('11')).status, 200);
	const refused = await post('1');
	t.is(refused.status, 429);
	t.is(refused.headers.get('retry-after'), '3');
	t.is(refused.headers.get('ratelimit-policy'), '"token";q=5;w=1, "datamart";q=5;w=1');
	t.is(refused.headers.get('ratelimit'), '"token";r=0;t=3, "datamart";r=0;t=3');
	t.is(refused.headers.get('access-control-allow-origin'), '*');
	t.regex(refused.headers.get('access-control-expose-headers')!, /RateLimit,.*RateLimit-Policy/);
	const body = (await refused.json()) as {error_code: string};
	t.is(body.error_code, 'rate_limit_exceeded');
	clock.ms += 3000;
	t.is((await post('1')).status, 200, 'Retry-After kept its word');
});

test('without a limit nothing is told and nothing refused', async t => {
	const url = await serveApp(t, [COUNTED], {directory, verifyToken});
	for (let request = 0; request < 50; request++) {
		const answer = await fetch(`${url}/v1/datamarts/1/things`, {
			method: 'POST',
			body: '1000',
			headers: {authorization: 'a'},
		});
		t.is(answer.status, 200);
		t.is(answer.headers.get('ratelimit'), null);
		await answer.text();
	}
});
