import {promisify} from 'node:util';
import {gzip} from 'node:zlib';
import test from 'ava';
import {importValues, postValues, valuesWith} from '../../bulk/support/final-values.ts';
import {startTestService, type TestService} from '../../support/service.ts';
import {testTenants} from '../../support/tenants.ts';

let service: TestService;
test.before(async () => {
	service = await startTestService();
});
test.after.always(async () => {
	await service?.stop();
});

const HEADER = 'level1,level2,level3,level4,final_value\n';
const FILE = `${HEADER}emails,email,,,me@mediacorp.com
profiles,country,,,maDagascar
profiles,country,,,france
activity_events,page,page_name,,Madona
activity_events,page,page_name,,france
activity_events,page,page_name,,salut MarkyMarc`;

/** A datamart of its own, so that tests do not replace each other's values. */
let made = 0;
async function newDatamart(): Promise<string> {
	const {body} = await service.post('/v1/datamarts', {
		name: `values ${made++}`,
		organisation_id: service.organisationId,
	});
	return body.data.id;
}

async function errorLines(uri: string) {
	const {body} = await service.get(`/v1/data_file/data?uri=${encodeURIComponent(uri)}`);
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return text
		.trim()
		.split('\n')
		.map(line => JSON.parse(line));
}

test.serial('values of a file are found by what they contain, whatever the case, each once', async t => {
	const datamart = await newDatamart();
	const posted = await postValues(service, datamart, FILE);
	t.like(posted.body.data, {
		status: 'PENDING',
		job_type: 'REFERENCE_TABLE',
		import_mode: 'MANUAL_FILE',
		error: null,
	});
	const done = await importValues(service, datamart, FILE);
	t.like(done, {status: 'SUCCEEDED', num_tasks: 6, completed_tasks: 6, erroneous_tasks: 0});
	t.deepEqual(await valuesWith(service, datamart, 'fr'), ['france']);
	t.deepEqual(await valuesWith(service, datamart, 'me@med'), ['me@mediacorp.com']);
	t.deepEqual(await valuesWith(service, datamart, 'madagascar'), ['maDagascar']);
	t.deepEqual(await valuesWith(service, datamart, 'MARKY'), ['salut MarkyMarc']);
	t.deepEqual(await valuesWith(service, datamart, '%'), []);
	t.is((await valuesWith(service, datamart, '')).length, 5);
	const listed = await service.get(`/v1/datamarts/${datamart}/reference_table_job_executions`);
	t.deepEqual(
		listed.body.data.map(({status}: {status: string}) => status),
		['SUCCEEDED', 'SUCCEEDED'],
	);
});

test.serial('a field lists its own values, by its path and by its type', async t => {
	const datamart = await newDatamart();
	await importValues(service, datamart, FILE);
	const schemas = await service.get(`/v1/datamarts/${datamart}/graphdb_runtime_schemas`);
	const [{id}] = schemas.body.data;
	const field = (path: string) =>
		service.get(
			`/v1/datamarts/${datamart}/graphdb_runtime_schemas/${id}/field/index=USER_INDEX/object_tree_field_path=${path}/reference_tables/records`,
		);
	const countries = [
		{value: 'france', display_value: 'france'},
		{value: 'maDagascar', display_value: 'maDagascar'},
	];
	t.deepEqual((await field('profiles.country')).body.data, countries);
	t.deepEqual((await field('UserProfile.country')).body.data, countries);
	t.deepEqual((await field('profiles.city')).body.data, []);
	const page = (await field('activity_events.page.page_name')).body;
	t.like(page, {count: 3, total: 3});
	const strange = await service.get(
		`/v1/datamarts/${datamart}/graphdb_runtime_schemas/987654/field/index=USER_INDEX/object_tree_field_path=x/reference_tables/records`,
	);
	t.deepEqual([strange.status, strange.body.error], [404, 'Resource Not Found']);
});

test.serial('a good file replaces the values of the one before', async t => {
	const datamart = await newDatamart();
	await importValues(service, datamart, `${HEADER}profiles,country,,,first\n`);
	await importValues(service, datamart, `${HEADER}profiles,city,,,second\n`);
	t.deepEqual(await valuesWith(service, datamart, ''), ['second']);
});

for (const [what, file, values] of [
	[
		'a byte order mark and CRLF',
		'\uFEFFlevel1,level2,final_value\r\nprofiles,country,france\r\nprofiles,city,lyon\r\n',
		['france', 'lyon'],
	],
	[
		'quotes, commas and newlines within values',
		'level1,level2,final_value\nprofiles,country,"a, ""b"""\nprofiles,country,"two\nlines"\n',
		['a, "b"', 'two\nlines'],
	],
	[
		'accents, spaces and mixed case',
		'Level1,LEVEL2,Final_Value\nprofiles,country,  Île de la Réunion \n',
		['  Île de la Réunion '],
	],
	[
		'no newline at the end, and blank lines',
		'level1,level2,final_value\n\nprofiles,country,france\n\nprofiles,country,spain',
		['france', 'spain'],
	],
	[
		'one level where the field is deeper in none',
		'level1,level2,final_value\nprofiles,interests,chess\n',
		['chess'],
	],
	[
		'eight levels, most of them empty',
		'level1,level2,level3,level4,level5,level6,level7,level8,final_value\nactivities,events,page,page_name,,,,,deep\n',
		['deep'],
	],
] as const) {
	test.serial(`${what} are read as they stand`, async t => {
		const datamart = await newDatamart();
		const done = await importValues(service, datamart, file);
		t.like(done, {status: 'SUCCEEDED', erroneous_tasks: 0});
		t.deepEqual(await valuesWith(service, datamart, ''), [...values]);
	});
}

test.serial('an accent is found in either case and either way of writing it', async t => {
	const datamart = await newDatamart();
	await importValues(service, datamart, 'level1,level2,final_value\nprofiles,country,Réunion\n');
	t.deepEqual(await valuesWith(service, datamart, 'RÉUN'), ['Réunion']);
	t.deepEqual(await valuesWith(service, datamart, 're\u0301un'), ['Réunion']);
});

test.serial('a file with bad lines fails whole: each is named, and the former values are kept', async t => {
	const datamart = await newDatamart();
	await importValues(service, datamart, FILE);
	const done = await importValues(
		service,
		datamart,
		`${HEADER}profiles,country,,,good
nothing,such,,,x
profiles,no_such,,,x
profiles,age,,,7
profiles,,country,,x
profiles,country,,
profiles,country,,,
profiles,,,,x
profiles,country,code,,x
profiles,country,,,"two
lines"
,,,,
profiles,country,,,${'x'.repeat(1001)}
`,
	);
	t.like(done, {status: 'FAILED', num_tasks: 12, completed_tasks: 2, erroneous_tasks: 10});
	t.like(done.result, {total_success: 0, total_failure: 10});
	t.regex(done.error.message, /10 of the lines are bad/);
	t.deepEqual(
		(await errorLines(done.result.error_file_uri)).map(({line, pointer}) => [line, pointer]),
		[
			[3, 'level1'],
			[4, 'level2'],
			[5, 'level2'],
			[6, 'level2'],
			[7, ''],
			[8, 'final_value'],
			[9, 'level1'],
			[10, 'level2'],
			[13, 'level1'],
			[14, 'final_value'],
		],
	);
	t.is((await valuesWith(service, datamart, '')).length, 5);
	t.deepEqual(await valuesWith(service, datamart, 'good'), []);
});

test.serial('a quote that is never closed is told of by its line, and nothing holds', async t => {
	const datamart = await newDatamart();
	const done = await importValues(
		service,
		datamart,
		`${HEADER}profiles,country,,,a\nprofiles,country,,,"b\nprofiles,country,,,c\n`,
	);
	t.is(done.status, 'FAILED');
	t.deepEqual(
		(await errorLines(done.result.error_file_uri)).map(({line}) => line),
		[3],
	);
	t.deepEqual(await valuesWith(service, datamart, ''), []);
});

const line = 'profiles,country,,,x\n';
for (const [what, file, status, code] of [
	['an empty file', '', 400, 'body_missing'],
	['a header alone', HEADER, 400, 'body_missing'],
	['no header', line, 400, 'csv_header_invalid'],
	[
		'nine levels',
		`${Array.from({length: 9}, (_, index) => `level${index + 1}`).join()},final_value\n${line}`,
		400,
		'csv_header_invalid',
	],
	['no level', 'final_value\nx\n', 400, 'csv_header_invalid'],
	['levels in another order', 'level2,level1,final_value\na,b,x\n', 400, 'csv_header_invalid'],
	['a header that is JSON', '{"level1": "profiles"}\n', 400, 'csv_header_invalid'],
	['100,001 lines', HEADER + line.repeat(100_001), 400, 'records_excessive'],
	['latin-1', Buffer.from(`${HEADER}profiles,country,,,espa\u00f1a\n`, 'latin1'), 400, 'encoding_invalid'],
	['a line of 50 MB', `${HEADER}profiles,country,,,${'x'.repeat(50 * 1024 * 1024)}\n`, 413, 'body_too_large'],
] as const) {
	test.serial(`${what} is refused at once and changes nothing`, async t => {
		const datamart = await newDatamart();
		await importValues(service, datamart, FILE);
		const refused = await postValues(service, datamart, file);
		t.deepEqual([refused.status, refused.body.error_code], [status, code]);
		t.is((await valuesWith(service, datamart, '')).length, 5);
		const listed = await service.get(`/v1/datamarts/${datamart}/reference_table_job_executions`);
		t.is(listed.body.total, 1);
	});
}

test.serial('a bomb of a packed file is refused while it is unpacked', async t => {
	const datamart = await newDatamart();
	const bomb = await promisify(gzip)(Buffer.alloc(100 * 1024 * 1024, 'profiles,country,,,x\n'));
	const refused = await postValues(service, datamart, bomb, {
		'content-type': 'text/csv',
		'content-encoding': 'gzip',
	} as never);
	t.deepEqual([refused.status, refused.body.error_code], [413, 'body_too_large']);
});

test.serial('100,000 lines are the most a file may have', async t => {
	const datamart = await newDatamart();
	const rows = Array.from({length: 100_000}, (_, index) => `profiles,country,,,value ${index}\n`).join('');
	const done = await importValues(service, datamart, HEADER + rows);
	t.like(done, {status: 'SUCCEEDED', completed_tasks: 100_000});
	t.deepEqual(await valuesWith(service, datamart, 'value 99999'), ['value 99999']);
	t.is((await valuesWith(service, datamart, 'value')).length, 500);
});

test.serial(
	'a datamart’s schema is read, and what it is changed to decides which values are good',
	async t => {
		const datamart = await newDatamart();
		const path = `/v1/datamarts/${datamart}/graphdb_runtime_schemas`;
		const [{id}] = (await service.get(path)).body.data;
		t.like((await service.get(`${path}/${id}`)).body.data, {id, datamart_id: datamart, status: 'LIVE'});
		t.regex((await service.get(`${path}/${id}/text`)).body, /^type UserPoint \{/);
		const wrong = await service.request('PUT', `${path}/${id}/text`, 'type UserPoint {', {
			'content-type': 'application/octet-stream',
		});
		t.is(wrong.status, 400);
		const text =
			'type UserPoint { hobbies: [Hobby!]! } type Hobby { name: String @Property(paths: ["$name"]), since: Int }';
		const changed = await service.request('PUT', `${path}/${id}/text`, text);
		t.is(changed.status, 200);
		const good = await importValues(service, datamart, 'level1,level2,final_value\nhobbies,name,chess\n');
		t.is(good.status, 'SUCCEEDED');
		const bad = await importValues(service, datamart, 'level1,level2,final_value\nprofiles,country,france\n');
		t.is(bad.status, 'FAILED');
		t.deepEqual(await valuesWith(service, datamart, ''), ['chess']);
	},
);

test.serial('another customer’s values, imports and schemas are not there', async t => {
	const tenants = await testTenants(service.database);
	const community = await tenants.community();
	const theirs = await tenants.datamart(await tenants.organisation(community));
	for (const path of [
		'reference_table_job_executions',
		'reference_table_values',
		'graphdb_runtime_schemas',
	]) {
		const {status, body} = await service.get(`/v1/datamarts/${theirs.id}/${path}`);
		t.deepEqual([status, body.error], [404, 'Resource Not Found']);
	}
	const datamart = await newDatamart();
	const {id} = await importValues(service, service.datamartId, FILE);
	const foreign = await service.get(`/v1/datamarts/${datamart}/reference_table_job_executions/${id}`);
	t.is(foreign.status, 404);
});
