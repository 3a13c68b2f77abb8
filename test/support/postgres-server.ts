import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {chownSync, existsSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import pg from 'pg';
import {freePort} from './process.ts';

export interface PostgresServer {
	readonly port: number;
	/** Address of its database through some port, its own by default. */
	url(port?: number): string;
	stop(): Promise<void>;
}

/** Directory of the newest PostgreSQL server programs on this machine, or undefined. */
export function postgresPrograms(): string | undefined {
	const debian = '/usr/lib/postgresql';
	const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
	const places = [...versions.map(version => join(debian, version, 'bin')), '/usr/local/bin', '/usr/bin'];
	return places.find(place => ['initdb', 'postgres'].every(name => existsSync(join(place, name))));
}

/** A PostgreSQL server of its own on loopback; it refuses to run as root, so then it runs as somebody else. */
export async function startPostgresServer(programs: string): Promise<PostgresServer> {
	const owner = process.getuid?.() === 0 ? somebody() : undefined;
	const directory = mkdtempSync(join(tmpdir(), 'millrace-pg-server-'));
	if (owner) chownSync(directory, owner.uid, owner.gid);
	const data = join(directory, 'data');
	const run = {...owner, cwd: directory, env: {PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC'}};
	execFileSync(
		join(programs, 'initdb'),
		['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8'],
		{
			...run,
			stdio: 'ignore',
			timeout: 60_000,
		},
	);
	const port = await freePort();
	const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${directory}`];
	const server = spawn(
		join(programs, 'postgres'),
		['-D', data, ...settings.flatMap(setting => ['-c', setting])],
		{
			...run,
			stdio: 'ignore',
		},
	);
	// One that nobody stopped ends with the tests.
	const end = () => server.kill('SIGQUIT');
	process.once('exit', end);
	const ended = once(server, 'exit');
	const url = (through = port) => `postgres://postgres@127.0.0.1:${through}/postgres`;
	await untilAnswers(url());
	return {
		port,
		url,
		async stop() {
			process.off('exit', end);
			server.kill('SIGINT');
			await ended;
			rmSync(directory, {recursive: true, force: true});
		},
	};
}

function somebody(): {uid: number; gid: number} {
	for (const name of ['postgres', 'nobody']) {
		const [uid, gid] = ['-u', '-g'].map(flag => spawnSync('id', [flag, name], {encoding: 'utf8'}));
		if (uid?.status === 0 && gid?.status === 0) return {uid: Number(uid.stdout), gid: Number(gid.stdout)};
	}
	throw new Error('no user but root to run PostgreSQL as');
}

async function untilAnswers(connectionString: string): Promise<void> {
	for (const until = Date.now() + 30_000; ; await delay(50)) {
		const client = new pg.Client({connectionString, connectionTimeoutMillis: 2_000});
		try {
			await client.connect();
			return;
		} catch (error) {
			if (Date.now() > until) throw error;
		} finally {
			await client.end().catch(() => undefined);
		}
	}
}
