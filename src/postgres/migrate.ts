import {createHash} from 'node:crypto';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {projectFile} from '../lib/project.ts';
import type {Database, Tx} from './database.ts';

const MIGRATIONS = fileURLToPath(projectFile('sql/postgres/migrations'));
const FILE_NAME = /^(\d{3})_[a-z0-9_]+\.sql$/;
/** Any constant will do as long as all instances take the same. */
const LOCK_KEY = 7_210_001;

interface Migration {
	readonly version: number;
	readonly name: string;
	readonly sql: string;
	readonly checksum: string;
}

async function readMigrations(directory: string): Promise<Migration[]> {
	const names = (await readdir(directory)).filter(name => name.endsWith('.sql')).sort();
	const seen = new Map<number, string>();
	return Promise.all(
		names.map(async name => {
			const version = Number(FILE_NAME.exec(name)?.[1]);
			if (!version) throw new Error(`Migration ${name} is not named NNN_what_it_makes.sql`);
			const twin = seen.get(version);
			if (twin) throw new Error(`Migrations ${twin} and ${name} have the same number`);
			seen.set(version, name);
			const sql = await readFile(join(directory, name), 'utf8');
			return {version, name, sql, checksum: createHash('sha256').update(sql).digest('hex')};
		}),
	);
}

/**
 * Applies what is missing, in order of number, all in one transaction; answers the names applied. Instances that
 * start together take turns. A file changed after it was applied stops the start, by name.
 */
export async function migrate(database: Database, directory = MIGRATIONS): Promise<readonly string[]> {
	const migrations = await readMigrations(directory);
	return database.transaction(async tx => {
		// Transaction-level: session locks do not exclude on the embedded engine, and need an unlock that may be lost.
		await tx.raw('select pg_advisory_xact_lock(?)', [LOCK_KEY]);
		await tx.raw(
			`create table if not exists schema_migrations (
				version integer primary key, name text not null, checksum text not null, applied_ts bigint not null
			)`,
		);
		const applied = await appliedChecksums(tx);
		const missing: string[] = [];
		for (const migration of migrations) {
			const checksum = applied.get(migration.version);
			if (checksum === undefined) {
				await apply(tx, migration);
				missing.push(migration.name);
			} else if (checksum !== migration.checksum) {
				throw new Error(
					`Migration ${migration.name} was changed after it was applied: add a new file instead`,
				);
			}
		}
		return missing;
	});
}

async function appliedChecksums(tx: Tx): Promise<Map<number, string>> {
	const rows = await tx<{version: number; checksum: string}>('schema_migrations').select(
		'version',
		'checksum',
	);
	return new Map(rows.map(row => [row.version, row.checksum]));
}

async function apply(tx: Tx, {version, name, sql, checksum}: Migration): Promise<void> {
	try {
		// knex reads a question mark as a binding, wherever it stands.
		await tx.raw(sql.replaceAll('?', '\\?'));
	} catch (error) {
		throw new Error(`Migration ${name} failed: ${(error as Error).message}`, {cause: error});
	}
	await tx('schema_migrations').insert({version, name, checksum, applied_ts: Date.now()});
}
