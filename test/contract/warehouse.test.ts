import anyTest, {type TestFn} from 'ava';
import fc from 'fast-check';
import {z} from 'zod';
import {DomainError, type ErrorCode} from '../../src/errors.ts';
import {createWarehouse} from '../../src/warehouse/clickhouse.ts';
import type {ReadOptions, SqlParams, WarehouseQuery} from '../../src/warehouse/warehouse.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

/** What the service relies on, on whichever engine: embedded here, a server where TEST_CLICKHOUSE_URL names one. */
const test = anyTest as TestFn<TestWarehouse>;

test.before(async t => {
	t.context = await startSharedWarehouse();
});
test.after.always(async t => t.context.stop?.());

function ask(
	text: string,
	params: SqlParams = {},
	lane: 'light' | 'heavy' = 'light',
): WarehouseQuery<void, Row> {
	return {name: 'contract.ask', lane, row: z.record(z.string(), z.any()), build: () => ({text, params})};
}
type Row = Record<string, unknown>;

async function rowsOf(
	{warehouse}: TestWarehouse,
	text: string,
	params: SqlParams = {},
): Promise<readonly Row[]> {
	return (await warehouse.read(ask(text, params), undefined)).rows;
}

async function codeOf(work: Promise<unknown>): Promise<ErrorCode | 'none' | Error> {
	try {
		await work;
		return 'none';
	} catch (error) {
		return error instanceof DomainError ? error.code : (error as Error);
	}
}

let tables = 0;
async function newTable({warehouse}: TestWarehouse, columns: string, partition = ''): Promise<string> {
	tables += 1;
	const table = `contract_${tables}`;
	await warehouse.command(`CREATE TABLE ${table} (${columns}) ENGINE = MergeTree ${partition} ORDER BY a
		SETTINGS non_replicated_deduplication_window = 100`);
	return table;
}

const ENDLESS = 'SELECT count() AS n FROM numbers_mt(1000000000000) WHERE sipHash64(number) = 7';
const AWKWARD = [
	'',
	"it's",
	'"double" `back`',
	'back\\slash \\n \\t \\N \\',
	'tab\tnew\nline\r\n',
	'a\0b',
	'\x01\x1f\x7f',
	'😀 é 漢字',
	'^(a|b)*$ .*+?[]{}',
	'%_\\%',
	"'; DROP TABLE x; --",
	'{x:String}',
	'/*{slot}*/ -- #',
	'\\N',
	'NULL',
	'--boundary\r\n',
];

test('a text comes back as it was, as a value, in a list and from a table', async t => {
	const random = fc.sample(fc.string({unit: 'binary', maxLength: 30}), {numRuns: 200, seed: 11});
	const table = await newTable(t.context, 'a UInt32, b String');
	for (const texts of [AWKWARD, random]) {
		const params = Object.fromEntries(texts.slice(0, 40).map((text, index) => [`p${index}`, text]));
		const columns = Object.keys(params).map(name => `{${name}:String} AS ${name}`);
		t.deepEqual(await rowsOf(t.context, `SELECT ${columns.join(', ')}`, params), [params]);
		t.deepEqual(await rowsOf(t.context, 'SELECT {texts:Array(String)} AS texts', {texts}), [{texts}]);

		await t.context.warehouse.command(
			`INSERT INTO ${table} SELECT number, {texts:Array(String)}[number + 1]
			FROM numbers(${texts.length})`,
			{texts},
		);
		const stored = await rowsOf(t.context, `SELECT b FROM ${table} ORDER BY a`);
		t.deepEqual(
			stored.map(row => row.b),
			texts,
		);
		await t.context.warehouse.command(`TRUNCATE TABLE ${table}`);
	}
});

test('every type of parameter arrives as its value', async t => {
	const [row] = await rowsOf(
		t.context,
		`SELECT {u:UInt64} AS u, {i:Int64} AS i, {f:Float64} AS f, {yes:Bool} AS yes, {no:Bool} AS no,
			{none:Nullable(String)} AS none, {some:Nullable(String)} AS some, {word:LowCardinality(String)} AS word,
			{at:DateTime64(3, 'UTC')} AS at, {ids:Array(UInt64)} AS ids, {empty:Array(String)} AS empty,
			{holes:Array(Nullable(Int64))} AS holes, {nested:Array(Array(String))} AS nested, {flags:Array(Bool)} AS flags`,
		{
			u: '18446744073709551615',
			i: '-9223372036854775808',
			f: 0.1,
			yes: true,
			no: false,
			none: null,
			some: '\\N',
			word: "w'",
			at: '2024-02-29 12:34:56.789',
			ids: [1, 9007199254740991],
			empty: [],
			holes: [null, -5],
			nested: [["a'", '\\'], []],
			flags: [true, false],
		},
	);
	t.deepEqual(row, {
		u: '18446744073709551615',
		i: '-9223372036854775808',
		f: 0.1,
		yes: true,
		no: false,
		none: null,
		some: '\\N',
		word: "w'",
		at: '2024-02-29 12:34:56.789',
		ids: ['1', '9007199254740991'],
		empty: [],
		holes: [null, '-5'],
		nested: [["a'", '\\'], []],
		flags: [true, false],
	});
});

test('a list of fifty thousand values is a parameter like any other', async t => {
	const ids = Array.from({length: 50_000}, (_, index) => `user-${index}-'x'`);
	const [row] = await rowsOf(
		t.context,
		'SELECT length({ids:Array(String)}) AS n, {last:String} IN {ids:Array(String)} AS has',
		{
			ids,
			last: ids.at(-1)!,
		},
	);
	t.deepEqual(row, {n: '50000', has: 1});
});

test('integers above 2^53 are exact and time is UTC', async t => {
	const [row] = await rowsOf(
		t.context,
		"SELECT toUInt64('9007199254740993') AS big, toInt64(-9007199254740993) AS small, toString(toDateTime(0)) AS epoch",
	);
	t.deepEqual(row, {big: '9007199254740993', small: '-9007199254740993', epoch: '1970-01-01 00:00:00'});
});

test('what a query cost is what the engine scanned, not what it returned', async t => {
	const {statistics} = await t.context.warehouse.read(
		ask('SELECT sum(number) AS s FROM numbers(100000)'),
		undefined,
	);
	t.is(statistics.rowsRead, 100_000);
	t.is(statistics.bytesRead, 800_000);
	t.true(statistics.elapsedMs > 0);
});

test('a block is written whole: one part in each month, and nothing of it when a row is bad', async t => {
	const {warehouse} = t.context;
	const table = await newTable(t.context, 'a UInt32, b String, m UInt8', 'PARTITION BY m');
	await warehouse.command(`SYSTEM STOP MERGES ${table}`);
	const lines = Array.from({length: 300_000}, (_, index) => `${index}\ttext ${index}\t${index % 150}\n`);
	const block = {table, columns: ['a', 'b', 'm']};

	await warehouse.write({...block, rows: lines.length, payload: Buffer.from(lines.join(''))});
	const parts = await rowsOf(
		t.context,
		`SELECT count() AS parts, uniqExact(partition) AS months, sum(rows) AS n FROM system.parts
		WHERE table = {table:String} AND database = currentDatabase() AND active`,
		{table},
	);
	t.deepEqual(parts, [{parts: '150', months: '150', n: '300000'}]);

	const broken = Buffer.from('1\tfine\t1\nsecret-of-ann\tx\t1\n');
	const error = await t.throwsAsync(warehouse.write({...block, rows: 2, payload: broken}), {
		instanceOf: DomainError,
	});
	t.is((error as DomainError).code, 'query_failed');
	t.false(`${error?.message} ${error?.cause}`.includes('secret-of-ann'), 'an error does not quote a row');
	t.deepEqual(await rowsOf(t.context, `SELECT count() AS n FROM ${table}`), [{n: '300000'}]);
});

test('escaped bytes of a block are stored as the bytes they stand for', async t => {
	const table = await newTable(t.context, 'a UInt32, b String, c Array(String)');
	const payload = Buffer.from("1\ttab\\tnul\\0back\\\\line\\n\t['it\\'s','😀']\n");
	await t.context.warehouse.write({table, columns: ['a', 'b', 'c'], rows: 1, payload});
	t.deepEqual(await rowsOf(t.context, `SELECT b, c FROM ${table}`), [
		{b: 'tab\tnul\0back\\line\n', c: ["it's", '😀']},
	]);
});

test('the same token stores once; rows without a token are always stored', async t => {
	const {warehouse} = t.context;
	const table = await newTable(t.context, 'a UInt32');
	const write = (row: string, deduplicationToken?: string) =>
		warehouse.write({
			table,
			columns: ['a'],
			rows: 1,
			payload: Buffer.from(`${row}\n`),
			...(deduplicationToken === undefined ? {} : {deduplicationToken}),
		});

	await write('1', 'journal:1-2');
	await write('1', 'journal:1-2');
	// The embedded engine once kept the token of the insert before and dropped this one.
	await write('2');
	await write('3');
	await write('3');
	await write('4', 'journal:3-4');

	const stored = await rowsOf(
		t.context,
		`SELECT groupArray(a) AS a FROM (SELECT a FROM ${table} ORDER BY a)`,
	);
	t.deepEqual(stored, [{a: [1, 2, 3, 3, 4]}]);
});

test("no setting of one query reaches the next one's session", async t => {
	const {warehouse} = t.context;
	const limited = (options: ReadOptions) => warehouse.read(ask('SELECT 1 AS one'), undefined, options);
	// More of them than there are sessions.
	await Promise.all(Array.from({length: 12}, () => limited({deadlineMs: 9_000, maxMemoryBytes: 50_000_000})));
	const settings = `SELECT name, value FROM system.settings
		WHERE name IN ('insert_deduplication_token', 'log_comment', 'max_memory_usage', 'async_insert') ORDER BY name`;
	for (let round = 0; round < 6; round++) {
		t.deepEqual(await rowsOf(t.context, settings), [
			{name: 'async_insert', value: '0'},
			{name: 'insert_deduplication_token', value: ''},
			{name: 'log_comment', value: 'contract.ask'},
			{name: 'max_memory_usage', value: String(4 * 1024 ** 3)},
		]);
	}
});

test('a query past its deadline is ended and says so', async t => {
	const began = performance.now();
	t.is(await codeOf(t.context.warehouse.read(ask(ENDLESS), undefined, {deadlineMs: 400})), 'query_timed_out');
	t.true(performance.now() - began < 5_000);
});

test('a query that wants too much memory is ended and says so', async t => {
	const hungry = ask('SELECT length(groupArray(number)) AS n FROM numbers(100000000)');
	t.is(
		await codeOf(t.context.warehouse.read(hungry, undefined, {maxMemoryBytes: 30_000_000})),
		'query_memory_exceeded',
	);
});

test('after queries that failed half-way, every answer is its own', async t => {
	const {warehouse} = t.context;
	for (let round = 0; round < 4; round++) {
		const failures = await Promise.all([
			codeOf(
				warehouse.read(
					ask('SELECT throwIf(number = 5) AS n FROM numbers(10) SETTINGS max_block_size = 1'),
					undefined,
				),
			),
			codeOf(warehouse.read(ask(ENDLESS), undefined, {deadlineMs: 60})),
			codeOf(warehouse.read(ask('SELECT x FROM no_such_table'), undefined)),
		]);
		t.deepEqual(failures, ['query_failed', 'query_timed_out', 'query_failed']);
		const answers = await Promise.all(
			Array.from({length: 6}, (_, n) => rowsOf(t.context, 'SELECT {n:UInt8} AS n', {n})),
		);
		t.deepEqual(
			answers,
			Array.from({length: 6}, (_, n) => [{n}]),
		);
	}
});

test('a mistake in a query is query_failed and names the name that is wrong, no value', async t => {
	const error = await t.throwsAsync(
		rowsOf(t.context, 'SELECT 1 AS one FROM no_such_table WHERE x = {secret:String}', {
			secret: 'ann@example.com',
		}),
		{instanceOf: DomainError},
	);
	t.is((error as DomainError).code, 'query_failed');
	t.true(error?.message.includes('contract.ask'));
	t.false(error?.message.includes('ann@example.com'));
	t.is(await codeOf(t.context.warehouse.command('SELEC 1')), 'query_failed');
});

test('rows of another shape than the query promises are refused', async t => {
	const query = {...ask("SELECT 'a' AS n"), row: z.object({n: z.coerce.number()})};
	t.is(await codeOf(t.context.warehouse.read(query, undefined)), 'query_failed');
});

test.serial(
	'a caller who leaves is released with their own reason, and the query does not go on',
	async t => {
		const {warehouse} = t.context;
		const leaving = new AbortController();
		const read = warehouse.read(ask(`${ENDLESS} AND 'abandoned' != ''`, {}, 'heavy'), undefined, {
			signal: leaving.signal,
			deadlineMs: 60_000,
		});
		const running = () =>
			rowsOf(
				t.context,
				`SELECT count() AS n FROM system.processes WHERE position(query, concat('aban', 'doned')) > 0`,
			);
		while ((await running())[0]?.n === '0');
		leaving.abort(new Error('went home'));
		await t.throwsAsync(read, {message: 'went home'});
		for (let round = 0; round < 200 && (await running())[0]?.n !== '0'; round++);
		t.deepEqual(await running(), [{n: '0'}]);
	},
);

// Serial: ava runs these first, alone, so nothing else stands in the lanes.
test.serial('a light question is answered while heavy ones and a write run', async t => {
	const {warehouse} = t.context;
	const table = await newTable(t.context, 'a UInt64');
	const order: string[] = [];
	const heavy = [1, 2, 3].map(n =>
		codeOf(warehouse.read(ask(ENDLESS, {}, 'heavy'), undefined, {deadlineMs: 3_000})).then(() =>
			order.push(`heavy ${n}`),
		),
	);
	await new Promise(resolve => setTimeout(resolve, 200));
	await rowsOf(t.context, 'SELECT {x:UInt8} AS x', {x: 1}).then(() => order.push('light'));
	await warehouse
		.write({table, columns: ['a'], rows: 1, payload: Buffer.from('1\n')})
		.then(() => order.push('write'));
	await Promise.all(heavy);
	t.deepEqual(order.slice(0, 2), ['light', 'write']);
});

test('an engine that is not there is store_unavailable, and ping says no', async t => {
	const nobody = createWarehouse({url: 'http://127.0.0.1:1'});
	t.is(await codeOf(nobody.read(ask('SELECT 1 AS x'), undefined)), 'store_unavailable');
	t.is(
		await codeOf(nobody.write({table: 't', columns: ['a'], rows: 1, payload: Buffer.from('1\n')})),
		'store_unavailable',
	);
	t.is(await codeOf(nobody.command('SYSTEM FLUSH LOGS')), 'store_unavailable');
	t.false(await nobody.ping());
	t.true(await t.context.warehouse.ping());
	await nobody.close();
});

test('a wrong password opens nothing', async t => {
	const stranger = createWarehouse({
		url: t.context.url,
		username: t.context.username ?? 'default',
		password: 'guess',
	});
	t.is(await codeOf(stranger.read(ask('SELECT 1 AS x'), undefined)), 'store_unavailable');
	t.false(await stranger.ping());
	await stranger.close();
});
