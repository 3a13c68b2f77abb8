import {Socket} from 'node:net';
import knex, {type Knex} from 'knex';
import pg from 'pg';
import {type EmbeddedOptions, EmbeddedPostgres} from './embedded/embedded.ts';
import {translate} from './errors.ts';

export type Tx = Knex.Transaction;

export interface Database {
	/** Statements outside a transaction. Connection trouble throws `store_unavailable`; use no session state. */
	run<T>(work: (sql: Knex) => PromiseLike<T>): Promise<T>;
	/** All or nothing. On the embedded engine others wait meanwhile: never wait for another connection inside. */
	transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
	ping(): Promise<boolean>;
	close(): Promise<void>;
	/** Present when PostgreSQL runs inside this process. */
	readonly embedded?: EmbeddedPostgres;
}

export type DatabaseOptions = {
	readonly poolSize?: number;
	/** How long a caller waits for a free connection; default 10 s. */
	readonly acquireTimeoutMs?: number;
} & (
	| {
			readonly url: string;
			/** A server that says nothing for so long while it is asked is given up; its statements end 2 s before. Default 12 s. */
			readonly silenceMs?: number;
	  }
	| EmbeddedOptions
);

const SILENCE_MS = 12_000;

const INT8 = pg.types.builtins.INT8;

/** Ids, instants and counts stay below 2^53, so int8 is a number here; in this pool only, other users of pg are left alone. */
function toSafeInteger(text: string): number {
	const value = Number(text);
	if (!Number.isSafeInteger(value)) throw new RangeError(`int8 beyond 2^53: ${text}`);
	return value;
}

const types = {
	getTypeParser: (oid: number, format?: 'text' | 'binary') =>
		oid === INT8 ? toSafeInteger : pg.types.getTypeParser(oid, format as 'text'),
};

/** One code path, two constructions: a server by its URL, or the embedded engine in `<dataDir>/postgres`. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
	if ('url' in options) {
		const {url, silenceMs = SILENCE_MS} = options;
		const connection = {
			connectionString: url,
			statement_timeout: silenceMs - 2_000,
			application_name: 'millrace',
			stream: () => impatientSocket(silenceMs),
		};
		return wrap(pool(connection, options, 10));
	}
	const embedded = await EmbeddedPostgres.start(options);
	const connection = {host: embedded.socketDirectory, port: 5432, user: 'postgres', database: 'postgres'};
	return wrap(pool(connection, options, 4), embedded);
}

/** Without it a statement sent into a network that swallows it waits for a quarter of an hour. */
function impatientSocket(silenceMs: number): Socket {
	const socket = new Socket();
	socket.setTimeout(silenceMs, () => {
		const silence = Object.assign(new Error('PostgreSQL says nothing'), {code: 'ETIMEDOUT'});
		socket.destroy(silence);
	});
	return socket;
}

function pool(connection: pg.ClientConfig, options: DatabaseOptions, poolSize: number): Knex {
	return knex({
		client: 'pg',
		connection: {connectionTimeoutMillis: 5_000, ...connection, types} as Knex.PgConnectionConfig,
		// Idle connections end here before their sockets lose patience.
		pool: {min: 0, max: options.poolSize ?? poolSize, idleTimeoutMillis: 8_000},
		acquireConnectionTimeout: options.acquireTimeoutMs ?? 10_000,
		// Error messages end up in logs: the values of a statement stay out of them.
		compileSqlOnError: false,
		// A connection that went away is replaced and told of as store_unavailable: nothing to print.
		log: {warn: () => {}, error: () => {}, debug: () => {}, deprecate: () => {}},
	});
}

function wrap(sql: Knex, embedded?: EmbeddedPostgres): Database {
	async function guarded<T>(work: () => PromiseLike<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			throw translate(error);
		}
	}
	return {
		run: work => guarded(() => work(sql)),
		transaction: work => guarded(() => sql.transaction(work)),
		ping: () =>
			guarded(() => sql.raw('select 1')).then(
				() => true,
				() => false,
			),
		async close() {
			await sql.destroy();
			await embedded?.close();
		},
		...(embedded ? {embedded} : {}),
	};
}
