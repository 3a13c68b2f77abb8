import {createHash} from 'node:crypto';
import {cpSync, existsSync, readdirSync} from 'node:fs';
import {mkdir, mkdtemp, readdir, readFile, rename, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {projectFile} from '../../src/lib/project.ts';
import {openDatabase} from '../../src/postgres/database.ts';
import {migrate as migratePostgres} from '../../src/postgres/migrate.ts';
import {createWarehouse} from '../../src/warehouse/clickhouse.ts';
import {startEmbeddedClickHouse} from '../../src/warehouse/embedded/embedded-clickhouse.ts';
import {migrate as migrateClickHouse} from '../../src/warehouse/migrate.ts';

/** Directories of engines that hold a schema and nothing else, by the place they have in a data directory. */
const TEMPLATES = {
	postgres: {
		madeOf: [
			'node_modules/@electric-sql/pglite/package.json',
			'src/postgres/migrate.ts',
			'sql/postgres/migrations',
		],
		async make(dataDir: string) {
			const database = await openDatabase({dataDir});
			await migratePostgres(database).finally(() => database.close());
		},
	},
	'empty-postgres': {
		madeOf: ['node_modules/@electric-sql/pglite/package.json'],
		async make(dataDir: string) {
			await (await openDatabase({dataDir})).close();
			await rename(join(dataDir, 'postgres'), join(dataDir, 'empty-postgres'));
		},
	},
	clickhouse: {
		madeOf: ['node_modules/chdb/package.json', 'src/warehouse/migrate.ts', 'sql/clickhouse/schema'],
		async make(dataDir: string) {
			const engine = await startEmbeddedClickHouse({dataDir: join(dataDir, 'clickhouse')});
			const {url, username, password} = engine;
			const warehouse = createWarehouse({url, username, password});
			await migrateClickHouse(warehouse).finally(async () => {
				await warehouse.close();
				await engine.close();
			});
		},
	},
} as const;

type Template = keyof typeof TEMPLATES;

/** Copies what was brought up once for all test files; what an engine does at its first start takes it seconds. */
export async function copyTemplate(name: Template, to: string): Promise<void> {
	made[name] ??= keep(name);
	// As they are: an engine's links lead from one place of its directory to another. At once, in a third of the CPU.
	cpSync(await made[name], to, {recursive: true, verbatimSymlinks: true});
}

/** The same for the engines of a service, unless the directory has something already. */
export async function prepareDataDir(
	dataDir: string,
	engines: readonly ('postgres' | 'clickhouse')[] = ['postgres', 'clickhouse'],
): Promise<void> {
	if (existsSync(dataDir) && readdirSync(dataDir).length > 0) return;
	for (const engine of engines) await copyTemplate(engine, join(dataDir, engine));
}

const made: Partial<Record<Template, Promise<string>>> = {};

async function keep(name: Template): Promise<string> {
	const {madeOf, make} = TEMPLATES[name];
	const kept = join(tmpdir(), `millrace-test-${name}-${process.getuid?.() ?? 0}-${await digestOf(madeOf)}`);
	// Test files start together: one makes it, the others wait, or go on by themselves if that one died.
	const isFirst =
		existsSync(kept) ||
		(await mkdir(`${kept}.making`).then(
			() => true,
			() => false,
		));
	for (let i = 0; i < 150 && !isFirst && !existsSync(kept); i++) await sleep(200);
	if (existsSync(kept)) return kept;
	const draft = await mkdtemp(join(tmpdir(), 'millrace-test-draft-'));
	await make(draft);
	await rename(join(draft, name), kept).catch(() => {});
	await rm(draft, {recursive: true, force: true});
	await rm(`${kept}.making`, {recursive: true, force: true});
	return kept;
}

/** Of everything that decides what a new store holds. */
async function digestOf(paths: readonly string[]): Promise<string> {
	const hash = createHash('sha256');
	for (const path of paths) await addTo(hash, projectFile(path).pathname);
	return hash.digest('hex').slice(0, 16);
}

async function addTo(hash: ReturnType<typeof createHash>, path: string): Promise<void> {
	const names = await readdir(path).catch(() => undefined);
	if (names === undefined) hash.update(await readFile(path));
	else for (const name of names.sort()) await addTo(hash.update(name), join(path, name));
}
