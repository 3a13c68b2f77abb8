import {connect} from 'node:net';
import {gzipSync} from 'node:zlib';
import anyTest, {type TestFn} from 'ava';
import {LINGER_MS} from '../../src/http/linger.ts';
import {type Answer, clientOf, login, startTestService, type TestService} from '../support/service.ts';
import {testTenants} from '../support/tenants.ts';

const test = anyTest as TestFn<{service: TestService}>;

test.before(async t => {
	t.context.service = await startTestService({MAX_BODY_BYTES: '100000'});
});
test.after.always(t => t.context.service?.stop());

const VISIT = {$type: 'SITE_VISIT', $ts: 1_700_000_000_000, $user_agent_id: 'vec:bad-input'};
const STEP = {name: 'any', filter_clause: {operator: 'AND', filters: []}};
const PERIOD = {type: 'DATES', start_date: '2023-11-01', end_date: '2023-12-01'};

/** User points of the datamart, after everything accepted so far has been drained. */
async function countUserPoints(service: TestService): Promise<number> {
	// Without an identifier it is nobody's, and behind everything else in the journal.
	await service.post(`/v1/datamarts/${service.datamartId}/user_activities?async=false`, {$type: 'MARKER'});
	const {body} = await service.post(`/v1/datamarts/${service.datamartId}/user_analytics_funnel`, {
		for: [STEP],
		in: {type: 'DATES', start_date: '2000-01-01', end_date: '2100-01-01'},
	});
	return body.data.global.total;
}

interface Case {
	readonly title: string;
	readonly ask: (service: TestService) => Promise<Answer>;
	readonly status: number;
	readonly code: string;
	readonly pointer?: string;
	/** The whole text, where clients would otherwise be left guessing. */
	readonly error?: string;
}

const activities = (body: unknown, headers?: Record<string, string>) => (service: TestService) =>
	service.post(`/v1/datamarts/${service.datamartId}/user_activities`, body, headers);
const funnel = (body: unknown) => (service: TestService) =>
	service.post(`/v1/datamarts/${service.datamartId}/user_analytics_funnel`, body);

const CASES: readonly Case[] = [
	{
		title: 'a body cut in half',
		ask: activities('{"$type":"SITE_VISIT","$ev'),
		status: 400,
		code: 'json_malformed',
	},
	{title: 'an empty body', ask: activities(''), status: 400, code: 'body_missing'},
	{
		title: 'an ndjson body with a broken line',
		ask: activities(`${JSON.stringify(VISIT)}\n{"$type":`, {'content-type': 'application/x-ndjson'}),
		status: 400,
		code: 'json_malformed',
		pointer: '/1',
	},
	{
		title: 'a body in Latin-1, where two people’s names would become one',
		ask: activities(Buffer.from('{"$type":"SITE_VISIT","$user_agent_id":"Ren\xe9"}', 'latin1')),
		status: 400,
		code: 'json_malformed',
	},
	{
		title: 'an ndjson body with a line in Latin-1',
		ask: activities(Buffer.from(`${JSON.stringify(VISIT)}\n{"$type":"caf\xe9"}`, 'latin1'), {
			'content-type': 'application/x-ndjson',
		}),
		status: 400,
		code: 'json_malformed',
	},
	{
		title: 'a body over the limit',
		ask: activities({...VISIT, filler: 'x'.repeat(100_001)}),
		status: 413,
		code: 'body_too_large',
	},
	{
		title: 'a small body that unpacks over the limit',
		ask: activities(gzipSync(JSON.stringify({...VISIT, filler: 'x'.repeat(1_000_000)})), {
			'content-encoding': 'gzip',
		}),
		status: 413,
		code: 'body_too_large',
	},
	{
		title: 'a body that is not what its encoding says',
		ask: activities('not gzip at all', {'content-encoding': 'gzip'}),
		status: 400,
		code: 'body_unreadable',
	},
	{
		title: 'an encoding nobody knows',
		ask: activities('x', {'content-encoding': 'snappy'}),
		status: 415,
		code: 'encoding_unsupported',
	},
	{
		title: 'an activity that is a text',
		ask: activities('"visit"'),
		status: 400,
		code: 'field_invalid',
		pointer: '',
	},
	{
		title: 'an activity without a type',
		ask: activities({$ts: VISIT.$ts}),
		status: 400,
		code: 'field_invalid',
		pointer: '/$type',
	},
	{
		title: '$app_id as a number',
		ask: activities({...VISIT, $app_id: 12}),
		status: 400,
		code: 'field_invalid',
		pointer: '/$app_id',
	},
	{
		title: 'an event without a name',
		ask: activities({...VISIT, $events: [{$event_name: 'ok'}, {$properties: {}}]}),
		status: 400,
		code: 'field_invalid',
		pointer: '/$events/1/$event_name',
	},
	{
		title: 'a time before 2000',
		ask: activities({...VISIT, $ts: 1}),
		status: 400,
		code: 'timestamp_out_of_range',
		pointer: '/$ts',
	},
	{
		title: 'a time more than a day ahead',
		ask: activities({...VISIT, $events: [{$event_name: 'a', $ts: Date.now() + 2 * 86_400_000}]}),
		status: 400,
		code: 'timestamp_out_of_range',
		pointer: '/$events/0/$ts',
	},
	{
		title: 'an identifier of zeros',
		ask: activities({...VISIT, $user_agent_id: 'mob:ios:raw:00000000-0000-0000-0000-000000000000'}),
		status: 400,
		code: 'identifier_refused',
		pointer: '/$user_agent_id',
	},
	{
		title: 'an identifier that says null',
		ask: activities({...VISIT, $user_identifiers: [{$type: 'USER_ACCOUNT', $user_account_id: 'null'}]}),
		status: 400,
		code: 'identifier_refused',
		pointer: '/$user_identifiers/0/$user_account_id',
	},
	{
		title: 'an unknown compartment',
		ask: activities({...VISIT, $user_account_id: 'ann', $compartment_id: 999}),
		status: 400,
		code: 'compartment_unknown',
		pointer: '/$compartment_id',
	},
	{
		title: 'an array in which everything is wrong',
		ask: activities([{...VISIT, $ts: 1}, {}]),
		status: 400,
		code: 'timestamp_out_of_range',
		pointer: '/0/$ts',
	},
	{
		title: 'a record nested a hundred thousand levels deep',
		ask: activities(
			`[${JSON.stringify(VISIT).slice(0, -1)},"deep":${'['.repeat(40_000)}${']'.repeat(40_000)}}]`,
		),
		status: 400,
		code: 'field_invalid',
	},
	{
		title: 'an activity nested too deeply to be written again',
		ask: activities(`${JSON.stringify(VISIT).slice(0, -1)},"deep":${'['.repeat(200)}${']'.repeat(200)}}`),
		status: 400,
		code: 'field_invalid',
		pointer: '',
		error: 'body: is nested more than 100 levels deep',
	},
	{
		title: 'more records than a request may have',
		ask: activities(`[${Array(10_001).fill('{}').join()}]`),
		status: 400,
		code: 'records_excessive',
	},
	{
		title: 'a method that is not served',
		ask: s => s.request('PUT', '/v1/connected_user', {}),
		status: 405,
		code: 'method_not_allowed',
	},
	{
		title: 'an unknown datamart',
		ask: s => s.post('/v1/datamarts/4711/user_activities', VISIT),
		status: 404,
		code: 'datamart_not_found',
	},
	{
		title: 'a datamart id that is no number',
		ask: s => s.post('/v1/datamarts/1e3/user_activities', VISIT),
		status: 404,
		code: 'datamart_not_found',
	},
	{
		title: 'no token',
		ask: s => clientOf(s.url).post(`/v1/datamarts/${s.datamartId}/user_activities`, VISIT),
		status: 401,
		code: 'token_missing',
	},
	{
		title: 'a made-up token',
		ask: s => clientOf(s.url, 'nobody').post(`/v1/datamarts/${s.datamartId}/user_activities`, VISIT),
		status: 401,
		code: 'token_unknown',
	},
	{
		title: 'two words in the Authorization header',
		ask: s => clientOf(s.url).get('/v1/connected_user', {authorization: 'Digest a b'}),
		status: 401,
		code: 'token_malformed',
	},
	{
		title: 'a path that is not served',
		ask: s => s.get('/v1/nothing_here'),
		status: 404,
		code: 'route_not_found',
	},
	{
		title: 'a wrong password',
		ask: s =>
			clientOf(s.url).post('/v1/authentication/access_tokens', {
				email: 'admin@example.org',
				password: 'wrong',
			}),
		status: 401,
		code: 'credentials_invalid',
	},
	{
		title: 'an unknown dimension',
		ask: funnel({
			for: [
				{
					name: 'x',
					filter_clause: {
						operator: 'AND',
						filters: [{dimension_name: 'COLOUR', operator: 'EXACT', expressions: ['red']}],
					},
				},
			],
			in: PERIOD,
		}),
		status: 400,
		code: 'dimension_unknown',
		pointer: '/for/0/filter_clause/filters/0/dimension_name',
	},
	{
		title: 'an unknown operator',
		ask: funnel({
			for: [
				{
					name: 'x',
					filter_clause: {
						operator: 'AND',
						filters: [{dimension_name: 'TYPE', operator: 'SOUNDS_LIKE', expressions: ['x']}],
					},
				},
			],
			in: PERIOD,
		}),
		status: 400,
		code: 'operator_unknown',
		pointer: '/for/0/filter_clause/filters/0/operator',
	},
	{
		title: 'empty expressions',
		ask: funnel({
			for: [
				{
					name: 'x',
					filter_clause: {
						operator: 'AND',
						filters: [{dimension_name: 'TYPE', operator: 'EXACT', expressions: []}],
					},
				},
			],
			in: PERIOD,
		}),
		status: 400,
		code: 'expressions_missing',
		pointer: '/for/0/filter_clause/filters/0/expressions',
	},
	{
		title: 'null among expressions',
		ask: funnel({
			for: [
				{
					name: 'x',
					filter_clause: {
						operator: 'AND',
						filters: [{dimension_name: 'TYPE', operator: 'EXACT', expressions: [null]}],
					},
				},
			],
			in: PERIOD,
		}),
		status: 400,
		code: 'field_invalid',
		pointer: '/for/0/filter_clause/filters/0/expressions/0',
		error: '/for/0/filter_clause/filters/0/expressions/0: must be a text or a number',
	},
	{
		title: 'a preset for no organisation',
		ask: s =>
			s.post('/v1/plugins/1/versions/1/presets', {name: 'nobody’s', plugin_type: 'ACTIVITY_ANALYZER'}),
		status: 400,
		code: 'field_invalid',
		pointer: '/organisation_id',
		error: '/organisation_id: must be the id of a record, a positive integer',
	},
	{
		title: 'end_date before start_date',
		ask: funnel({for: [STEP], in: {...PERIOD, end_date: '2023-10-01'}}),
		status: 400,
		code: 'date_range_inverted',
		pointer: '/in/end_date',
	},
	{
		title: 'a day that is none',
		ask: funnel({for: [STEP], in: {...PERIOD, end_date: '2023-02-30'}}),
		status: 400,
		code: 'field_invalid',
		pointer: '/in/end_date',
	},
	{
		title: 'zero steps',
		ask: funnel({for: [], in: PERIOD}),
		status: 400,
		code: 'steps_missing',
		pointer: '/for',
	},
	{
		title: '33 steps',
		ask: funnel({for: Array(33).fill(STEP), in: PERIOD}),
		status: 400,
		code: 'steps_excessive',
		pointer: '/for',
	},
];

for (const {title, ask, status, code, pointer, error} of CASES) {
	test.serial(`${title} is refused by name and nothing is stored`, async t => {
		const {service} = t.context;
		const {status: got, body} = await ask(service);
		t.is(body.error_code, code, JSON.stringify(body));
		t.is(got, status);
		if (error !== undefined) t.is(body.error, error);
		t.is(body.status, 'error');
		t.regex(body.error_id, /^[0-9a-f-]{36}$/);
		if (status === 404) t.is(body.error, 'Resource Not Found');
		else t.true(body.error.length > 5);
		if (pointer !== undefined) {
			t.true(
				body.errors.some((fault: {pointer: string}) => fault.pointer === pointer),
				JSON.stringify(body.errors),
			);
		}
		t.is(await countUserPoints(service), 0);
	});
}

test.serial('a client that sends all of a long body before it reads hears why it was refused', async t => {
	const {service} = t.context;
	const path = `${service.url}/v1/datamarts/${service.datamartId}/user_activities`;
	const headers = {authorization: service.token, 'content-type': 'application/json'};
	for (let round = 0; round < 10; round++) {
		for (const duplex of [undefined, 'half'] as const) {
			const body = duplex
				? ReadableStream.from(Array(60).fill(Buffer.alloc(100_000, 'x')))
				: 'x'.repeat(6_000_000);
			const answer = await fetch(path, {method: 'POST', headers, body, ...(duplex && {duplex})});
			t.is(answer.status, 413);
			t.regex(await answer.text(), /"body_too_large"/);
		}
	}
});

test.serial('a client that never stops sending a refused body is cut off', async t => {
	const {service} = t.context;
	const {port} = new URL(service.url);
	const began = performance.now();
	// It does not mind that the answer’s end has come.
	let answer = '';
	let more: NodeJS.Timeout | undefined;
	await new Promise<void>(resolve => {
		const socket = connect({port: Number(port), host: '127.0.0.1', allowHalfOpen: true}, () => {
			socket.write(
				`POST /v1/datamarts/${service.datamartId}/user_activities HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.token}\r\n` +
					`Content-Type: application/json\r\nContent-Length: 999999999\r\n\r\n`,
			);
			more = setInterval(() => socket.write('x'.repeat(1000)), 20);
		});
		socket.on('data', chunk => {
			answer += String(chunk);
		});
		socket.on('error', () => {});
		socket.on('close', () => {
			clearInterval(more);
			resolve();
		});
	});
	t.regex(answer, /^HTTP\/1\.1 413 /);
	t.regex(answer, /^connection: close/im);
	t.true(performance.now() - began > LINGER_MS / 2, 'it was not reset at once');
});

test.serial('a client that goes away in the middle of its body stores nothing', async t => {
	const {service} = t.context;
	const {port} = new URL(service.url);
	const body = JSON.stringify(VISIT);
	await new Promise<void>(resolve => {
		const socket = connect(Number(port), '127.0.0.1', () => {
			socket.write(
				`POST /v1/datamarts/${service.datamartId}/user_activities HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.token}\r\n` +
					`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
				() => socket.destroy(),
			);
		});
		socket.on('close', () => resolve());
	});
	await new Promise(resolve => setTimeout(resolve, 100));
	t.is(await countUserPoints(service), 0);
});

test.serial('another organisation’s datamart is not there, for reading and for writing', async t => {
	const {service} = t.context;
	const tenants = await testTenants(service.database);
	const rival = await tenants.organisation(await tenants.community());
	const stranger = await tenants.user(rival, 'ORGANISATION_ADMIN', 'correct horse');
	const client = clientOf(
		service.url,
		await login(service.url, {email: stranger.email, password: 'correct horse'}),
	);
	// The service's own picture of the tenants follows within half a second.
	await new Promise(resolve => setTimeout(resolve, 700));
	const datamart = `/v1/datamarts/${service.datamartId}`;
	const answers = await Promise.all([
		client.post(`${datamart}/user_activities`, VISIT),
		client.post(`${datamart}/user_analytics_funnel`, {for: [STEP], in: PERIOD}),
		client.get(`${datamart}/user_timelines/1/user_activities`),
		client.get(`${datamart}/user_identifiers/1`),
		client.get(`${datamart}/channels`),
	]);
	for (const {status, body} of answers) {
		t.is(status, 404);
		t.is(body.error_code, 'datamart_not_found');
		t.is(body.error, 'Resource Not Found');
	}
	t.is(await countUserPoints(service), 0);
});

test.serial('who may only read is told so when they write', async t => {
	const {service} = t.context;
	const tenants = await testTenants(service.database);
	const own = tenants.directory.organisation(Number(service.organisationId))!;
	const reader = await tenants.user(own, 'READER', 'correct horse');
	const client = clientOf(
		service.url,
		await login(service.url, {email: reader.email, password: 'correct horse'}),
	);
	const {status, body} = await client.post(`/v1/datamarts/${service.datamartId}/user_activities`, VISIT);
	t.is(status, 403);
	t.is(body.error_code, 'role_insufficient');
	t.is((await client.get(`/v1/datamarts/${service.datamartId}/channels`)).status, 200);
});

test.serial('an expired token is told apart from an unknown one', async t => {
	const {service} = t.context;
	const token = await login(service.url);
	const expire = (ms: number) =>
		service.database.run(sql => sql('access_tokens').update({expiration_ts: Date.now() + ms}));
	await expire(-1);
	const {status, body} = await clientOf(service.url, token).get('/v1/connected_user');
	await expire(3_600_000);
	t.is(status, 401);
	t.is(body.error_code, 'token_expired');
});

test.serial(
	'numbers in text are told apart from texts, and good neighbours of bad records are stored',
	async t => {
		const {service} = t.context;
		const path = `/v1/datamarts/${service.datamartId}/user_activities?async=false`;
		const {status, body} = await service.post(path, [
			VISIT,
			{...VISIT, $site_id: 5},
			{...VISIT, $user_agent_id: 'vec:good'},
		]);
		t.is(status, 200);
		t.deepEqual(
			body.data.records.map((record: {result: string}) => record.result),
			['accepted', 'rejected', 'accepted'],
		);
		t.is(body.data.records[1].error.errors[0].pointer, '/1/$site_id');
		t.is(await countUserPoints(service), 2);
	},
);
