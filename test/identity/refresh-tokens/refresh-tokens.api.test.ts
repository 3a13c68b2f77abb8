import anyTest, {type TestFn} from 'ava';
import {ADMIN, clientOf, login, startTestService, type TestService} from '../../support/service.ts';

const test = anyTest as TestFn<{service: TestService}>;

test.before(async t => {
	t.context.service = await startTestService();
});
test.after.always(async t => t.context.service?.stop());

const REFRESH = '/v1/authentication/refresh_tokens';
const ACCESS = '/v1/authentication/access_tokens';
const REVOKE = '/v1/authentication/refresh_token/revoke';

test.serial(
	'a refresh token brings access tokens without a password, until it is revoked, and they end with it',
	async t => {
		const {service} = t.context;
		const stranger = clientOf(service.url);
		const made = await stranger.post(REFRESH, ADMIN);
		t.is(made.status, 200);
		t.is(made.body.data.expires_in, 30 * 24 * 3600);
		const {refresh_token: refreshToken} = made.body.data;

		const first = await stranger.post(ACCESS, {refresh_token: refreshToken});
		t.like(first.body.data, {expires_in: 3600, refresh_token: refreshToken});
		const second = await stranger.post(ACCESS, {refresh_token: refreshToken, email: null});
		const clients = [first, second].map(({body}) => clientOf(service.url, body.data.access_token));
		for (const client of clients) t.is((await client.get('/v1/connected_user')).status, 200);
		const byPassword = clientOf(service.url, await login(service.url));

		const revision = async () =>
			(await service.database.run(sql => sql('revisions').where('name', 'credentials').first('revision')))
				.revision;
		const before = await revision();
		t.deepEqual((await stranger.post(REVOKE, {refresh_token: refreshToken})).body, {status: 'ok', data: {}});
		t.is(await revision(), before + 1, 'other instances are told');

		for (const client of clients) {
			t.like(await client.get('/v1/connected_user'), {status: 401, body: {error_code: 'token_unknown'}});
		}
		const again = await stranger.post(ACCESS, {refresh_token: refreshToken});
		t.like(again, {status: 401, body: {error_code: 'token_unknown'}});
		t.is((await byPassword.get('/v1/connected_user')).status, 200, 'other logins stay');
		const unknown = await stranger.post(REVOKE, {refresh_token: refreshToken});
		t.is(unknown.status, 200, 'what has ended already can be revoked again');
	},
);

test.serial('an expired refresh token says so, and removal of old ones leaves the others', async t => {
	const {service} = t.context;
	const stranger = clientOf(service.url);
	const {refresh_token: refreshToken} = (await stranger.post(REFRESH, ADMIN)).body.data;
	await service.database.run(sql => sql('refresh_tokens').update({expiration_ts: Date.now() - 1}));
	const late = await stranger.post(ACCESS, {refresh_token: refreshToken});
	t.like(late, {status: 401, body: {error_code: 'token_expired'}});
});

test.serial('a refresh token opens nothing by itself, and its text is stored nowhere', async t => {
	const {service} = t.context;
	const stranger = clientOf(service.url);
	const {refresh_token: refreshToken} = (await stranger.post(REFRESH, ADMIN)).body.data;
	t.is((await clientOf(service.url, refreshToken).get('/v1/connected_user')).status, 401);
	const rows = await service.database.run(sql => sql('refresh_tokens').select('*'));
	t.true(rows.length > 0);
	t.false(JSON.stringify(rows).includes(refreshToken.slice('refresh:'.length)));
});

test.serial('bodies without what they need name the field, and wrong passwords are 401', async t => {
	const stranger = clientOf(t.context.service.url);
	const pointers = ({body}: {body: {errors: {pointer: string}[]}}) => body.errors.map(({pointer}) => pointer);
	t.deepEqual(pointers(await stranger.post(ACCESS, {})), ['/email', '/password']);
	t.deepEqual(pointers(await stranger.post(ACCESS, {refresh_token: 5})), ['/refresh_token']);
	t.deepEqual(pointers(await stranger.post(REVOKE, {})), ['/refresh_token']);
	t.deepEqual(pointers(await stranger.post(REFRESH, {email: 'a@b.c'})), ['/password']);
	const wrong = await stranger.post(REFRESH, {...ADMIN, password: 'wrong'});
	t.like(wrong, {status: 401, body: {error_code: 'credentials_invalid'}});
});

test.serial('answers of the interface are kept by nobody and guessed at by nobody', async t => {
	const {service} = t.context;
	for (const answer of [
		await service.get('/v1/connected_user'),
		await clientOf(service.url).get('/v1/nothing'),
	]) {
		t.is(answer.headers.get('cache-control'), 'no-store');
		t.is(answer.headers.get('x-content-type-options'), 'nosniff');
		t.is(answer.headers.get('referrer-policy'), 'no-referrer');
	}
});

test.serial('after many wrong passwords an address waits, and is told how long', async t => {
	const stranger = clientOf(t.context.service.url);
	// Nobody logs in as these, so that the owner's own address stays familiar for the owner alone.
	const answers = [];
	for (let i = 0; i < 12; i++) {
		answers.push(await stranger.post(ACCESS, {email: `nobody${i}@example.org`, password: 'wrong'}));
	}
	t.deepEqual(
		answers.map(({status}) => status),
		[...Array<number>(10).fill(401), 429, 429],
	);
	t.regex(answers.at(-1)?.headers.get('retry-after') ?? '', /^[12]$/);
	t.is((await stranger.post(ACCESS, ADMIN)).status, 200, 'the owner, known here, gets in');
});
