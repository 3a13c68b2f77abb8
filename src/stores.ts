import {randomBytes} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import type {Logger} from 'pino';
import type {Config} from './config.ts';
import {DomainError} from './errors.ts';
import {writeFileAtomically} from './lib/files.ts';
import {residentBytes} from './operations/machine.ts';
import type {Metrics} from './operations/metrics.ts';
import type {Readiness} from './operations/readiness.ts';
import {type Database, openDatabase} from './postgres/database.ts';
import {migrate as migratePostgres} from './postgres/migrate.ts';
import {oneAtATime} from './postgres/one-at-a-time.ts';
import {createWarehouse} from './warehouse/clickhouse.ts';
import {startEmbeddedClickHouse} from './warehouse/embedded/embedded-clickhouse.ts';
import {engineMemory} from './warehouse/engine-memory.ts';
import {migrate as migrateClickHouse} from './warehouse/migrate.ts';

/** A start waits so long for a ClickHouse server before it accepts without it. */
const SERVER_PATIENCE_MS = 5_000;

/** Of PostgreSQL's advisory locks. */
const WAREHOUSE_SCHEMA_LOCK = 7_210_003;

/** What is undone at the end, in reverse order of building; `graceMs` is how long it may take its time. */
export type Close = (graceMs: number) => Promise<void> | void;

interface StoreContext {
	readonly config: Config;
	readonly log: Logger;
	readonly readiness: Readiness;
	readonly metrics: Metrics;
}

export async function startPostgres({config, log}: StoreContext, closers: Close[]): Promise<Database> {
	const database = await openDatabase(
		config.DATABASE_URL ? {url: config.DATABASE_URL} : {dataDir: config.DATA_DIR},
	);
	closers.push(() => database.close());
	database.embedded?.onExit(error =>
		log.error({error}, 'the embedded PostgreSQL ended and is started again'),
	);
	await untilUp(config.DATABASE_URL !== undefined, log, 'PostgreSQL', () => migratePostgres(database));
	return database;
}

/** Any thread reaches the embedded engine through its socket. */
export function embeddedUrl(database: Database): string {
	const socket = encodeURIComponent(database.embedded!.socketDirectory);
	return `postgres://postgres@localhost/postgres?host=${socket}`;
}

/** `database`: where several instances share the stores, it decides who brings the schema up first. */
export async function startClickHouse(context: StoreContext, database: Promise<Database>, closers: Close[]) {
	const {config, log, readiness, metrics} = context;
	const at = config.CLICKHOUSE_URL
		? {
				...serverAt(config.CLICKHOUSE_URL),
				...(config.CLICKHOUSE_CLUSTER ? {cluster: config.CLICKHOUSE_CLUSTER} : {}),
			}
		: await embeddedClickHouse(context, closers);
	const warehouse = createWarehouse({
		...at,
		onEngineError: (name, text) => log.debug({query: name, text}, 'ClickHouse refused a statement'),
		onStatement: statement => {
			metrics.stores.statement(statement.name, statement.ms, statement.code);
			const {rowsRead, bytesRead} = statement;
			if (rowsRead !== undefined) metrics.stores.scanned(statement.name, rowsRead, bytesRead ?? 0);
			if (statement.ms < config.SLOW_MS) return;
			log.warn({...statement, ms: Math.round(statement.ms)}, 'a statement was slow');
		},
	});
	if (config.CLICKHOUSE_URL) {
		metrics.show({
			name: 'millrace_engine_memory_bytes',
			help: 'Memory the ClickHouse server tracks for its queries and caches',
			read: async () => (await warehouse.read(engineMemory, undefined, {deadlineMs: 1_000})).rows[0]?.bytes,
		});
	}
	closers.push(() => warehouse.close());
	const up = untilUp(config.CLICKHOUSE_URL !== undefined, log, 'ClickHouse', () =>
		alone(config, database, () => migrateClickHouse(warehouse, config.CLICKHOUSE_URL ? at : {})),
	).then(() => readiness.up('clickhouse'));
	up.catch(error => log.fatal({error}, 'ClickHouse cannot be brought to this release'));
	// Accepting depends on the journal alone: a server that is away now is drained to when it comes.
	await (config.CLICKHOUSE_URL ? Promise.race([up, delay(SERVER_PATIENCE_MS, undefined, {ref: false})]) : up);
	return {warehouse, at};
}

/** ClickHouse has no locks of its own; an instance alone with its stores needs none. */
async function alone<T>(config: Config, database: Promise<Database>, work: () => Promise<T>): Promise<T> {
	if (!config.CLICKHOUSE_URL || !config.DATABASE_URL) return work();
	return oneAtATime(await database, WAREHOUSE_SCHEMA_LOCK, work);
}

async function embeddedClickHouse({config, log, metrics}: StoreContext, closers: Close[]) {
	const embedded = await startEmbeddedClickHouse({dataDir: path.join(config.DATA_DIR, 'clickhouse')});
	closers.push(() => embedded.close());
	embedded.onExit(exit => log.error(exit, 'the embedded ClickHouse ended and is started again'));
	metrics.show({
		name: 'millrace_engine_memory_bytes',
		help: 'Memory of the ClickHouse process that the service brings along (Linux)',
		read: () => residentBytes(embedded.pid),
	});
	const {url, username, password} = embedded;
	return {url, username, password};
}

/** Credentials and database of `http://user:password@host:8123/database`. */
function serverAt(address: string) {
	const url = new URL(address);
	return {
		url: url.origin,
		username: decodeURIComponent(url.username) || 'default',
		password: decodeURIComponent(url.password),
		database: url.pathname.slice(1) || 'default',
	};
}

/** A server may come up after us; an embedded engine that fails has a reason to be told. */
async function untilUp<T>(isServer: boolean, log: Logger, name: string, work: () => Promise<T>): Promise<T> {
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (!isServer || !(error instanceof DomainError) || error.code !== 'store_unavailable') throw error;
			log.warn({error}, `${name} cannot be reached yet`);
			await delay(1000);
		}
	}
}

/** The configured key, or one made once and kept beside the engines' folders. */
export async function loadSecretKey(config: Config): Promise<string> {
	if (config.SECRET_KEY) return config.SECRET_KEY;
	const file = path.join(config.DATA_DIR, 'secret.key');
	try {
		return (await readFile(file, 'utf8')).trim();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
	}
	const key = randomBytes(32).toString('hex');
	await writeFileAtomically(file, `${key}\n`);
	return key;
}
