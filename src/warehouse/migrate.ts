import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {z} from 'zod';
import {projectFile} from '../lib/project.ts';
import {onShard} from './cluster-tables.ts';
import type {SqlParams, Warehouse, WarehouseQuery} from './warehouse.ts';

const SCHEMA = projectFile('sql/clickhouse/schema/');

/** The schema in the store and the files of this release do not belong together; the message names the file. */
export class SchemaError extends Error {
	override readonly name = 'SchemaError';
}

export interface MigrateOptions {
	/** How the engine's dictionaries reach its own tables: needed where the default user has a password. */
	readonly username?: string;
	readonly password?: string;
	readonly database?: string;
	/** The store is a cluster of this name: the tables that a file asks about are those on its shards. */
	readonly cluster?: string;
	/** Folder of `NNN_*.sql`; the release's own by default. */
	readonly folder?: URL;
}

interface Migration {
	readonly name: string;
	readonly checksum: string;
	readonly text: string;
}

/**
 * Brings the store to this release's schema: each file of `sql/clickhouse/schema` once, in order.
 * Two instances may do so together where each statement stands that; the end state is read back.
 * @returns names of the files applied now. @throws SchemaError when a file released earlier has changed.
 */
export async function migrate(warehouse: Warehouse, options: MigrateOptions = {}): Promise<string[]> {
	const migrations = readMigrations(options.folder ?? SCHEMA);
	await warehouse.command(CREATE_LEDGER);
	const before = await appliedChecksums(warehouse);
	refuseChanged(migrations, before);

	const applied: string[] = [];
	for (const {name, checksum, text} of migrations) {
		if (before.has(name)) continue;
		const condition = conditionOf(text);
		const wanted = condition && options.cluster ? onShard(condition) : condition;
		for (const statement of statementsOf(text)) {
			if (wanted && !(await isWanted(warehouse, wanted))) break;
			await warehouse.command(withSource(statement, options));
		}
		await warehouse.command(RECORD, {name, checksum});
		applied.push(name);
	}
	await verify(warehouse, migrations);
	return applied;
}

/** Statements of a file: a line that holds only `;` stands between two. */
export function statementsOf(text: string): string[] {
	return text
		.split(/^\s*;\s*$/m)
		.map(statement => statement.trim())
		.filter(statement => statement !== '');
}

function readMigrations(folder: URL): Migration[] {
	return readdirSync(folder)
		.filter(name => /^\d{3}_\w+\.sql$/.test(name))
		.sort()
		.map(name => {
			const text = readFileSync(new URL(name, folder), 'utf8');
			return {name, text, checksum: createHash('sha256').update(text).digest('hex')};
		});
}

/** The query after `-- only while:`; a crash may have come behind any statement of the file, and the next start asks again. */
function conditionOf(text: string): string | undefined {
	return /^-- only while: (.+)$/m.exec(text)?.[1];
}

async function isWanted(warehouse: Warehouse, text: string): Promise<boolean> {
	const {rows} = await warehouse.read(
		ask('schema.wanted', z.object({wanted: z.coerce.number()}), text),
		undefined,
	);
	return rows[0]?.wanted === 1;
}

/** Fills `/*{dictionary_source}*\/`; the checksum is of the file as released, without anyone's password. */
function withSource(statement: string, {username, password, database}: MigrateOptions): string {
	const parts: string[] = [];
	if (username !== undefined) parts.push(`USER ${literal(username)}`, `PASSWORD ${literal(password ?? '')}`);
	if (database !== undefined) parts.push(`DB ${literal(database)}`);
	return statement.replaceAll('/*{dictionary_source}*/', () => parts.join(' '));
}

function literal(text: string): string {
	return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

function refuseChanged(
	migrations: readonly Migration[],
	applied: ReadonlyMap<string, readonly string[]>,
): void {
	for (const {name, checksum} of migrations) {
		const known = applied.get(name);
		if (known && !(known.length === 1 && known[0] === checksum)) {
			throw new SchemaError(
				`${name} was applied with another content: a released file is followed, never edited`,
			);
		}
	}
}

/** Another instance may have migrated meanwhile, of another release even: what counts is what stands at the end. */
async function verify(warehouse: Warehouse, migrations: readonly Migration[]): Promise<void> {
	const applied = await appliedChecksums(warehouse);
	refuseChanged(migrations, applied);
	const {rows} = await warehouse.read(PRESENT, undefined);
	const present = new Set(rows.map(row => row.name));
	for (const {name, text} of migrations) {
		if (!applied.has(name)) throw new SchemaError(`${name} was applied but is not recorded`);
		for (const [, object] of text.matchAll(
			/^CREATE (?:TABLE|DICTIONARY|MATERIALIZED VIEW) IF NOT EXISTS (\w+)/gm,
		)) {
			if (!present.has(object!)) throw new SchemaError(`${name} is recorded but ${object} does not exist`);
		}
	}
}

const CREATE_LEDGER = `CREATE TABLE IF NOT EXISTS schema_migrations (
	name String,
	checksum String,
	applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = MergeTree
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`;

const RECORD = 'INSERT INTO schema_migrations (name, checksum) SELECT {name:String}, {checksum:String}';

const APPLIED = ask(
	'schema.applied',
	z.object({name: z.string(), checksums: z.array(z.string())}),
	'SELECT name, groupUniqArray(checksum) AS checksums FROM schema_migrations GROUP BY name',
);

const PRESENT = ask(
	'schema.present',
	z.object({name: z.string()}),
	'SELECT name FROM system.tables WHERE database = currentDatabase()',
);

async function appliedChecksums(warehouse: Warehouse): Promise<Map<string, string[]>> {
	const {rows} = await warehouse.read(APPLIED, undefined);
	return new Map(rows.map(row => [row.name, row.checksums]));
}

function ask<Row>(name: string, row: z.ZodType<Row>, text: string): WarehouseQuery<undefined, Row> {
	const params: SqlParams = {};
	return {name, lane: 'light', row, build: () => ({text, params})};
}
