import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import anyTest, {type TestFn} from 'ava';
import {CheckpointFile} from '../../../src/ingestion/drain/checkpoint.ts';
import {Journal, type NewRecord} from '../../../src/ingestion/journal/journal.ts';
import {type Client, clientOf, login, startTestService, type TestService} from '../../support/service.ts';
import {testTenants} from '../../support/tenants.ts';

const test = (anyTest as TestFn<{service: TestService; dataDir: string; letters: string}>).serial;
const RECEIVED = Date.UTC(2026, 2, 10, 12);
/** Long enough to be found nowhere by chance. */
const SECRET = '8c1d5a0e77f94b6e9a42';
const GOOD = 2_000;

function visit(agent: string, more: object = {}) {
	return {
		$type: 'SITE_VISIT',
		$ts: RECEIVED,
		$user_agent_id: `vec:${agent}`,
		$events: [{$event_name: 'view'}],
		...more,
	};
}

/** One before 1970 among two thousand, and a text cut in half: no door would let them in. */
const POISON = visit(`p${SECRET}`, {$ts: -5, price: 1});
const TORN = `{"$type": "SITE_VISIT", "$user_agent_id": "vec:torn${SECRET}", `;

/** Into the journal of a stopped service, as if its doors had let them in. */
async function intoJournal(dataDir: string, datamartId: number, bodies: readonly string[]): Promise<void> {
	const directory = join(dataDir, 'journal');
	const {nextArrival} = await new CheckpointFile(directory).read();
	const journal = await Journal.open({directory, nextArrival});
	const record = (body: string): NewRecord => ({
		datamartId,
		defaultCompartmentId: 1,
		receivedMs: RECEIVED,
		rows: 1,
		userAgent: '',
		body: Buffer.from(body),
	});
	await journal.append(bodies.map(record));
	await journal.close();
}

test.before(async t => {
	const dataDir = mkdtempSync(join(tmpdir(), 'millrace-letters-'));
	const first = await startTestService({}, dataDir);
	await first.stop();
	const people = Array.from({length: GOOD}, (_, index) => JSON.stringify(visit(`good${index}`)));
	people.splice(1_000, 0, JSON.stringify(POISON), TORN);
	await intoJournal(dataDir, Number(first.datamartId), people);
	const service = await startTestService({}, dataDir);
	t.context = {service, dataDir, letters: `/v1/datamarts/${service.datamartId}/dead_letters`};
	// It comes behind them all: once it is queryable, they have been dealt with.
	await service.post(`/v1/datamarts/${service.datamartId}/user_activities?async=false`, {$type: 'MARKER'});
});
test.after.always(async t => {
	await t.context.service?.stop();
	rmSync(t.context.dataDir, {recursive: true, force: true});
});

async function people(service: TestService): Promise<number> {
	const {body} = await service.post(`/v1/datamarts/${service.datamartId}/user_analytics_funnel`, {
		for: [{name: 'any', filter_clause: {operator: 'AND', filters: []}}],
		in: {type: 'DATES', start_date: '2026-03-01', end_date: '2026-04-01'},
	});
	return body.data.global.total;
}

async function newUser(service: TestService, role: 'READER' | 'EDITOR', own: boolean): Promise<Client> {
	const tenants = await testTenants(service.database);
	const organisation = own
		? tenants.directory.organisation(Number(service.organisationId))!
		: await tenants.organisation(await tenants.community());
	const {email} = await tenants.user(organisation, own ? role : 'ORGANISATION_ADMIN');
	const token = await login(service.url, {email, password: 'correct horse'});
	// The service's own picture of the tenants follows within half a second.
	await new Promise(resolve => setTimeout(resolve, 700));
	return clientOf(service.url, token);
}

test('what cannot be stored is listed with its reason, and everything around it is in the reports', async t => {
	const {service, letters} = t.context;
	t.is(await people(service), GOOD);
	const {status, body} = await service.get(letters);
	t.is(status, 200);
	t.like(body, {count: 2, total: 2, first_result: 0, max_results: 50});
	t.deepEqual(
		body.data.map(({reason, replayable, received_ts}: never) => ({reason, replayable, received_ts})),
		[
			{reason: 'unreadable', replayable: true, received_ts: RECEIVED},
			{reason: 'facts_failed', replayable: true, received_ts: RECEIVED},
		],
	);
	t.false(JSON.stringify(body).includes(SECRET), 'a list quotes nobody');

	const filtered = (await service.get(`${letters}?reason=unreadable&max_results=1`)).body;
	t.like(filtered, {count: 1, total: 1, max_results: 1});
	const unknown = await service.get(`${letters}?reason=bad_luck`);
	t.is(unknown.status, 400);
	t.is(unknown.body.errors[0].pointer, '?reason');
});

test('a letter is read with its activity as it was accepted and with what is wrong with it', async t => {
	const {service, letters} = t.context;
	const [torn, poison] = (await service.get(letters)).body.data;
	const read = (await service.get(`${letters}/${poison.id}`)).body.data;
	t.deepEqual(read.activity, POISON);
	t.deepEqual(
		read.errors.map(({pointer}: {pointer: string}) => pointer),
		['/$ts'],
	);
	const text = (await service.get(`${letters}/${torn.id}`)).body.data;
	t.is(text.activity, null);
	t.is(text.activity_text, TORN);
	t.is(text.errors.length, 1);
	for (const id of ['0', '999999', 'x']) {
		const missing = await service.get(`${letters}/${id}`);
		t.is(missing.status, 404);
		t.like(missing.body, {error: 'Resource Not Found', error_code: 'dead_letter_not_found'});
	}
});

test('its text stands sealed, in no file and in no value of the table', async t => {
	const {service, dataDir} = t.context;
	const rows = await service.database.run(sql => sql('dead_letters').select('*'));
	t.is(rows.length, 2);
	for (const row of rows) {
		const values = Object.values(row).map(value =>
			Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
		);
		t.false(values.join().includes(SECRET));
	}
	await service.database.run(sql => sql.raw('checkpoint'));
	const server = await service.database.run(sql => sql.raw('show data_directory'));
	const directory = service.database.embedded ? join(dataDir, 'postgres') : server.rows[0].data_directory;
	if (!existsSync(directory)) return t.log('files SKIPPED: PostgreSQL has them on another machine');
	const files = readdirSync(directory, {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile())
		.map(entry => join(entry.parentPath, entry.name));
	t.true(files.length > 100);
	const holding = (text: string) => files.filter(file => readFileSync(file).includes(text));
	t.true(holding('it is not an activity in JSON').length > 0, 'the letters are in these files');
	t.deepEqual(holding(SECRET), []);
});

test('nobody of another organisation sees it, a reader may not look, and an editor may not replay', async t => {
	const {service, letters} = t.context;
	const {id} = (await service.get(letters)).body.data[0];
	const asks: ((client: Client) => ReturnType<Client['get']>)[] = [
		client => client.get(letters),
		client => client.get(`${letters}/${id}`),
		client => client.post(`${letters}/${id}/replay`, visit('thief')),
		client => client.request('DELETE', `${letters}/${id}`),
	];
	const statuses = async (client: Client) => Promise.all(asks.map(async ask => (await ask(client)).status));
	t.deepEqual(await statuses(await newUser(service, 'EDITOR', false)), [404, 404, 404, 404]);
	t.deepEqual(await statuses(await newUser(service, 'READER', true)), [403, 403, 403, 403]);
	t.deepEqual(await statuses(await newUser(service, 'EDITOR', true)), [200, 200, 403, 403]);
	t.is((await service.get(letters)).body.total, 2);
});

test('a letter of another datamart is not this one’s', async t => {
	const {service, letters} = t.context;
	const {id} = (await service.get(letters)).body.data[0];
	const body = {organisation_id: service.organisationId, name: 'other', time_zone: 'UTC'};
	const other = await service.post('/v1/datamarts', body);
	t.is(other.status, 200, JSON.stringify(other.body));
	const there = `/v1/datamarts/${other.body.data.id}/dead_letters`;
	t.is((await service.get(there)).body.total, 0);
	t.is((await service.get(`${there}/${id}`)).status, 404);
	t.is((await service.post(`${there}/${id}/replay`, visit('other'))).status, 404);
	t.is((await service.request('DELETE', `${there}/${id}`)).status, 404);
});

test('a replay goes through the same checks as a door, and the letter stays where they refuse it', async t => {
	const {service, letters} = t.context;
	const [torn, poison] = (await service.get(letters)).body.data;
	const again = await service.post(`${letters}/${poison.id}/replay`, '');
	t.is(again.status, 400);
	t.like(again.body, {error_code: 'timestamp_out_of_range', errors: [{pointer: '/$ts'}]});
	t.is((await service.post(`${letters}/${torn.id}/replay`, '')).body.error_code, 'json_malformed');
	const wrong = await service.post(`${letters}/${torn.id}/replay`, {$type: ''});
	t.is(wrong.body.errors[0].pointer, '/$type');
	const foreign = visit('a', {$user_account_id: 'a', $compartment_id: '424242'});
	const {body} = await service.post(`${letters}/${poison.id}/replay`, foreign);
	t.is(body.error_code, 'compartment_unknown');
	t.is((await service.get(letters)).body.total, 2);
});

test('fixed and replayed it is in the reports once, however often the replay is asked for', async t => {
	const {service, letters} = t.context;
	const poison = (await service.get(`${letters}?reason=facts_failed`)).body.data[0];
	const replay = () => service.post(`${letters}/${poison.id}/replay?async=false`, {...POISON, $ts: RECEIVED});
	const answers = await Promise.all([replay(), replay(), replay()]);
	t.true(answers.some(({status}) => status === 200));
	for (const {status, body} of answers) {
		if (status === 200) t.deepEqual(body.data, {id: poison.id, result: 'accepted'});
		else t.is(body.error_code, 'dead_letter_replayed');
	}
	const late = await replay();
	t.is(late.status, 409);
	t.is(late.body.error_code, 'dead_letter_replayed');
	t.is(await people(service), GOOD + 1);
	const selector = `user_agent_id=vec:p${SECRET}`;
	const timeline = await service.get(
		`/v1/datamarts/${service.datamartId}/user_timelines/${selector}/user_activities`,
	);
	t.is(timeline.body.total, 1);
	t.deepEqual(timeline.body.data[0], {...POISON, $ts: RECEIVED});
	t.is((await service.get(`${letters}/${poison.id}`)).status, 404);
	t.is((await service.get(letters)).body.total, 1);
});

test('a removed letter is gone, its activity with it', async t => {
	const {service, letters} = t.context;
	const [{id}] = (await service.get(letters)).body.data;
	t.is((await service.request('DELETE', `${letters}/${id}`)).status, 200);
	t.is((await service.request('DELETE', `${letters}/${id}`)).status, 404);
	t.is((await service.post(`${letters}/${id}/replay`, visit('late'))).status, 404);
	t.is((await service.get(letters)).body.total, 0);
	const rows = await service.database.run(sql => sql('dead_letters').whereNotNull('sealed'));
	t.deepEqual(rows, []);
});

test('an activity that is stored without its full user point is told of, and not replayed', async t => {
	const {service, letters} = t.context;
	const kiosk = Array.from({length: 1_001}, (_, index) => ({
		...visit(`kiosk${index}`),
		$user_account_id: 'kiosk',
	}));
	await service.post(`/v1/datamarts/${service.datamartId}/user_activities?async=false`, kiosk);
	const {data, total} = (await service.get(`${letters}?reason=identifier_cap`)).body;
	t.is(total, 2);
	t.false(data[0].replayable);
	const replay = await service.post(`${letters}/${data[0].id}/replay`, '');
	t.is(replay.status, 409);
	t.is(replay.body.error_code, 'dead_letter_not_replayable');
	t.is((await service.request('DELETE', `${letters}/${data[0].id}`)).status, 200);
});

test('every stage tells its numbers', async t => {
	const {service} = t.context;
	await service.post(`/v1/datamarts/${service.datamartId}/user_activities`, {$type: ''});
	const text: string = (await clientOf(service.url).get('/metrics')).body;
	const value = (name: string) => {
		const line = text.split('\n').find(each => each.startsWith(`${name} `));
		return line === undefined ? undefined : Number(line.slice(name.length + 1));
	};
	t.is(value('millrace_dead_letters_total{reason="unreadable"}'), 1);
	t.is(value('millrace_dead_letters_total{reason="facts_failed"}'), 1);
	t.is(value('millrace_dead_letters_total{reason="identifier_cap"}'), 2);
	t.is(value('millrace_accepted_activities_total{door="single"}'), 1);
	t.is(value('millrace_accepted_activities_total{door="many"}'), 1_001);
	t.is(value('millrace_refused_activities_total{door="single",code="field_invalid"}'), 1);
	t.true(value('millrace_accepted_activities_total{door="replay"}')! >= 1);
	t.true(value('millrace_drained_activities_total')! >= GOOD + 1_002);
	t.is(value('millrace_drain_backlog_activities'), 0);
	t.is(value('millrace_drain_oldest_seconds'), 0);
	t.is(value('millrace_drain_backlog_bytes'), 0);
	t.true(value('millrace_journal_appended_bytes_total')! > 100_000);
	for (const name of ['journal_group_records', 'journal_sync_seconds', 'drain_batch_seconds'])
		t.true(value(`millrace_${name}_count`)! > 0, name);
	t.true(value('millrace_drain_batch_activities_sum')! >= GOOD + 1_002);
	t.true(value('millrace_drain_batch_bytes_sum')! > 100_000);
});
