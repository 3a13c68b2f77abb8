import test from 'ava';
import {readMultipart} from '../../../src/warehouse/embedded/multipart.ts';
import {insertFromFile, isRead, readInsert, withSettings} from '../../../src/warehouse/embedded/statement.ts';

test('a setting of the request ends with its statement', t => {
	const settings = new Map([
		['max_execution_time', '1.5'],
		['async_insert', '0'],
		['wait_end_of_query', '1'],
	]);
	t.is(
		withSettings('SELECT 1\nFORMAT JSON', settings),
		"SELECT 1\nFORMAT JSON\nSETTINGS max_execution_time = '1.5'",
	);
	t.is(withSettings('SELECT 1 -- x', new Map()), 'SELECT 1 -- x\nFORMAT TabSeparated');
});

test('a setting that contradicts the engine or is no name at all is refused', t => {
	t.throws(() => withSettings('SELECT 1', new Map([['session_timezone', 'Asia/Tokyo']])), {
		message: /is UTC/,
	});
	t.throws(() => withSettings('SELECT 1', new Map([['a = 1, b', '1']])), {message: /not a setting/});
	t.throws(() => withSettings('SYSTEM FLUSH LOGS', new Map([['max_threads', '1']])), {
		message: /own SETTINGS/,
	});
	t.is(withSettings('SYSTEM FLUSH LOGS', new Map([['async_insert', '0']])), 'SYSTEM FLUSH LOGS');
	t.is(
		withSettings('SELECT 1 FORMAT TSV', new Map([['log_comment', "it's"]])),
		"SELECT 1 FORMAT TSV\nSETTINGS log_comment = 'it\\'s'",
	);
});

test('reads are told from changes behind comments and parentheses', t => {
	for (const sql of ['select 1', '-- INSERT\n/* x */ (WITH 1 AS a SELECT a)', 'EXPLAIN SELECT 1'])
		t.true(isRead(sql));
	for (const sql of ['INSERT INTO t SELECT 1', '-- SELECT\nDROP TABLE t', 'SYSTEM RELOAD DICTIONARY d']) {
		t.false(isRead(sql));
	}
});

test('an insert with rows is read into its parts', t => {
	t.deepEqual(readInsert("INSERT INTO t (a, b) SETTINGS x = 1, token = 'a-b:1', y=2 FORMAT TabSeparated"), {
		table: 't',
		columns: ['a', 'b'],
		settings: {x: '1', token: 'a-b:1', y: '2'},
		format: 'TabSeparated',
	});
	t.deepEqual(readInsert('insert into t (a) format JSONEachRow').settings, {});
	t.is(
		insertFromFile(readInsert("INSERT INTO t (a, b) SETTINGS token = 'a:1' FORMAT Native"), "/it's"),
		"INSERT INTO t (a, b) SETTINGS token = 'a:1', max_threads = 1, schema_inference_use_cache_for_file = 0 SELECT * FROM file('/it\\'s', Native)",
	);
	t.throws(() => readInsert('INSERT INTO t (a) FORMAT CSV'), {message: /INSERT with data/});
	t.throws(() => readInsert('INSERT INTO t (a) SETTINGS x FORMAT TabSeparated'), {message: /SETTINGS/});
});

test('a long statement comes apart from its parameters, line breaks and dashes kept', t => {
	const part = (name: string, value: string) =>
		`--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
	const body = `${part('query', 'SELECT\r\n-- x\r\n1')}${part('param_a', '--edg')}--edge--\r\n`;
	const fields = readMultipart('multipart/form-data; boundary=edge', Buffer.from(body));

	t.deepEqual(
		[...fields],
		[
			['query', 'SELECT\r\n-- x\r\n1'],
			['param_a', '--edg'],
		],
	);
	t.throws(() => readMultipart('multipart/form-data; boundary=edge', Buffer.from(body.slice(0, 60))));
});
