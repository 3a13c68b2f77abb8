import {cp, mkdtemp, readdir, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {migrate} from '../../src/postgres/migrate.ts';
import {startTestPostgres} from '../support/postgres.ts';

async function directoryWith(t: ExecutionContext, files: Record<string, string>): Promise<string> {
	const directory = await mkdtemp(join(tmpdir(), 'millrace-migrations-'));
	t.teardown(() => rm(directory, {recursive: true, force: true}));
	for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
	return directory;
}

test.serial('the second start finds nothing left to migrate', async t => {
	const {database} = await startTestPostgres(t, {migrated: false});
	const files = (await readdir('sql/postgres/migrations')).filter(name => name.endsWith('.sql')).sort();

	t.deepEqual(await migrate(database), files);
	t.deepEqual(await migrate(database), []);
});

test.serial('of two instances that start together one migrates and the other waits for it', async t => {
	const postgres = await startTestPostgres(t, {migrated: false});
	const other = await postgres.connectAgain();
	const directory = await directoryWith(t, {'001_things.sql': 'create table things (id int);'});

	const applied = await Promise.all([migrate(postgres.database, directory), migrate(other, directory)]);

	t.deepEqual(applied.flat(), ['001_things.sql']);
});

test.serial('a migration changed after it was applied stops the start and is named', async t => {
	const {database} = await startTestPostgres(t, {migrated: false});
	const directory = await directoryWith(t, {'001_things.sql': 'create table things (id int);'});
	await migrate(database, directory);
	await writeFile(join(directory, '001_things.sql'), 'create table things (id bigint);');

	await t.throwsAsync(migrate(database, directory), {message: /001_things\.sql was changed/});
});

test.serial(
	'a migration that fails is named and leaves nothing behind, not even those before it',
	async t => {
		const {database} = await startTestPostgres(t, {migrated: false});
		const directory = await directoryWith(t, {
			'001_things.sql': 'create table things (id int);',
			'002_broken.sql': 'create table more (id int); create tabel oops;',
		});

		await t.throwsAsync(migrate(database, directory), {message: /002_broken\.sql failed/});

		const {rows} = await database.run(sql => sql.raw("select to_regclass('things') as things"));
		t.is(rows[0].things, null);
	},
);

test.serial('a file added later is applied by itself, question marks and all', async t => {
	const {database} = await startTestPostgres(t, {migrated: false});
	const directory = await directoryWith(t, {'001_things.sql': 'create table things (id int, word text);'});
	await migrate(database, directory);
	await writeFile(join(directory, '002_words.sql'), "insert into things values (1, 'what? who?');");

	t.deepEqual(await migrate(database, directory), ['002_words.sql']);
	t.is((await database.run(sql => sql('things').first())).word, 'what? who?');
});

test.serial('two files with one number and a file without a number are refused', async t => {
	const {database} = await startTestPostgres(t, {migrated: false});
	const twins = await directoryWith(t, {'001_a.sql': 'select 1;', '001_b.sql': 'select 1;'});
	await t.throwsAsync(migrate(database, twins), {message: /001_a\.sql and 001_b\.sql have the same number/});

	const nameless = await directoryWith(t, {});
	await cp('sql/postgres/migrations/001_tenants.sql', join(nameless, 'tenants.sql'));
	await t.throwsAsync(migrate(database, nameless), {message: /tenants\.sql is not named/});
});
