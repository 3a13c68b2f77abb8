import type {z} from 'zod';

/** Values bound by the engine, never spliced into the text: names are those of `{name:Type}` in the SQL. */
export type SqlParams = Readonly<Record<string, SqlValue>>;
export type SqlValue = string | number | boolean | null | readonly SqlValue[];

/** A piece of SQL from our own catalogue, with the values it speaks of. */
export interface SqlFragment {
	readonly text: string;
	readonly params: SqlParams;
}

/** A named, typed question: see `define-query.ts`. */
export interface WarehouseQuery<Input, Row> {
	/** report.answer, also the query's `log_comment`. */
	readonly name: string;
	/** Which lane of sessions it may occupy on the embedded engine. */
	readonly lane: 'light' | 'heavy';
	readonly row: z.ZodType<Row>;
	build(input: Input): SqlFragment;
	/** The same question of a cluster, where that is another statement; undefined: the same text does. */
	onShards?(input: Input, shards: Shards): SqlFragment | undefined;
	/** Which facts alone, beside merges, the answer depends on; absent or undefined: on more than can be told. */
	footprint?(input: Input): Footprint | undefined;
}

/** How a statement reaches the shards of a cluster. */
export interface Shards {
	/** The part of a table that lies where the statement runs. */
	here(table: string): string;
	/** To stand behind FROM: what the statement answers on every shard, one after another. */
	each(statement: string): string;
}

/** Facts of one datamart, of the instants `[fromMs, untilMs)`. */
export interface Footprint {
	readonly datamartId: number;
	readonly fromMs: number;
	readonly untilMs: number;
}

/** A question as it is about to be put to the engine. */
export interface Asked extends SqlFragment {
	readonly name: string;
	readonly lane: 'light' | 'heavy';
	readonly footprint: Footprint | undefined;
}

/** An answer before its rows are checked: whole, or not there at all. */
export interface Answer {
	readonly data: readonly unknown[];
	/** Of its text. */
	readonly bytes: number;
	readonly statistics: ReadStatistics;
	readonly queryId: string;
}

/** Puts the question to the engine, under this id, until this signal. */
export type Attempt = (how: {readonly queryId: string; readonly signal: AbortSignal}) => Promise<Answer>;

/** Stands between a caller and the engine: may have a question wait, share an attempt, or know the answer. */
export type Through = (asked: Asked, attempt: Attempt) => Promise<Answer>;

export interface ReadOptions {
	/** Wall-clock bound, waiting for a session included, enforced by the engine (`max_execution_time`); default 30 s. */
	readonly deadlineMs?: number;
	/** Memory bound of the query (`max_memory_usage`); default 4 GiB. */
	readonly maxMemoryBytes?: number;
	/** Identifies the query in the engine and in the answer's headers. */
	readonly queryId?: string;
	/** Releases the caller with the signal's reason and kills the query, on either engine. */
	readonly signal?: AbortSignal;
	/** Told what the engine read, once the query is through; the answer is handed on when this resolves. */
	readonly onCost?: (cost: QueryCost) => Promise<void> | void;
	/** Told of a question whose answer was known, and which no engine was asked: its name, and the ms it took. */
	readonly onKnown?: (name: string, ms: number) => void;
	/** Decides when, and whether, the question is put to the engine; absent: at once. */
	readonly through?: Through;
}

/** What the engine itself says a query cost: rows and bytes scanned, not returned. */
export interface ReadStatistics {
	readonly rowsRead: number;
	readonly bytesRead: number;
	readonly elapsedMs: number;
}

export interface QueryCost extends ReadStatistics {
	/** The query's own name, such as `funnel.steps`. */
	readonly name: string;
	readonly queryId: string;
}

export interface ReadResult<Row> {
	readonly rows: readonly Row[];
	readonly statistics: ReadStatistics;
	readonly queryId: string;
}

/** A block of rows as bytes; written whole or not at all. */
export interface WriteBlock {
	readonly table: string;
	readonly columns: readonly string[];
	readonly rows: number;
	/** In `format`: one line a row, in the order of `columns`; or a `NativeBlock`, whose columns are the same. */
	readonly payload: Buffer;
	/** TabSeparated by default. Native costs the engine a third of it (docs/adr/0017). */
	readonly format?: 'TabSeparated' | 'Native';
	/** The same token never stores twice: it names the journal range and nothing else. Without one, always stored. */
	readonly deduplicationToken?: string;
}

export interface CommandOptions {
	/** How long the caller waits, in ms; the statement itself may go on after it. Default 10 min. */
	readonly deadlineMs?: number;
}

/**
 * The analytics store behind one interface: embedded chDB or a ClickHouse server.
 * Errors: `DomainError` with `query_timed_out`, `query_memory_exceeded`, `query_failed`, `store_unavailable`.
 */
export interface Warehouse {
	read<Input, Row>(
		query: WarehouseQuery<Input, Row>,
		input: Input,
		options?: ReadOptions,
	): Promise<ReadResult<Row>>;
	write(block: WriteBlock): Promise<void>;
	/** A statement of our own without a result (DDL, SYSTEM RELOAD DICTIONARY ...). */
	command(sql: string, params?: SqlParams, options?: CommandOptions): Promise<void>;
	/** Whether the engine answers a query now. */
	ping(): Promise<boolean>;
	close(): Promise<void>;
}
