import {setTimeout as delay} from 'node:timers/promises';
import anyTest, {type TestFn} from 'ava';
import {type Client, clientOf, login, startTestService, type TestService} from '../../support/service.ts';
import {testTenants} from '../../support/tenants.ts';
import {ended, execute, imported, lines} from '../support/imports.ts';

const test = (anyTest as TestFn<{service: TestService; execution: string; id: string}>).serial;
const agent = (id: string) => ({type: 'USER_AGENT', user_agent_id: `vec:${id}`});

/** A deletion of somebody known, named twice, of somebody unknown, and of an account; one line is bad. */
test.before(async t => {
	const service = await startTestService();
	const {datamartId} = service;
	const account = {type: 'USER_ACCOUNT', user_account_id: 'ann'};
	await imported(
		service,
		datamartId,
		'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS',
		lines([{identifiers: [agent('ann'), account]}]),
	);
	const file = `${lines([agent('ann'), agent('nobody')])}bad\n${lines([agent('ann'), account])}`;
	const {path, answer} = await execute(service, datamartId, 'USER_IDENTIFIERS_DELETION', file);
	const execution = `${path}/${answer.body.data.id}`;
	await ended(service, execution);
	t.context = {service, execution, id: answer.body.data.id};
});
test.after.always(t => t.context.service?.stop());

const ask = (client: Client, execution: string, identifier: object) =>
	client.post(`${execution}/receipt/verification`, identifier);

test('an administrator learns of an identifier whether it was deleted, where it stood, and that the receipt is genuine', async t => {
	const {service, execution} = t.context;
	const {finished_ts} = (await service.get(execution)).body.data.result.receipt;
	t.deepEqual((await ask(service, execution, agent('ann'))).body, {
		status: 'ok',
		data: {
			was_deleted: true,
			lines: [
				{line: 1, result: 'removed'},
				{line: 4, result: 'unknown'},
			],
			finished_ts,
			receipt_valid: true,
		},
	});
	const accountWithCompartment = async (compartment_id: unknown) =>
		ask(service, execution, {type: 'USER_ACCOUNT', user_account_id: 'ann', compartment_id});
	t.like((await accountWithCompartment(undefined)).body.data, {was_deleted: true, receipt_valid: true});
	t.like((await ask(service, execution, agent('nobody'))).body.data, {
		was_deleted: false,
		lines: [{line: 2, result: 'unknown'}],
	});
	for (const other of [agent('bob'), {type: 'USER_EMAIL', hash: 'vec:ann'}]) {
		t.like((await ask(service, execution, other)).body.data, {
			was_deleted: false,
			lines: [],
			receipt_valid: true,
		});
	}
	const elsewhere = await accountWithCompartment('987654');
	t.is(elsewhere.status, 400);
	t.like(elsewhere.body, {error_code: 'compartment_unknown', errors: [{pointer: '/compartment_id'}]});
});

test('what is no identifier is refused, and an execution without a receipt has none to verify', async t => {
	const {service, execution, id} = t.context;
	for (const body of [
		{},
		{type: 'USER_POINT', user_point_id: '1'},
		{type: 'USER_AGENT', user_agent_id: ''},
	]) {
		t.is((await ask(service, execution, body)).status, 400);
	}
	const missing = await ask(service, execution.replace(/\d+$/, '987654'), agent('ann'));
	t.is(missing.status, 404);
	t.is(missing.body.error, 'Resource Not Found');
	const {path, answer} = await execute(
		service,
		service.datamartId,
		'USER_ACTIVITY',
		lines([{$type: 'SITE_VISIT', $ts: Date.now()}]),
	);
	const other = `${path}/${answer.body.data.id}`;
	await ended(service, other);
	const none = await ask(service, other, agent('ann'));
	t.is(none.status, 409);
	t.is(none.body.error_code, 'deletion_receipt_missing');
	t.is((await ask(service, `${path}/${id}`, agent('ann'))).status, 404, 'another import’s execution');
});

test('editors and strangers do not learn who was deleted; who asked stands in the trail, whom they asked for does not', async t => {
	const {service, execution} = t.context;
	const tenants = await testTenants(service.database);
	const own = tenants.directory.organisation(Number(service.organisationId))!;
	const foreign = await tenants.organisation(await tenants.community());
	const editor = await tenants.user(own, 'EDITOR');
	const stranger = await tenants.user(foreign, 'ORGANISATION_ADMIN');
	await delay(700);
	const as = async ({email}: {readonly email: string}) =>
		clientOf(service.url, await login(service.url, {email, password: 'correct horse'}));
	t.is((await ask(await as(editor), execution, agent('ann'))).status, 403);
	t.is((await ask(await as(stranger), execution, agent('ann'))).status, 404);
	t.is((await ask(clientOf(service.url), execution, agent('ann'))).status, 401);
	const trail = (
		await service.get(`/v1/organisations/${service.organisationId}/audit_events?max_results=500`)
	).body;
	const events = JSON.stringify(trail);
	t.true(events.includes('deletion_receipt_verified'));
	t.false(events.includes('vec:ann'));
});

test('a receipt whose sums or whose file were changed afterwards is told from a genuine one', async t => {
	const {service, execution, id} = t.context;
	const change = (statement: string, values: readonly unknown[]) =>
		service.database.run(sql => sql.raw(statement, values as never));
	await change(
		`UPDATE job_executions SET result = jsonb_set(result, '{details,receipt,removed}', '7') WHERE id = ?`,
		[id],
	);
	t.like((await ask(service, execution, agent('ann'))).body.data, {was_deleted: true, receipt_valid: false});
	await change(
		`UPDATE job_executions SET result = jsonb_set(result, '{details,receipt,removed}', '2') WHERE id = ?`,
		[id],
	);
	t.true((await ask(service, execution, agent('ann'))).body.data.receipt_valid);
	// As somebody would who can write the store: another deletion's receipt in place of this one's.
	const other = await imported(
		service,
		service.datamartId,
		'USER_IDENTIFIERS_DELETION',
		lines([agent('zoe')]),
	);
	await change(
		`UPDATE data_files SET blob_key = (SELECT blob_key FROM data_files WHERE path = ?) WHERE path = ?`,
		[`job_executions/${other.id}/receipt.ndjson`, `job_executions/${id}/receipt.ndjson`],
	);
	t.like((await ask(service, execution, agent('ann'))).body.data, {was_deleted: false, receipt_valid: false});
});
