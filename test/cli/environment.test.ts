import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {ConfigError, readCliConfig, serviceEnvironment} from '../../src/config.ts';

test("a service started by the demo never meets the caller's databases", t => {
	const caller = {
		PATH: '/bin',
		DATABASE_URL: 'postgres://shop',
		CLICKHOUSE_URL_FILE: '/secret',
		PORT: '1',
		LANG: 'C',
	};
	t.deepEqual(serviceEnvironment({PORT: '9'}, caller), {PATH: '/bin', LANG: 'C', PORT: '9'});
});

test('a token may come from the environment or from a file, and an empty one is none', t => {
	const folder = mkdtempSync(join(tmpdir(), 'millrace-token-'));
	t.teardown(() => rmSync(folder, {recursive: true}));
	writeFileSync(join(folder, 'token'), 'from-file\n');
	t.is(readCliConfig({MILLRACE_TOKEN: 'direct'}).token, 'direct');
	t.is(readCliConfig({MILLRACE_TOKEN_FILE: join(folder, 'token')}).token, 'from-file');
	t.is(readCliConfig({MILLRACE_TOKEN: ''}).token, undefined);
	t.throws(() => readCliConfig({MILLRACE_TOKEN_FILE: join(folder, 'nothing')}), {
		instanceOf: ConfigError,
		message: /ENOENT/,
	});
});
