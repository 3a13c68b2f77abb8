import {randomUUID} from 'node:crypto';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import {type Database, type DatabaseOptions, openDatabase} from '../../src/postgres/database.ts';
import {migrate} from '../../src/postgres/migrate.ts';
import {copyTemplate} from './templates.ts';

export interface TestPostgres {
	readonly database: Database;
	/** To open it once more, as another instance would; the embedded engine allows one at a time. */
	readonly options: DatabaseOptions;
	/** A second pool of connections to the same database. */
	readonly connectAgain: () => Promise<Database>;
	readonly stop: () => Promise<void>;
}

/** Where a server is, if anyone said so: tests run on the embedded engine otherwise. */
const SERVER_URL = process.env.TEST_DATABASE_URL;

/** A migrated database of its own, gone when the test ends. */
export async function startTestPostgres(
	t: ExecutionContext<unknown>,
	{migrated = true} = {},
): Promise<TestPostgres> {
	const started = await startSharedPostgres({migrated});
	t.teardown(started.stop);
	return started;
}

/** The same for a hook, which must stop it itself. */
export async function startSharedPostgres({migrated = true} = {}): Promise<TestPostgres> {
	const started = SERVER_URL ? await onServer(SERVER_URL) : await onEmbedded(migrated);
	if (migrated) await migrate(started.database);
	return started;
}

async function onEmbedded(migrated: boolean): Promise<TestPostgres> {
	const dataDir = await newDataDirectory(migrated);
	const options = {dataDir, poolSize: 8};
	const database = await openDatabase(options);
	const others: Database[] = [];
	return {
		database,
		options,
		async connectAgain() {
			const socket = database.embedded!.socketDirectory;
			const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(socket)}`;
			const other = await openDatabase({url, poolSize: 4});
			others.push(other);
			return other;
		},
		async stop() {
			await Promise.all(others.map(other => other.close()));
			await database.close();
			await rm(dataDir, {recursive: true, force: true, maxRetries: 10});
		},
	};
}

async function onServer(serverUrl: string): Promise<TestPostgres> {
	const name = `millrace_test_${randomUUID().replaceAll('-', '')}`;
	const server = await openDatabase({url: serverUrl, poolSize: 1});
	await server.run(sql => sql.raw(`create database ${name}`));
	const url = new URL(serverUrl);
	url.pathname = `/${name}`;
	const options = {url: url.href, poolSize: 8};
	const opened = [await openDatabase(options)];
	return {
		database: opened[0]!,
		options,
		async connectAgain() {
			const other = await openDatabase(options);
			opened.push(other);
			return other;
		},
		async stop() {
			await Promise.all(opened.map(database => database.close()));
			await server.run(sql => sql.raw(`drop database ${name} with (force)`));
			await server.close();
		},
	};
}

/** A data directory ready to be opened. */
export async function newDataDirectory(migrated = false): Promise<string> {
	const dataDir = await mkdtemp(join(tmpdir(), 'millrace-test-pg-'));
	await copyTemplate(migrated ? 'postgres' : 'empty-postgres', join(dataDir, 'postgres'));
	return dataDir;
}
