import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {createConnection} from 'node:net';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import type {DomainError} from '../../../src/errors.ts';
import {type Database, openDatabase} from '../../../src/postgres/database.ts';
import {simpleQuery, startupMessage} from '../../../src/postgres/embedded/frames.ts';
import {newDataDirectory} from '../../support/postgres.ts';

async function directoryOf(t: ExecutionContext): Promise<string> {
	const dataDir = await newDataDirectory();
	t.teardown(() => rm(dataDir, {recursive: true, force: true}));
	return dataDir;
}

async function open(t: ExecutionContext, dataDir: string, idleInTransactionMs = 30_000): Promise<Database> {
	const database = await openDatabase({dataDir, poolSize: 6, idleInTransactionMs});
	t.teardown(() => database.close());
	return database;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
	for (let i = 0; i < 200; i++) {
		if (await condition()) return;
		await sleep(50);
	}
	throw new Error('waited in vain');
}

test.serial('a second opening of the data directory is refused and told who has it', async t => {
	const dataDir = await directoryOf(t);
	await open(t, dataDir);

	const error = await t.throwsAsync<DomainError>(openDatabase({dataDir, lockWaitMs: 0}));

	t.is(error?.code, 'store_unavailable');
	t.regex(error?.message ?? '', new RegExp(`in use by process ${process.pid}`));
});

test.serial('a start waits for the former process to let go', async t => {
	const dataDir = await directoryOf(t);
	const first = await openDatabase({dataDir});
	const second = openDatabase({dataDir});
	await sleep(300);
	await first.close();

	const database = await second;
	t.teardown(() => database.close());
	t.true(await database.ping());
});

test.serial(
	'after a close the directory is free, its lock and socket are gone and its rows are there',
	async t => {
		const dataDir = await directoryOf(t);
		const first = await openDatabase({dataDir});
		await first.run(sql => sql.raw('create table notes as select 1 as id'));
		const {socketDirectory} = first.embedded!;
		await first.close();

		t.false(existsSync(socketDirectory));
		t.false(existsSync(join(dataDir, 'postgres.lock')));
		const second = await open(t, dataDir);
		t.deepEqual(await second.run(sql => sql('notes').first()), {id: 1});
	},
);

test.serial(
	'the lock of a process that is gone, or of another one with its reused number, is taken over',
	async t => {
		const dataDir = await directoryOf(t);
		await mkdir(dataDir, {recursive: true});
		const holder = {
			id: 'x',
			pid: process.pid,
			startedAt: '1',
			host: hostname(),
			scratch: '',
		};
		await writeFile(join(dataDir, 'postgres.lock'), JSON.stringify(holder));

		const database = await open(t, dataDir);

		t.true(await database.ping());
		t.not(JSON.parse(await readFile(join(dataDir, 'postgres.lock'), 'utf8')).id, 'x');
	},
);

test.serial('a fresh lock from another host is respected: volumes are shared', async t => {
	const dataDir = await directoryOf(t);
	const holder = {id: 'x', pid: 1, startedAt: null, host: 'elsewhere', scratch: ''};
	await writeFile(join(dataDir, 'postgres.lock'), JSON.stringify(holder));

	await t.throwsAsync(openDatabase({dataDir, lockWaitMs: 0}), {message: /process 1 on elsewhere/});
});

test.serial('an engine that crashes is started again with all that was committed', async t => {
	const database = await open(t, await directoryOf(t));
	await database.run(sql => sql.raw('create table notes (id int)'));
	await database.run(sql => sql('notes').insert({id: 1}));

	let exits = 0;
	database.embedded!.onExit(() => exits++);
	await database.embedded!.crash();

	const error = await t.throwsAsync<DomainError>(database.run(sql => sql('notes').first()));
	t.is(error?.code, 'store_unavailable');
	await until(() => database.ping());
	t.is(exits, 1);
	t.deepEqual(await database.run(sql => sql('notes').first()), {id: 1});
});

test.serial(
	'a client that leaves in the middle of a transaction is rolled back and blocks nobody',
	async t => {
		const database = await open(t, await directoryOf(t));
		await database.run(sql => sql.raw('create table notes (id int)'));
		const socket = createConnection(join(database.embedded!.socketDirectory, '.s.PGSQL.5432'));
		socket.write(Buffer.concat([startupMessage('postgres', 'postgres'), simpleQuery('begin')]));
		socket.write(simpleQuery('insert into notes values (1)'));
		let answers = '';
		await until(async () => {
			answers += String(socket.read() ?? '');
			return answers.includes('INSERT');
		});

		socket.destroy();

		t.deepEqual(await database.run(sql => sql('notes').select()), []);
	},
);

test.serial('a transaction left idle while others wait is cut off after its time', async t => {
	const database = await open(t, await directoryOf(t), 300);
	await database.run(sql => sql.raw('create table notes (id int)'));

	const forgotten = database.transaction(async tx => {
		await tx('notes').insert({id: 1});
		await sleep(1_500);
		await tx('notes').insert({id: 2});
	});
	const failed = t.throwsAsync<DomainError>(forgotten);
	await sleep(50);
	t.deepEqual(await database.run(sql => sql('notes').select()), []);

	t.is((await failed)?.code, 'store_unavailable');
});

test.serial(
	'whatever a process was told is stored is there after it was killed in the middle of writing',
	async t => {
		const dataDir = await directoryOf(t);
		let acknowledged = 0;
		for (let round = 0; round < 3; round++) {
			const writer = startWriter(t, dataDir, acknowledged);
			for await (const line of createInterface({input: writer.stdout!})) {
				acknowledged = Math.max(acknowledged, Number(line));
				if (acknowledged > (round + 1) * 150) {
					writer.kill('SIGKILL');
					break;
				}
			}
			if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit');
		}

		const database = await open(t, dataDir);
		const [row] = await database.run(sql => sql('written').count({n: '*'}).max({last: 'id'}));
		t.true(acknowledged > 450);
		t.true(Number(row?.last) >= acknowledged, `${row?.last} of ${acknowledged} acknowledged`);
		t.is(row?.n, row?.last, 'a hole among the rows');
	},
);

/** A process that inserts rows with rising ids, continuing at the last one, and prints each once it is told so. */
function startWriter(t: ExecutionContext, dataDir: string, acknowledged: number): ChildProcess {
	const script = `
		import {openDatabase} from ${JSON.stringify(new URL('../../../src/postgres/database.js', import.meta.url).href)};
		const database = await openDatabase({dataDir: ${JSON.stringify(dataDir)}});
		await database.run(sql => sql.raw('create table if not exists written (id int primary key)'));
		const {last} = await database.run(sql => sql('written').max({last: 'id'}).first());
		if ((last ?? 0) < ${acknowledged}) throw new Error('lost');
		for (let id = (last ?? 0) + 1; ; id++) {
			await database.run(sql => sql('written').insert({id}));
			process.stdout.write(id + '\\n');
		}
	`;
	const writer = spawn(process.execPath, ['--input-type=module', '--eval', script], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	t.teardown(() => writer.kill('SIGKILL'));
	return writer;
}
