import {randomUUID} from 'node:crypto';
import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {startTestService, type TestService} from '../../support/service.ts';
import {ended, execute, imported, lines, newImport} from '../support/imports.ts';

let service: TestService;
test.before(async () => {
	service = await startTestService();
});
test.after.always(async () => {
	await service?.stop();
});

const activity = (agent: string, more: object = {}) => ({
	$type: 'SITE_VISIT',
	$ts: Date.now(),
	$user_identifiers: [{$type: 'USER_AGENT', $user_agent_id: agent}],
	$events: [{$event_name: '$page_view', $ts: Date.now(), $properties: {}}],
	...more,
});

const timeline = async (agent: string) => {
	const path = `/v1/datamarts/${service.datamartId}/user_timelines/user_agent_id=${agent}/user_activities`;
	return (await service.get(path)).body;
};
const identifiers = (selector: string) =>
	service.get(`/v1/datamarts/${service.datamartId}/user_identifiers/${selector}`);

async function errorLines(uri: string) {
	const {status, body} = await service.get(`/v1/data_file/data?uri=${encodeURIComponent(uri)}`);
	if (status !== 200) return {status};
	// One line is parsed by the client already.
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return {
		status,
		lines: text
			.trim()
			.split('\n')
			.map(line => JSON.parse(line)),
	};
}

test('a document import is created, listed, read, renamed and removed', async t => {
	const made = await newImport(service, service.datamartId, 'USER_ACTIVITY');
	const path = `/v1/datamarts/${service.datamartId}/document_imports`;
	t.like(made, {
		datamart_id: service.datamartId,
		document_type: 'USER_ACTIVITY',
		mime_type: 'APPLICATION_X_NDJSON',
		encoding: 'utf-8',
		priority: 'MEDIUM',
	});
	t.deepEqual((await service.get(`${path}/${made.id}`)).body.data, made);
	const renamed = await service.request('PUT', `${path}/${made.id}`, {
		name: 'Another name',
		priority: 'HIGH',
	});
	t.like(renamed.body.data, {id: made.id, name: 'Another name', priority: 'HIGH'});
	const found = await service.get(`${path}?keywords=ANOTHER`);
	t.deepEqual(
		found.body.data.map(({id}: {id: string}) => id),
		[made.id],
	);
	const retyped = await service.request('PUT', `${path}/${made.id}`, {document_type: 'USER_SEGMENT'});
	t.is(retyped.status, 400);
	t.is((await service.request('DELETE', `${path}/${made.id}`)).body.status, 'ok');
	const gone = await service.get(`${path}/${made.id}`);
	t.deepEqual(
		[gone.status, gone.body.error, gone.body.error_code],
		[404, 'Resource Not Found', 'document_import_not_found'],
	);
	t.is((await service.get(`${path}/${made.id}/executions`)).status, 404);
});

test('whoever copies the misspelt path of the published examples has their file done', async t => {
	const made = await newImport(service, service.datamartId, 'USER_ACTIVITY');
	const path = `/v1/datamarts/${service.datamartId}/documents_imports/${made.id}`;
	const file = JSON.stringify(activity('vec:misspelt'));

	const posted = await service.post(`${path}/executions`, file, {'content-type': 'application/x-ndjson'});

	t.is(posted.status, 200);
	t.is((await service.get(`${path}/executions/${posted.body.data.id}`)).body.data.id, posted.body.data.id);
	t.is((await service.get(path)).body.data.id, made.id);
});

for (const [what, change, pointer] of [
	['a deletion from CSV', {mime_type: 'TEXT_CSV'}, '/mime_type'],
	['a type that is not served', {document_type: 'USER_PROFILE'}, '/document_type'],
	['an encoding that is not UTF-8', {encoding: 'iso-8859-1'}, '/encoding'],
	['an empty name', {name: ' '}, '/name'],
] as const) {
	test(`${what} is refused when the import is made, by the field's name`, async t => {
		const {status, body} = await service.post(`/v1/datamarts/${service.datamartId}/document_imports`, {
			document_type: 'USER_IDENTIFIERS_DELETION',
			mime_type: 'APPLICATION_X_NDJSON',
			encoding: 'utf-8',
			name: 'refused',
			...change,
		});
		t.is(status, 400);
		t.is(body.errors[0].pointer, pointer);
	});
}

test('imported activities are in their timelines, the bad lines are told of by number, and the counts add up', async t => {
	const [ann, bob] = [`vec:${randomUUID()}`, `vec:${randomUUID()}`];
	const file = `${lines([activity(ann), activity(bob)])}not json\n${lines([{$ts: 1}])}\n${lines([activity(ann)])}`;
	const {path, answer} = await execute(service, service.datamartId, 'USER_ACTIVITY', file);
	t.like(answer.body.data, {
		status: 'PENDING',
		num_tasks: 5,
		completed_tasks: 0,
		external_model_name: 'PUBLIC_DOCUMENT_IMPORT',
		start_date: null,
		duration: null,
		result: null,
		error: null,
	});
	t.like(answer.body.data.parameters, {
		datamart_id: Number(service.datamartId),
		document_type: 'USER_ACTIVITY',
	});
	const done = await ended(service, `${path}/${answer.body.data.id}`);
	t.like(done, {status: 'SUCCEEDED', num_tasks: 5, completed_tasks: 3, erroneous_tasks: 2, retry_count: 0});
	t.like(done.result, {total_success: 3, total_failure: 2});
	const faults = await errorLines(done.result.error_file_uri);
	t.deepEqual(
		faults.lines?.map(({line, pointer}) => [line, pointer]),
		[
			[3, ''],
			[4, '/$type'],
		],
	);
	t.is((await timeline(ann)).total, 2);
	t.is((await timeline(bob)).total, 1);
	const input = await service.get(`/v1/data_file/data?uri=${encodeURIComponent(done.result.input_file_uri)}`);
	t.is(input.status, 200);
	const listed = await service.get(path);
	t.deepEqual(listed.body.data, [done]);
});

test('a person enters and leaves segments by a file; who is unknown is a bad line', async t => {
	const [ann, bob] = [`vec:${randomUUID()}`, `vec:${randomUUID()}`];
	await imported(service, service.datamartId, 'USER_ACTIVITY', lines([activity(ann), activity(bob)]));
	const done = await imported(
		service,
		service.datamartId,
		'USER_SEGMENT',
		lines([
			{
				operation: 'UPDATE',
				user_agent_id: ann,
				segment_id: 'vip',
				expiration_duration: 0,
				data_bag: '{"a":1}',
			},
			{operation: 'UPDATE', user_agent_id: bob, segment_id: 7, expiration_duration: 60},
			{operation: 'UPDATE', user_agent_id: bob, segment_id: 'left', expiration_duration: 0},
			{operation: 'DELETE', user_agent_id: bob, segment_id: 'left', expiration_duration: 0},
			{operation: 'UPDATE', user_agent_id: 'vec:nobody', segment_id: 'vip', expiration_duration: 0},
			{operation: 'UPDATE', user_agent_id: ann, email_hash: 'x', segment_id: 'vip'},
			{operation: 'UPDATE', user_agent_id: ann, segment_id: 'no id'},
		]),
	);
	t.like(done, {status: 'SUCCEEDED', completed_tasks: 4, erroneous_tasks: 3});
	const faults = await errorLines(done.result.error_file_uri);
	t.deepEqual(
		faults.lines?.map(({line, pointer}) => [line, pointer]),
		[
			[5, ''],
			[6, ''],
			[7, '/segment_id'],
		],
	);
	const segmentsOf = async (agent: string) => {
		const path = `/v1/datamarts/${service.datamartId}/user_points/user_agent_id=${agent}/user_segments`;
		return (await service.get(path)).body.data;
	};
	t.deepEqual(
		(await segmentsOf(ann)).map((each: {segment_id: string}) => each.segment_id),
		['vip'],
	);
	const [membership, ...others] = await segmentsOf(bob);
	t.deepEqual(others, []);
	t.is(membership.segment_id, '7');
	t.true(Math.abs(membership.expiration_ts - Date.now() - 3_600_000) < 60_000);
});

test('identifiers are declared one person’s, one declaration at a time or a file of them', async t => {
	const [agent, account, other] = [`vec:${randomUUID()}`, randomUUID(), `vec:${randomUUID()}`];
	await imported(service, service.datamartId, 'USER_ACTIVITY', lines([activity(agent), activity(other)]));
	const path = `/v1/datamarts/${service.datamartId}/user_identifiers_association_declarations`;
	const declared = await service.post(path, {
		identifiers: [
			{type: 'USER_ACCOUNT', user_account_id: account},
			{type: 'USER_AGENT', user_agent_id: agent},
		],
	});
	t.is(declared.body.status, 'ok');
	const found = (await identifiers(`user_account_id=${account}`)).body.data;
	t.deepEqual(found.map(({type}: {type: string}) => type).sort(), [
		'USER_ACCOUNT',
		'USER_AGENT',
		'USER_POINT',
	]);
	const done = await imported(
		service,
		service.datamartId,
		'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS',
		lines([
			{
				identifiers: [
					{type: 'USER_AGENT', user_agent_id: other},
					{type: 'USER_ACCOUNT', user_account_id: account},
				],
			},
			{identifiers: []},
			{identifiers: [{type: 'USER_ACCOUNT', user_account_id: account, compartment_id: '999999'}]},
		]),
	);
	t.like(done, {status: 'SUCCEEDED', completed_tasks: 1, erroneous_tasks: 2});
	t.is((await identifiers(`user_agent_id=${other}`)).body.data.length, 4);
	t.is((await timeline(agent)).total, 2, 'what both did counts under one');
	const refused = await service.post(path, {
		identifiers: [{type: 'USER_ACCOUNT', user_account_id: account, compartment_id: '999999'}],
	});
	t.deepEqual([refused.status, refused.body.error_code], [400, 'compartment_unknown']);
});

test('the field’s own deletion sample works: objects over several lines, the compartment a text', async t => {
	const [account, agent, hash] = [randomUUID(), `vec:${randomUUID()}`, randomUUID()];
	const compartments = await service.get(`/v1/datamarts/${service.datamartId}/compartments`);
	const compartmentId = compartments.body.data[0].id;
	await imported(
		service,
		service.datamartId,
		'USER_ACTIVITY',
		lines([
			activity(agent, {
				$user_identifiers: [
					{$type: 'USER_AGENT', $user_agent_id: agent},
					{$type: 'USER_ACCOUNT', $user_account_id: account, $compartment_id: compartmentId},
					{$type: 'USER_EMAIL', $hash: hash, $email: `${hash}@example.org`},
					{$type: 'USER_AGENT', $user_agent_id: `${agent}-stays`},
				],
			}),
		]),
	);
	const file = `{
		"type": "USER_ACCOUNT",
		"compartment_id": "${compartmentId}",
		"user_account_id": "${account}"
	}
	{
		"type": "USER_EMAIL",
		"hash": "${hash}"
	}
	{ "type": "USER_AGENT", "user_agent_id": "${agent}" }
	{ "type": "USER_AGENT" }
	{ "type": "USER_AGENT", "user_agent_id": "${agent}" }`;
	const done = await imported(service, service.datamartId, 'USER_IDENTIFIERS_DELETION', file);
	t.like(done, {status: 'SUCCEEDED', num_tasks: 5, completed_tasks: 4, erroneous_tasks: 1});
	t.like(done.result.receipt, {found: 3, removed: 3, unknown: 1});
	const receipt = await errorLines(done.result.receipt.receipt_file_uri);
	t.deepEqual(
		receipt.lines?.map(({line, result}) => [line, result]),
		[
			[1, 'removed'],
			[6, 'removed'],
			[10, 'removed'],
			[12, 'unknown'],
		],
	);
	t.deepEqual((await errorLines(done.result.error_file_uri)).lines, [
		{line: 11, pointer: '/user_agent_id', message: 'Invalid input: expected string, received undefined'},
	]);
	t.is(done.result.input_file_uri, null);
	t.is((await errorLines(done.parameters.file_uri)).status, 404, 'the input holds identifiers');
	for (const selector of [`user_account_id=${account}`, `email_hash=${hash}`, `user_agent_id=${agent}`]) {
		t.is((await identifiers(selector)).status, 404, selector);
	}
	const stays = await timeline(`${agent}-stays`);
	t.is(stays.total, 1, 'the user point and its activities stay');
	t.deepEqual(
		stays.data[0].$user_identifiers.map((each: Record<string, unknown>) => each.$user_agent_id ?? null),
		[null, null, null, `${agent}-stays`],
	);
	await service.post(`/v1/datamarts/${service.datamartId}/user_activities?async=false`, activity(agent));
	t.is((await timeline(agent)).total, 1, 'who comes with it later is somebody new');
	t.is((await timeline(`${agent}-stays`)).total, 1);
});

test('a form of the UI brings a file as well as a bare body does', async t => {
	const agent = `vec:${randomUUID()}`;
	const {id} = await newImport(service, service.datamartId, 'USER_ACTIVITY');
	const path = `/v1/datamarts/${service.datamartId}/document_imports/${id}/executions`;
	const form = new FormData();
	form.set('file', new Blob([lines([activity(agent)])], {type: 'application/x-ndjson'}), 'day one.ndjson');
	form.set('type', 'application/x-ndjson');
	const response = await fetch(service.url + path, {
		method: 'POST',
		headers: {authorization: `Bearer ${service.token}`},
		body: form,
	});
	const {data} = (await response.json()) as {data: {id: string}};
	const done = await ended(service, `${path}/${data.id}`);
	t.is(done.result.input_file_name, 'day one.ndjson');
	t.is((await timeline(agent)).total, 1);
});

test('an execution that waits for another is canceled at once; one that ended cannot be', async t => {
	const {id} = await newImport(service, service.datamartId, 'USER_ACTIVITY');
	const path = `/v1/datamarts/${service.datamartId}/document_imports/${id}/executions`;
	const ndjson = {'content-type': 'application/x-ndjson'};
	const many = lines(Array.from({length: 40_000}, (_, index) => activity(`vec:cancel-${index}`)));
	const first = (await service.post(path, many, ndjson)).body.data;
	const agent = `vec:${randomUUID()}`;
	const second = (await service.post(path, lines([activity(agent)]), ndjson)).body.data;
	const canceled = await service.post(`${path}/${second.id}/action`, {action: 'CANCEL'});
	t.like(canceled.body.data, {status: 'CANCELED', cancel_status: 'DONE', completed_tasks: 0});
	const listed = await service.get(path);
	t.deepEqual(
		listed.body.data.map((each: {id: string}) => each.id),
		[second.id, first.id],
		'newest first',
	);
	for (let done = 0; done === 0; await delay(5)) {
		done = (await service.get(`${path}/${first.id}`)).body.data.completed_tasks;
	}
	const running = await service.post(`${path}/${first.id}/action`, {action: 'CANCEL'});
	t.is(running.status, 200);
	const ending = await ended(service, `${path}/${first.id}`);
	t.is(ending.status, 'CANCELED');
	t.true(ending.completed_tasks < 40_000);
	t.is(ending.result.total_success, ending.completed_tasks);
	const again = await service.post(`${path}/${first.id}/action`, {action: 'CANCEL'});
	t.deepEqual([again.status, again.body.error_code], [409, 'job_execution_ended']);
	const bad = await service.post(`${path}/${first.id}/action`, {action: 'PAUSE'});
	t.is(bad.status, 400);
	await delay(300);
	t.is((await timeline(agent)).status, 'error', 'what was canceled was not done');
});
