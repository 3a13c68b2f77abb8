import {randomUUID} from 'node:crypto';
import {Readable} from 'node:stream';
import {ClickHouseLogLevel, type ClickHouseSettings, createClient} from '@clickhouse/client';
import {z} from 'zod';
import {DomainError} from '../errors.ts';
import {traced} from '../lib/tracer.ts';
import {CLUSTER_SETTINGS, clustered} from './cluster.ts';
import {LANE_HEADER} from './embedded/protocol.ts';
import {toDomainError} from './fault.ts';
import {PINNED} from './pins.ts';
import type {
	Answer,
	Asked,
	ReadOptions,
	SqlParams,
	Warehouse,
	WarehouseQuery,
	WriteBlock,
} from './warehouse.ts';
import {wholeAnswer} from './whole-answer.ts';

export interface WarehouseOptions {
	/** `http://host:port` of a server, or of the embedded engine's child process. */
	readonly url: string;
	readonly username?: string;
	readonly password?: string;
	readonly database?: string;
	/** The servers' own name for the cluster that all of them are; absent: one server. */
	readonly cluster?: string;
	/** What the engine itself said, for a log at debug level: it may quote values, so it is in no error. */
	readonly onEngineError?: (name: string, text: string) => void;
	/** Told of every statement when it is over. */
	readonly onStatement?: (statement: Statement) => void;
}

/** A statement that is over. */
export interface Statement {
	/** A query's own name; `write to <table>`; the first words of a command. */
	readonly name: string;
	readonly ms: number;
	/** Of the error, where it failed. */
	readonly code: string | undefined;
	readonly queryId?: string | undefined;
	readonly rowsRead?: number;
	readonly bytesRead?: number;
}

const READ_MS = 30_000;
const READ_BYTES = 4 * 1024 ** 3;
const WRITE_MS = 120_000;
const COMMAND_MS = 600_000;
const PING_MS = 3_000;
/** The engine ends a query itself; past this our side stops waiting for it. */
const WATCHDOG_GRACE_MS = 300;

/** One block, one part per partition: never split, never merged with another's, spanning as many months as it has. */
const ONE_PART: Readonly<Record<string, number>> = {
	max_insert_block_size: 1_000_000_000,
	min_insert_block_size_rows: 1_000_000_000,
	min_insert_block_size_bytes: 0,
	max_partitions_per_insert_block: 0,
};

/** The analytics store over ClickHouse's HTTP interface: embedded engine and server are one code path. */
export function createWarehouse(options: WarehouseOptions): Warehouse {
	const client = createClient({
		url: options.url,
		...(options.username === undefined ? {} : {username: options.username}),
		...(options.password === undefined ? {} : {password: options.password}),
		...(options.database === undefined ? {} : {database: options.database}),
		application: 'millrace',
		// Lanes and deadlines bound the queries, not the sockets: a light one must not wait for a free socket.
		max_open_connections: 128,
		request_timeout: COMMAND_MS + 60_000,
		use_multipart_params_auto: true,
		keep_alive: {enabled: true, eagerly_destroy_stale_sockets: true},
		clickhouse_settings: {...PINNED, ...(options.cluster ? CLUSTER_SETTINGS : {})} as ClickHouseSettings,
		log: {level: ClickHouseLogLevel.OFF},
	});

	/** Runs one exchange under a watchdog; whatever goes wrong leaves as a DomainError or as the caller's own reason. */
	async function exchange<Result>(
		name: string,
		deadlineMs: number,
		signal: AbortSignal | undefined,
		run: (abort: AbortSignal) => Promise<Result>,
		onAbandoned?: () => void,
	): Promise<Result> {
		signal?.throwIfAborted();
		const watchdog = AbortSignal.timeout(deadlineMs + WATCHDOG_GRACE_MS);
		const abort = signal ? AbortSignal.any([watchdog, signal]) : watchdog;
		const began = performance.now();
		const tell = (code?: string) => options.onStatement?.({name, ms: performance.now() - began, code});
		try {
			const result = await untilAborted(run(abort), abort);
			// A read tells of itself, with what it cost.
			if (onAbandoned === undefined) tell();
			return result;
		} catch (thrown) {
			if (abort.aborted) onAbandoned?.();
			if (signal?.aborted) {
				tell('query_cancelled');
				throw signal.reason;
			}
			if (thrown instanceof Error) options.onEngineError?.(name, thrown.message.slice(0, 2000));
			const error = toDomainError(name, thrown, watchdog.aborted);
			tell(error instanceof DomainError ? error.code : 'internal_error');
			throw error;
		}
	}

	async function read<Input, Row>(query: WarehouseQuery<Input, Row>, input: Input, how: ReadOptions = {}) {
		const asked: Asked = {
			...query.build(input),
			name: query.name,
			lane: query.lane,
			footprint: query.footprint?.(input),
		};
		const {data, statistics, queryId} = how.through
			? await how.through(asked, each => attempt(asked, {...how, ...each}))
			: await attempt(asked, how);
		const rows = z.array(query.row).safeParse(data);
		if (!rows.success) {
			const fields = [...new Set(rows.error.issues.map(issue => String(issue.path[1] ?? '')))].join(', ');
			throw new DomainError('query_failed', `${query.name} answered rows of another shape (${fields})`);
		}
		return {rows: rows.data, statistics, queryId};
	}

	async function attempt({name, lane, text, params}: Asked, how: ReadOptions): Promise<Answer> {
		const {deadlineMs = READ_MS, maxMemoryBytes = READ_BYTES, queryId = randomUUID(), signal} = how;
		const began = performance.now();
		const ask = () =>
			exchange(
				name,
				deadlineMs,
				signal,
				async abort_signal => {
					const result = await client.query({
						query: text,
						query_params: params,
						query_id: queryId,
						format: 'JSON',
						abort_signal,
						http_headers: {[LANE_HEADER]: lane},
						clickhouse_settings: {
							max_execution_time: deadlineMs / 1000,
							max_memory_usage: String(maxMemoryBytes),
							log_comment: name,
							// A heavy one pauses while a light one runs.
							priority: lane === 'light' ? '1' : '2',
							// Errors come as a status, not in the middle of an answer.
							wait_end_of_query: 1,
						},
					});
					return result.text();
				},
				() => killQuery(queryId),
			);
		const answered = await traced(name, {'db.system.name': 'clickhouse', 'millrace.query_id': queryId}, ask);
		const {data, statistics} = wholeAnswer(name, answered);
		const {rowsRead, bytesRead} = statistics;
		const ms = performance.now() - began;
		options.onStatement?.({name, ms, code: undefined, queryId, rowsRead, bytesRead});
		await how.onCost?.({name, queryId, ...statistics});
		return {data, bytes: Buffer.byteLength(answered), statistics, queryId};
	}

	/** The embedded engine knows by itself when a caller left and no query by this id: there it matches nothing. */
	function killQuery(queryId: string): void {
		client
			.command({
				query: 'KILL QUERY WHERE query_id = {queryId:String} ASYNC',
				query_params: {queryId},
				abort_signal: AbortSignal.timeout(PING_MS),
				http_headers: {[LANE_HEADER]: 'control'},
			})
			.catch(() => undefined);
	}

	const warehouse: Warehouse = {
		read,

		async write(block) {
			if (block.rows === 0) return;
			const name = `write to ${block.table}`;
			const send = async (abort_signal: AbortSignal) => {
				const {stream} = await client.exec({
					query: insertStatement(block),
					values: Readable.from([block.payload], {objectMode: false}),
					abort_signal,
					http_headers: {[LANE_HEADER]: 'write'},
				});
				for await (const _ of stream);
			};
			await traced(name, {'db.system.name': 'clickhouse', rows: block.rows}, () =>
				exchange(name, WRITE_MS, undefined, send),
			);
		},

		async command(sql, params: SqlParams = {}, {deadlineMs = COMMAND_MS} = {}) {
			await exchange(firstWords(sql), deadlineMs, undefined, abort_signal =>
				client.command({
					query: sql,
					query_params: params,
					abort_signal,
					http_headers: {[LANE_HEADER]: 'command'},
				}),
			);
		},

		async ping() {
			// A lane of its own: a backlog of questions does not make the engine look dead.
			const {success} = await client.ping({
				select: true,
				abort_signal: AbortSignal.timeout(PING_MS),
				http_headers: {[LANE_HEADER]: 'control'},
			});
			return success;
		},

		close: () => client.close(),
	};
	const {cluster, database = 'default'} = options;
	return cluster ? clustered(warehouse, {name: cluster, database}) : warehouse;
}

/** The client's abort destroys the request; a promise of its that still hangs must not hold our caller. */
function untilAborted<Result>(work: Promise<Result>, abort: AbortSignal): Promise<Result> {
	return new Promise<Result>((resolve, reject) => {
		const leave = () => reject(abort.reason);
		if (abort.aborted) leave();
		abort.addEventListener('abort', leave, {once: true});
		work.then(resolve, reject).finally(() => abort.removeEventListener('abort', leave));
	});
}

const NAME = /^[A-Za-z_]\w*$/;

/** Settings stand in the statement: the embedded engine has no others for a write, and none stays behind. */
function insertStatement({table, columns, deduplicationToken, format = 'TabSeparated'}: WriteBlock): string {
	for (const name of [table, ...columns]) {
		if (!NAME.test(name))
			throw new DomainError('query_failed', `${JSON.stringify(name)} is not a name for a write`);
	}
	// Without a token the engine goes by content and drops an equal block: one that never comes again stores always.
	const token = deduplicationToken ?? randomUUID();
	if (!/^[\w:.-]{1,200}$/.test(token)) {
		throw new DomainError('query_failed', 'a deduplication token is letters, digits and any of _ : . -');
	}
	const settings = Object.entries(ONE_PART).map(([name, value]) => `${name} = ${value}`);
	settings.push(`insert_deduplication_token = '${token}'`);
	return `INSERT INTO ${table} (${columns.join(', ')}) SETTINGS ${settings.join(', ')} FORMAT ${format}`;
}

function firstWords(sql: string): string {
	return sql
		.replace(/--[^\n]*\n/g, ' ')
		.trim()
		.split(/[\s(]+/)
		.slice(0, 3)
		.join(' ');
}
