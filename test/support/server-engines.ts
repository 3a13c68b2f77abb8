import {randomBytes} from 'node:crypto';
import {openDatabase} from '../../src/postgres/database.ts';
import {type ClickHouseFixture, startClickHouseFixture} from './clickhouse-fixture.ts';
import {type PostgresServer, postgresPrograms, startPostgresServer} from './postgres-server.ts';
import {prepareDataDir} from './templates.ts';

interface Engines {
	/** DATABASE_URL, CLICKHOUSE_URL and what they need; empty on embedded engines. */
	readonly environment: Readonly<Record<string, string>>;
	stop(): Promise<void>;
}

/** What services on servers seal with. */
export const SERVERS_KEY = 'a key for tests on servers, long enough';
const EMBEDDED: Engines = {environment: {}, stop: async () => undefined};

/** By data directory: a service that is started again finds the stores it had. */
const started = new Map<string, Promise<Engines>>();
let server: Promise<PostgresServer> | undefined;

/**
 * `TEST_ENGINES=server`: every service of the tests gets a database of its own on a real PostgreSQL (`TEST_DATABASE_URL`,
 * or programs of this machine) and a ClickHouse over HTTP. Otherwise it brings its engines along.
 */
export function enginesFor(dataDir: string, wanted = process.env.TEST_ENGINES): Promise<Engines> {
	if (wanted !== 'server') return prepareDataDir(dataDir).then(() => EMBEDDED);
	const known = started.get(dataDir) ?? startEngines(() => started.delete(dataDir));
	started.set(dataDir, known);
	return known;
}

async function startEngines(forget: () => void): Promise<Engines> {
	const [postgresUrl, clickhouse] = await Promise.all([postgres(), startClickHouseFixture()]);
	const name = `millrace_test_${randomBytes(8).toString('hex')}`;
	await onServer(postgresUrl, `create database ${name}`);
	const url = new URL(postgresUrl);
	url.pathname = `/${name}`;
	return {
		environment: {DATABASE_URL: url.href, CLICKHOUSE_URL: clickhouse.url, SECRET_KEY: SERVERS_KEY},
		async stop() {
			forget();
			await stopBoth(clickhouse, postgresUrl, name);
		},
	};
}

async function stopBoth(clickhouse: ClickHouseFixture, postgresUrl: string, name: string): Promise<void> {
	await clickhouse.stop();
	await onServer(postgresUrl, `drop database if exists ${name} with (force)`);
}

async function postgres(): Promise<string> {
	if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL;
	const programs = postgresPrograms();
	if (!programs)
		throw new Error('TEST_ENGINES=server wants TEST_DATABASE_URL or a PostgreSQL on this machine');
	server ??= startPostgresServer(programs);
	return (await server).url();
}

async function onServer(url: string, statement: string): Promise<void> {
	const database = await openDatabase({url, poolSize: 1});
	try {
		await database.run(sql => sql.raw(statement));
	} finally {
		await database.close();
	}
}
