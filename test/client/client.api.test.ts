import {readFile} from 'node:fs/promises';
import anyTest, {type TestFn} from 'ava';
import {clientTypesOf} from '../../scripts/client-types-of.ts';
import {type Activity, MillraceClient, RefusedError} from '../../src/client/index.ts';
import {openApiDocument} from '../../src/http/openapi/document.ts';
import {projectFile} from '../../src/lib/project.ts';
import {ADMIN, startTestService, type TestService} from '../support/service.ts';

interface Context {
	service: TestService;
	client: MillraceClient;
	path: {datamartId: string};
}
const test = anyTest as TestFn<Context>;

test.before(async t => {
	const service = await startTestService();
	const client = await new MillraceClient({url: `${service.url}/v1/`}).login(ADMIN);
	t.context = {service, client, path: {datamartId: service.datamartId}};
});
test.after.always(t => t.context.service?.stop());

const visit = (person: string, ...names: string[]): Activity => ({
	$type: 'SITE_VISIT',
	$ts: Date.now() - 60_000,
	$user_identifiers: [{$type: 'USER_AGENT', $user_agent_id: `vec:${person}`}],
	$events: names.map(($event_name, index) => ({$event_name, $ts: Date.now() - 50_000 + index})),
});

const step = (event: string) => ({
	name: event,
	filter_clause: {
		operator: 'AND',
		filters: [{dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: [event]}],
	},
});

test('the client’s types are those of the routes', async t => {
	const {routes} = t.context.service;
	const made = await clientTypesOf(openApiDocument({routes, brand: 'Svc', version: '0'}));
	const kept = await readFile(projectFile('src/client/interface.generated.ts'), 'utf8');
	const [now, then] = [made.split('\n'), kept.split('\n')];
	const changed = now.findIndex((line, index) => line !== then[index]);
	// Not the texts themselves: the difference of 8,000 lines fills the screen.
	t.true(made === kept, `npm run client-types; the first line that differs: ${now[changed]}`);
});

test('activities are sent in batches, each with its own result in their order, and asked for as a funnel', async t => {
	const {client, path} = t.context;
	const people = Array.from({length: 25}, (_, person) =>
		person % 10 === 3 ? {$type: 7} : visit(`many-${person}`, '$many_view'),
	) as Activity[];
	const sent = await client.sendActivities(path.datamartId, people, {batchSize: 4, untilQueryable: true});
	t.like(sent, {accepted: 22, duplicates: 0, rejected: 3});
	t.deepEqual(
		sent.records.map(({index}) => index),
		people.map((_, index) => index),
	);
	const [, , , wrong] = sent.records;
	t.like(wrong, {result: 'rejected', error: {errorCode: 'field_invalid', faults: [{pointer: '/$type'}]}});

	const funnel = await client.post('/v1/datamarts/{datamartId}/user_analytics_funnel', {
		path,
		body: {for: [step('$many_view')], in: {type: 'WINDOW', unit: 'DAY', offset: 7}},
	});
	t.is(funnel.global.steps[0]?.count, 22);
});

test('a run that is sent again under its name is known, also where a batch had a line that was bad', async t => {
	const {client, path} = t.context;
	const run = {runKey: 'nightly-2026-11-20', batchSize: 2};
	async function* stream() {
		for (const person of ['run-1', 'run-2', 'run-3']) yield visit(person, '$run_view');
		yield {$type: 7} as unknown as Activity;
		yield visit('run-5', '$run_view');
	}
	const first = await client.sendActivities(path.datamartId, stream(), run);
	t.like(first, {accepted: 4, rejected: 1});
	const again = await client.sendActivities(path.datamartId, stream(), {...run, untilQueryable: true});
	t.is(again.rejected, 1);
	const funnel = await client.post('/v1/datamarts/{datamartId}/user_analytics_funnel', {
		path,
		body: {for: [step('$run_view')], in: {type: 'WINDOW', unit: 'DAY', offset: 7}},
	});
	t.is(funnel.global.steps[0]?.count, 4);
});

test('where nothing of a batch is good each activity is told its own fault, and a fault of the request is thrown', async t => {
	const {client, path} = t.context;
	const bad = [{$type: 7}, {$type: 'SITE_VISIT', $ts: 'yesterday'}] as unknown as Activity[];
	const {records} = await client.sendActivities(path.datamartId, bad);
	t.like(records[0], {result: 'rejected', error: {faults: [{pointer: '/$type'}]}});
	t.like(records[1], {result: 'rejected', error: {faults: [{pointer: '/$ts'}]}});

	const error = await t.throwsAsync(
		client.sendLines(path.datamartId, ['{"$type":"SITE_VISIT"}'], {key: 'x'.repeat(300)}),
		{instanceOf: RefusedError},
	);
	t.deepEqual((error as RefusedError).pointers, ['Idempotency-Key']);
	await t.throwsAsync(client.sendActivities(99_999_999, [visit('nobody')]), {
		message: /404 Resource Not Found/,
	});
});

test('lines that are no JSON, or too many for one body, cost nobody else their place', async t => {
	const {client, path} = t.context;
	const long = JSON.stringify({...visit('lines-long'), $note: 'x'.repeat(3 * 1024 * 1024)});
	const lines = [JSON.stringify(visit('lines-1')), '{oops', long, long];
	const records = await client.sendLines(path.datamartId, lines);
	t.deepEqual(
		records.map(({index, result}) => `${index} ${result}`),
		['0 accepted', '1 rejected', '2 accepted', '3 accepted'],
	);
	const again = await client.sendLines(path.datamartId, [long, long, long], {key: 'halves'});
	t.true(again.every(({result}) => result === 'accepted'));
});

test('a list is read to its end, whatever the size of its pages', async t => {
	const {client, path} = t.context;
	for (let number = 0; number < 4; number++) {
		await client.post('/v1/datamarts/{datamartId}/channels', {
			path,
			body: {type: 'SITE', name: `shop ${number}`, domain: `shop-${number}.example`},
		});
	}
	const list = '/v1/datamarts/{datamartId}/channels';
	const {total} = await client.envelope('GET', list, {path});
	for (const max_results of [1, 4, 500]) {
		const ids: string[] = [];
		for await (const {id} of client.each(list, {path, query: {max_results}})) ids.push(id);
		t.is(new Set(ids).size, total, `pages of ${max_results}`);
		t.is(ids.length, total);
	}
	const rest: string[] = [];
	for await (const {id} of client.each(list, {path, query: {first_result: 2}})) rest.push(id);
	t.is(rest.length, total - 2);
});

test('user points of a step are listed as of one moment, though more arrive while they are read', async t => {
	const {client, path} = t.context;
	const people = (from: number, until: number) =>
		Array.from({length: until - from}, (_, index) => visit(`point-${from + index}`, '$point_view'));
	await client.sendActivities(path.datamartId, people(0, 9), {untilQueryable: true});
	const question = {
		for: [step('$point_view')],
		in: {type: 'WINDOW', unit: 'DAY', offset: 7} as const,
		step: 1,
	};
	const listed: string[] = [];
	for await (const {user_point_id: id} of client.eachUserPoint(path.datamartId, question, {pageSize: 2})) {
		if (listed.push(id) === 3) {
			await client.sendActivities(path.datamartId, people(9, 15), {untilQueryable: true});
		}
	}
	t.is(listed.length, 9);
	t.is(new Set(listed).size, 9);
	const later: string[] = [];
	for await (const {user_point_id: id} of client.eachUserPoint(path.datamartId, question)) later.push(id);
	t.is(later.length, 15);
});

test('an app with a key sends activities and reads segments by every identifier, and nothing else', async t => {
	const {client, service, path} = t.context;
	const {id: userId} = await client.get('/v1/connected_user');
	const made = await client.post('/v1/users/{userId}/message_authentication_keys', {
		path: {userId},
		body: {scheme: 'HMAC_SHA256', key_id: 'typed-app'},
	});
	const signingKey = {keyId: made.key_id, secretKey: made.secret_key};
	const app = new MillraceClient({url: service.url, signingKey});
	const [compartment] = await client.get('/v1/datamarts/{datamartId}/compartments', {path});
	const account = {
		$type: 'USER_ACCOUNT' as const,
		$user_account_id: 'ann b/c,d=é',
		$compartment_id: compartment!.id,
	};
	const identifiers: Activity['$user_identifiers'] = [
		{$type: 'USER_AGENT', $user_agent_id: 'vec:signed'},
		{$type: 'USER_EMAIL', $hash: '0f3b'},
		account,
	];
	const sent = await app.sendActivities(
		path.datamartId,
		[{$type: 'APP_VISIT', $user_identifiers: identifiers}],
		{
			untilQueryable: true,
		},
	);
	t.is(sent.accepted, 1);
	const segments = '/v1/datamarts/{datamartId}/user_points/{selector}/user_segments';
	await client.put(`${segments}/{segmentId}`, {
		path: {...path, selector: 'user_agent_id=vec:signed', segmentId: '77'},
		body: {},
	});
	const selectors = [
		'user_agent_id=vec:signed',
		'email_hash=0f3b',
		`compartmentId=${compartment!.id},user_account_id=${account.$user_account_id}`,
	];
	for (const selector of selectors) {
		const [first] = await app.get(segments, {path: {...path, selector}});
		t.is(first?.segment_id, '77', selector);
	}
	const refused = await t.throwsAsync(app.get('/v1/connected_user'), {instanceOf: RefusedError});
	t.is((refused as RefusedError).errorCode, 'signature_not_accepted');
	const forged = new MillraceClient({
		url: service.url,
		signingKey: {...signingKey, secretKey: 'f'.repeat(32)},
	});
	const forgery = await t.throwsAsync(forged.sendActivities(path.datamartId, [visit('forged')]));
	t.like(forgery, {status: 401, errorCode: 'signature_invalid'});
});

test('bytes come and go as bytes', async t => {
	const {client, service} = t.context;
	const content = new Uint8Array([0, 1, 2, 255, 254, 10, 13]);
	const uri = `svc://data_file/tenants/${service.organisationId}/typed.bin`;
	await client.put('/v1/data_file/data', {
		query: {uri},
		raw: {content, type: 'application/octet-stream'},
	});
	t.deepEqual(await client.bytes('/v1/data_file/data', {query: {uri}}), content);
});

test('a login that is refused says why, and a token of nobody is 401', async t => {
	const {service} = t.context;
	const stranger = new MillraceClient({url: service.url});
	const refused = await t.throwsAsync(stranger.login({...ADMIN, password: 'wrong password'}));
	t.like(refused, {status: 401, errorCode: 'credentials_invalid'});
	t.regex((refused as RefusedError).errorId ?? '', /\S/);
	const nobody = await t.throwsAsync(stranger.withToken('nobody').get('/v1/connected_user'));
	t.like(nobody, {status: 401, attempts: 1});
});
