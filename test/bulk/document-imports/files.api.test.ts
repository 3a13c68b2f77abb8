import {randomUUID} from 'node:crypto';
import {promisify} from 'node:util';
import {brotliCompress, constants, gzipSync} from 'node:zlib';
import test from 'ava';
import {startTestService, type TestService} from '../../support/service.ts';
import {testTenants} from '../../support/tenants.ts';
import {ended, execute, imported, lines, newImport} from '../support/imports.ts';

let service: TestService;
test.before(async () => {
	service = await startTestService();
});
test.after.always(async () => {
	await service?.stop();
});

const deletion = (agent: string) => JSON.stringify({type: 'USER_AGENT', user_agent_id: agent});
const visit = (agent: string) => ({
	$type: 'SITE_VISIT',
	$ts: Date.now(),
	$user_identifiers: [{$type: 'USER_AGENT', $user_agent_id: agent}],
});
const isKnown = async (agent: string) => {
	const path = `/v1/datamarts/${service.datamartId}/user_identifiers/user_agent_id=${agent}`;
	return (await service.get(path)).status === 200;
};
async function somebody(): Promise<string> {
	const agent = `vec:${randomUUID()}`;
	await service.post(`/v1/datamarts/${service.datamartId}/user_activities?async=false`, visit(agent));
	return agent;
}
const MEGABYTE = 1024 * 1024;

for (const [what, fileOf, status, code, said] of [
	['an empty file', () => '', 400, 'body_missing', /empty/],
	['nothing but blank lines', () => '\n \n\n', 400, 'body_missing', /nothing/],
	['a JSON array', (a: string) => `[${deletion(a)}]`, 400, 'json_malformed', /line 1 begins an array/],
	[
		'lines joined by commas',
		(a: string) => `${deletion(a)},\n${deletion(a)}`,
		400,
		'json_malformed',
		/line 1 .*comma/,
	],
	[
		'values joined by commas',
		(a: string) => `${deletion('x')}\n${deletion(a)},${deletion(a)}`,
		400,
		'json_malformed',
		/line 2 .*comma/,
	],
	[
		'CSV',
		(a: string) => `type,user_agent_id\nUSER_AGENT,${a}\n`,
		400,
		'json_malformed',
		/line 1 is not a JSON object/,
	],
	[
		'one cut off object',
		(a: string) => deletion(a).slice(0, -1),
		400,
		'json_malformed',
		/line 1 is not valid JSON/,
	],
	[
		'latin-1',
		(a: string) => Buffer.from(`${deletion(a)}\n${deletion('caf\u00e9')}`, 'latin1'),
		400,
		'encoding_invalid',
		/line 2 is not UTF-8/,
	],
	[
		'a character cut off at the end',
		(a: string) => Buffer.concat([Buffer.from(`${deletion(a)}\n`), Buffer.from([0xc3])]),
		400,
		'encoding_invalid',
		/line 2/,
	],
	[
		'a line of 50 MB alone',
		(a: string) => deletion(a + 'x'.repeat(50 * MEGABYTE)),
		400,
		'json_malformed',
		/line 1 is longer/,
	],
	[
		'more than 100 MB',
		(a: string) => `${deletion(a)}\n`.padEnd(100 * MEGABYTE + 1),
		413,
		'body_too_large',
		/104857600/,
	],
] as const) {
	test.serial(`${what} is refused at the POST, and nothing is deleted`, async t => {
		const agent = await somebody();
		const {path, answer} = await execute(
			service,
			service.datamartId,
			'USER_IDENTIFIERS_DELETION',
			fileOf(agent),
		);
		t.deepEqual([answer.status, answer.body.error_code], [status, code]);
		t.regex(answer.body.error, said);
		t.true(await isKnown(agent));
		t.is((await service.get(path)).body.total, 0, 'no execution was made');
	});
}

for (const [what, fileOf, bad] of [
	[
		'a line of 50 MB among others',
		(a: string) => `${deletion('x'.repeat(50 * MEGABYTE))}\n${deletion(a)}\n`,
		[1],
	],
	[
		'lines that are no JSON',
		(a: string) => `not json\n${deletion(a)}\n{"type": "USER_AGENT", "user_agent_id": "x\n`,
		[1, 3],
	],
	[
		'lines of another shape',
		(a: string) => `{"type":"USER_POINT","user_point_id":"1"}\n${deletion(a)}\n{}\n`,
		[1, 3],
	],
	[
		'a byte order mark, CRLF and no newline at the end',
		(a: string) => `\uFEFF\r\n${deletion('vec:other')}\r\n\r\n${deletion(a)}`,
		[],
	],
	[
		'a compartment that is none of the datamart’s',
		(a: string) => `{"type":"USER_ACCOUNT","user_account_id":"x","compartment_id":987654}\n${deletion(a)}`,
		[1],
	],
	[
		'identifiers that identify nobody',
		(a: string) => `${deletion('')}\n${deletion('null')}\n${deletion(a)}`,
		[1, 2],
	],
] as const) {
	test.serial(`${what}: the good lines are done, the others told of by number`, async t => {
		const agent = await somebody();
		const done = await imported(service, service.datamartId, 'USER_IDENTIFIERS_DELETION', fileOf(agent));
		t.is(done.status, 'SUCCEEDED');
		t.is(done.erroneous_tasks, bad.length);
		t.is(done.num_tasks, done.completed_tasks + bad.length);
		t.false(await isKnown(agent));
		if (bad.length === 0) return t.is(done.result.error_file_uri, null);
		const uri = encodeURIComponent(done.result.error_file_uri);
		const {body} = await service.get(`/v1/data_file/data?uri=${uri}`);
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		t.deepEqual(
			text
				.trim()
				.split('\n')
				.map((each: string) => JSON.parse(each).line),
			[...bad],
		);
	});
}

test.serial(
	'a packed file is unpacked on its way to the disk, and a bomb is refused on that way',
	async t => {
		const agent = await somebody();
		const packed = gzipSync(Buffer.from(`${deletion(agent)}\n`));
		const headers = {'content-type': 'application/x-ndjson', 'content-encoding': 'gzip'};
		const {path, answer} = await execute(
			service,
			service.datamartId,
			'USER_IDENTIFIERS_DELETION',
			packed,
			headers,
		);
		t.is((await ended(service, `${path}/${answer.body.data.id}`)).status, 'SUCCEEDED');
		t.false(await isKnown(agent));

		const other = await somebody();
		const bomb = await promisify(brotliCompress)(Buffer.alloc(150 * MEGABYTE, `${deletion(other)}\n`), {
			params: {[constants.BROTLI_PARAM_QUALITY]: 1},
		});
		t.true(bomb.length < MEGABYTE);
		const refused = await execute(service, service.datamartId, 'USER_IDENTIFIERS_DELETION', bomb, {
			...headers,
			'content-encoding': 'br',
		});
		t.deepEqual([refused.answer.status, refused.answer.body.error_code], [413, 'body_too_large']);
		t.true(await isKnown(other));
		const unknown = await execute(service, service.datamartId, 'USER_IDENTIFIERS_DELETION', packed, {
			...headers,
			'content-encoding': 'lzma',
		});
		t.is(unknown.answer.status, 415);
	},
);

test.serial('a file that is called CSV is refused, as a body and in a form', async t => {
	const {id} = await newImport(service, service.datamartId, 'USER_IDENTIFIERS_DELETION');
	const path = `/v1/datamarts/${service.datamartId}/document_imports/${id}/executions`;
	const asBody = await service.post(path, deletion('x'), {'content-type': 'text/csv'});
	t.is(asBody.status, 400);
	const form = new FormData();
	form.set('file', new Blob([deletion('x')], {type: 'text/csv'}), 'x.csv');
	const asForm = await fetch(service.url + path, {
		method: 'POST',
		headers: {authorization: `Bearer ${service.token}`},
		body: form,
	});
	t.is(asForm.status, 400);
	const empty = new FormData();
	empty.set('type', 'application/x-ndjson');
	const noFile = await fetch(service.url + path, {
		method: 'POST',
		headers: {authorization: `Bearer ${service.token}`},
		body: empty,
	});
	t.is(noFile.status, 400);
});

test.serial('a datamart of an older user point system takes no deletions, and other imports', async t => {
	for (const [version, status] of [
		['v201812', 400],
		['v201901', 200],
		['v202601', 200],
	] as const) {
		const {body} = await service.post('/v1/datamarts', {
			name: version,
			organisation_id: service.organisationId,
			user_point_system_version: version,
		});
		t.is(body.data.user_point_system_version, version);
		const made = (document_type: string) =>
			service.post(`/v1/datamarts/${body.data.id}/document_imports`, {
				document_type,
				mime_type: 'APPLICATION_X_NDJSON',
				encoding: 'utf-8',
				name: version,
			});
		t.is((await made('USER_ACTIVITY')).status, 200);
		const deletion = await made('USER_IDENTIFIERS_DELETION');
		t.is(deletion.status, status);
		if (status === 200) continue;
		t.regex(deletion.body.error, /v201901/);
		t.is(deletion.body.errors[0].pointer, '/document_type');
	}
});

test.serial('another customer’s imports and executions are not there', async t => {
	const tenants = await testTenants(service.database);
	const theirs = await tenants.datamart(await tenants.organisation(await tenants.community()));
	const strange = await service.get(`/v1/datamarts/${theirs.id}/document_imports`);
	t.deepEqual([strange.status, strange.body.error], [404, 'Resource Not Found']);
	const {body} = await service.post('/v1/datamarts', {name: 'mine', organisation_id: service.organisationId});
	const {path, answer} = await execute(
		service,
		service.datamartId,
		'USER_ACTIVITY',
		lines([visit('vec:mine')]),
	);
	await ended(service, `${path}/${answer.body.data.id}`);
	const elsewhere = path.replace(`/datamarts/${service.datamartId}/`, `/datamarts/${body.data.id}/`);
	t.is((await service.get(elsewhere)).status, 404);
	const other = await newImport(service, service.datamartId, 'USER_ACTIVITY');
	const wrongImport = `/v1/datamarts/${service.datamartId}/document_imports/${other.id}/executions/${answer.body.data.id}`;
	t.is((await service.get(wrongImport)).body.error_code, 'job_execution_not_found');
});
