import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {ConfigError, readConfig} from '../src/config.ts';

test('with nothing set the service starts on its defaults', t => {
	t.like(readConfig({}), {
		PORT: 8080,
		HOST: '127.0.0.1',
		DATA_DIR: './data',
		DATABASE_URL: undefined,
		CLICKHOUSE_URL: undefined,
		ADMIN_EMAIL: undefined,
		BRAND_ALIASES: ['mics'],
		RATE_LIMIT_PER_SECOND: undefined,
		LOG_LEVEL: 'info',
	});
});

test('an empty variable is an unset one, and lists are cut at commas', t => {
	t.like(readConfig({PORT: '', BRAND_ALIASES: ' acme, mics ,'}), {
		PORT: 8080,
		BRAND_ALIASES: ['acme', 'mics'],
	});
});

test('a cluster is named together with one of its servers and a PostgreSQL for all instances, by a name', t => {
	const servers = {
		DATABASE_URL: 'postgres://localhost/m',
		CLICKHOUSE_URL: 'http://localhost:8123',
		SECRET_KEY: 'sixteen characters',
	};
	t.is(readConfig({...servers, CLICKHOUSE_CLUSTER: 'two-by_two'}).CLICKHOUSE_CLUSTER, 'two-by_two');
	for (const environment of [{}, {...servers, CLICKHOUSE_URL: ''}, {...servers, DATABASE_URL: ''}]) {
		const named = {...environment, CLICKHOUSE_CLUSTER: 'millrace'};
		t.throws(() => readConfig(named), {message: /CLICKHOUSE_CLUSTER: needs/});
	}
	t.throws(() => readConfig({...servers, CLICKHOUSE_CLUSTER: 'a`b'}), {
		message: /CLICKHOUSE_CLUSTER: must be/,
	});
});

test('proxies are trusted by their number or by their networks, and not at all by default', t => {
	t.is(readConfig({}).TRUST_PROXY, 0);
	t.is(readConfig({TRUST_PROXY: '2'}).TRUST_PROXY, 2);
	t.deepEqual(readConfig({TRUST_PROXY: '10.0.0.0/8, fd00::/8,192.0.2.1'}).TRUST_PROXY, [
		'10.0.0.0/8',
		'fd00::/8',
		'192.0.2.1',
	]);
	for (const bad of ['10.0.0.0/33', 'true', 'example.org', '10.0.0.0/8/8', '1,2', '10.0.0.1/']) {
		t.throws(() => readConfig({TRUST_PROXY: bad}), {instanceOf: ConfigError, message: /TRUST_PROXY/}, bad);
	}
});

test('every bad variable is named at once, with what would be right', t => {
	const error = t.throws(
		() =>
			readConfig({
				PORT: '99999',
				DATABASE_URL: 'mysql://db',
				CLICKHOUSE_URL: 'localhost:8123',
				ADMIN_EMAIL: 'nobody',
				ADMIN_PASSWORD: 'short',
				BRAND_ALIASES: 'mics,two words',
				RATE_LIMIT_PER_SECOND: '-1',
				LOG_LEVEL: 'loud',
			}),
		{instanceOf: ConfigError},
	);
	for (const name of [
		'PORT',
		'DATABASE_URL',
		'CLICKHOUSE_URL',
		'ADMIN_EMAIL',
		'ADMIN_PASSWORD',
		'BRAND_ALIASES',
		'RATE_LIMIT_PER_SECOND',
		'LOG_LEVEL',
	]) {
		t.regex(error.message, new RegExp(`^ {2}${name}: \\S`, 'm'), name);
	}
});

test('a database server needs the key that seals what is in it', t => {
	const DATABASE_URL = 'postgres://millrace@db/millrace';
	t.throws(() => readConfig({DATABASE_URL}), {message: /SECRET_KEY: is mandatory .*openssl rand/});
	t.throws(() => readConfig({DATABASE_URL, PORT: 'none'}), {
		message: /SECRET_KEY: is mandatory.*\n {2}PORT: /,
	});
	t.is(readConfig({DATABASE_URL, SECRET_KEY: 'k'.repeat(32)}).DATABASE_URL, DATABASE_URL);
});

test('an address without a dot is an e-mail address here', t => {
	t.is(readConfig({ADMIN_EMAIL: 'admin@localhost'}).ADMIN_EMAIL, 'admin@localhost');
});

test('any variable may stand in a file, and a file that is not there is told of', t => {
	const directory = mkdtempSync(join(tmpdir(), 'millrace-config-'));
	t.teardown(() => rmSync(directory, {recursive: true}));
	const file = join(directory, 'password');
	writeFileSync(file, 'from the file\n');
	t.is(readConfig({ADMIN_PASSWORD_FILE: file}).ADMIN_PASSWORD, 'from the file');
	t.throws(() => readConfig({SECRET_KEY_FILE: join(directory, 'absent')}), {
		message: /SECRET_KEY_FILE: cannot be read \(ENOENT\)/,
	});
});

test('credentials of a bucket come in pairs', t => {
	t.like(readConfig({S3_BUCKET: 'files'}), {S3_BUCKET: 'files', S3_PREFIX: '', S3_REGION: 'us-east-1'});
	const half = t.throws(() => readConfig({S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'key'}), {
		instanceOf: ConfigError,
	});
	t.regex(half.message, /S3_SECRET_ACCESS_KEY/);
	t.throws(() => readConfig({S3_ENDPOINT: 'minio:9000'}), {message: /S3_ENDPOINT/});
});
