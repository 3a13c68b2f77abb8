import {randomBytes} from 'node:crypto';
import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {z} from 'zod';
import {openDatabase} from '../../src/postgres/database.ts';
import {createWarehouse} from '../../src/warehouse/clickhouse.ts';
import {startEmbeddedClickHouse} from '../../src/warehouse/embedded/embedded-clickhouse.ts';
import {startServiceProcess} from '../support/process.ts';
import {clientOf, login} from '../support/service.ts';
import {type DocumentType, imported, lines} from './support/imports.ts';

/** Files under a directory that hold the text as bytes, in UTF-8, UTF-16 or hexadecimal. */
function filesWith(directory: string, text: string): string[] {
	const shapes = [
		Buffer.from(text),
		Buffer.from(text, 'utf16le'),
		Buffer.from(Buffer.from(text).toString('hex')),
	];
	return readdirSync(directory, {recursive: true, encoding: 'utf8'})
		.map(name => join(directory, name))
		.filter(file => statSync(file, {throwIfNoEntry: false})?.isFile())
		.filter(file => {
			const bytes = readFileSync(file);
			return shapes.some(shape => bytes.includes(shape));
		});
}

/** Columns of all tables of the warehouse that hold the text in a value, however their parts are compressed. */
async function columnsWith(directory: string, text: string): Promise<string[]> {
	const embedded = await startEmbeddedClickHouse({dataDir: directory});
	const warehouse = createWarehouse(embedded);
	const ask = async <Row>(sql: string, row: z.ZodType<Row>, params: Record<string, string> = {}) => {
		const query = {name: 'proof', lane: 'heavy' as const, row, build: () => ({text: sql, params})};
		return (await warehouse.read(query, undefined)).rows;
	};
	try {
		const columns = await ask(
			"SELECT table, name FROM system.columns WHERE database = currentDatabase() AND type ILIKE '%String%' AND default_kind = ''",
			z.object({table: z.string(), name: z.string()}),
		);
		const found: string[] = [];
		for (const {table, name} of columns) {
			const [row] = await ask(
				`SELECT countIf(position(toString(\`${name}\`), {text:String}) > 0) AS n, count() AS rows FROM \`${table}\``,
				z.object({n: z.coerce.number(), rows: z.coerce.number()}),
				{text},
			);
			if (row!.n > 0) found.push(`${table}.${name}`);
		}
		return found;
	} finally {
		await warehouse.close();
		await embedded.close();
	}
}

/** Tables of PostgreSQL with a row that holds the text in any column. */
async function tablesWith(dataDir: string, text: string): Promise<string[]> {
	const database = await openDatabase({dataDir});
	try {
		const tables: string[] = await database.run(sql =>
			sql('pg_tables').where('schemaname', 'public').pluck('tablename'),
		);
		const found: string[] = [];
		for (const table of tables) {
			const row = await database.run(sql =>
				sql(`${table} as t`).whereRaw('position(? in t::text) > 0', [text]).first(sql.raw('1')),
			);
			if (row) found.push(table);
		}
		return found;
	} finally {
		await database.close();
	}
}

test('after its deletion an identifier is found in no file, no column and no log, and nothing that reads it back has it', async t => {
	const dataDir = mkdtempSync(join(tmpdir(), 'millrace-proof-'));
	t.teardown(() => rmSync(dataDir, {recursive: true, force: true, maxRetries: 10}));
	const secret = `vec:${randomBytes(32).toString('hex')}`;
	const stays = `vec:${randomBytes(16).toString('hex')}`;
	const service = await startServiceProcess(dataDir, {LOG_LEVEL: 'trace'});
	t.teardown(() => service.kill('SIGKILL'));
	let log = '';
	service.child.stdout!.on('data', piece => {
		log += piece;
	});
	service.child.stderr!.on('data', piece => {
		log += piece;
	});
	const client = clientOf(service.url, await login(service.url));
	const datamartId = (await client.get('/v1/connected_user')).body.data.workspaces[0].datamarts[0].id;
	const activities = `/v1/datamarts/${datamartId}/user_activities?async=false`;
	const agents = (...ids: string[]) => ids.map(id => ({$type: 'USER_AGENT', $user_agent_id: id}));
	const visit = (...ids: string[]) => ({
		$type: 'SITE_VISIT',
		$ts: Date.now(),
		$user_identifiers: agents(...ids),
	});

	// Wherever an identifier comes in: at the door, in a file, and in an activity that ends as a dead letter.
	await client.post(activities, visit(secret, stays));
	await client.post(activities, {...visit(stays), $user_agent_id: secret, $user_agent: 'Mozilla/5.0'});
	const agent = (id: string) => ({type: 'USER_AGENT', user_agent_id: id});
	const files = {
		USER_ACTIVITY: `${lines([visit(stays), visit(secret, stays), visit(stays)])}{"$user_agent_id": ["${secret}"]}\nvec: ${secret}\n`,
		USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS: lines([{identifiers: [agent(stays), agent(secret)]}]),
		USER_SEGMENT: lines([secret, stays].map(id => ({user_agent_id: id, segment_id: '7'}))),
	} as const;
	const inputs: string[] = [];
	for (const [type, file] of Object.entries(files)) {
		const {status, result} = await imported(client, datamartId, type as DocumentType, file);
		t.is(status, 'SUCCEEDED');
		inputs.push(result.input_file_uri);
	}
	const crowd = Array.from({length: 1000}, (_, index) => `vec:crowd-${index}`);
	const crowded = await client.post(activities, visit(secret, ...crowd));
	t.is(crowded.status, 200);
	const letters = `/v1/datamarts/${datamartId}/dead_letters`;
	const [letter] = (await client.get(letters)).body.data;
	t.is(letter.reason, 'identifier_cap');
	t.true(JSON.stringify((await client.get(`${letters}/${letter.id}`)).body).includes(secret));
	t.true(
		filesWith(dataDir, secret).some(file => file.endsWith('.journal')),
		'the search finds what is there',
	);

	const done = await imported(
		client,
		datamartId,
		'USER_IDENTIFIERS_DELETION',
		`${lines([{type: 'USER_AGENT', user_agent_id: secret}])}{"type": "USER_AGENT", "user_agent_id": ["${secret}"]}\n`,
	);
	t.like(done, {status: 'SUCCEEDED', completed_tasks: 1, erroneous_tasks: 1});
	t.like(done.result.receipt, {found: 1, removed: 1, unknown: 0});
	t.deepEqual(filesWith(dataDir, secret), [], 'while it runs');

	t.is(
		(await client.get(`/v1/datamarts/${datamartId}/user_identifiers/user_agent_id=${secret}`)).status,
		404,
	);
	const timeline = await client.get(
		`/v1/datamarts/${datamartId}/user_timelines/user_agent_id=${stays}/user_activities`,
	);
	t.is(timeline.body.total, 5, 'the activities stay');
	t.false(JSON.stringify(timeline.body).includes(secret));
	const stripped = JSON.stringify((await client.get(`${letters}/${letter.id}`)).body);
	t.true(stripped.includes('vec:crowd-999'));
	t.false(stripped.includes(secret));
	for (const uri of [done.result.error_file_uri, done.result.receipt.receipt_file_uri, ...inputs]) {
		const file = await client.get(`/v1/data_file/data?uri=${encodeURIComponent(uri)}`);
		t.is(file.status, 200);
		t.false(JSON.stringify(file.body).includes(secret));
	}
	const input = await client.get(`/v1/data_file/data?uri=${encodeURIComponent(inputs[0]!)}`);
	t.is((input.body as string).length, files.USER_ACTIVITY.length);
	t.is(JSON.parse((input.body as string).split('\n')[0]!).$user_identifiers[0].$user_agent_id, stays);

	await service.kill('SIGTERM');
	t.deepEqual(filesWith(dataDir, secret), [], 'after it ended');
	t.deepEqual(await columnsWith(join(dataDir, 'clickhouse'), secret), []);
	t.deepEqual(await tablesWith(dataDir, secret), []);
	t.true(log.length > 0);
	t.false(log.includes(secret), 'no line of the log');
});
