import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import type {AddressInfo} from 'node:net';
import {createServer} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {ADMIN} from './service.ts';
import {prepareDataDir} from './templates.ts';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** The service as a process of its own, for tests that end it without asking. */
export interface ServiceProcess {
	readonly url: string;
	readonly child: ChildProcess;
	/** Exit code, or the signal that ended it. */
	readonly ended: Promise<number | string>;
	kill(signal: NodeJS.Signals): Promise<number | string>;
}

/** Processes that a process started itself; empty where the system does not tell. */
export function childrenOf(pid: number): number[] {
	try {
		return readdirSync(`/proc/${pid}/task`).flatMap(thread =>
			readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
				.split(' ')
				.flatMap(child => Number(child) || []),
		);
	} catch {
		return [];
	}
}

/** Ends a process that may be gone already. */
export function killIfThere(pid: number): void {
	signalIfThere(pid, 'SIGKILL');
}

/** For a process that may be gone already. */
export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch {
		// It ended by itself.
	}
}

/** Until none of them runs; where the system does not tell, at once. */
export async function untilGone(pids: readonly number[], patienceMs = 15_000): Promise<void> {
	for (const until = Date.now() + patienceMs; Date.now() < until; await delay(20)) {
		if (!pids.some(pid => existsSync(`/proc/${pid}`))) return;
	}
	throw new Error(`processes ${pids.join(', ')} do not end`);
}

export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

interface StartOptions {
	readonly untilReady?: boolean;
	/** False where its first start is part of the story; otherwise an empty directory gets engines with the schema. */
	readonly prepared?: boolean;
	/** What Node is given; the checkout's `src/main.ts`, compiled, where absent. */
	readonly program?: readonly string[];
}

/** A machine that runs everything at once takes its time. */
const READY_MS = 180_000;

/** Resolves once it is ready; rejects with what it said when it ends before. */
export async function startServiceProcess(
	dataDir: string,
	environment: Record<string, string> = {},
	{untilReady = true, prepared = true, program = [...process.execArgv, MAIN]}: StartOptions = {},
): Promise<ServiceProcess> {
	const onServers = {postgres: environment.DATABASE_URL, clickhouse: environment.CLICKHOUSE_URL};
	const engines = (['postgres', 'clickhouse'] as const).filter(engine => onServers[engine] === undefined);
	if (prepared) await prepareDataDir(dataDir, engines);
	const port = environment.PORT ?? (await freePort());
	const child = spawn(process.execPath, program, {
		env: {
			PATH: process.env.PATH,
			DATA_DIR: dataDir,
			PORT: String(port),
			LOG_LEVEL: 'warn',
			ADMIN_EMAIL: ADMIN.email,
			ADMIN_PASSWORD: ADMIN.password,
			...environment,
		},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let said = '';
	child.stdout.on('data', chunk => (said += chunk));
	child.stderr.on('data', chunk => (said += chunk));
	const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
	const url = `http://127.0.0.1:${port}`;
	const started = {
		url,
		child,
		ended,
		kill(signal: NodeJS.Signals) {
			child.kill(signal);
			return ended;
		},
	};
	if (!untilReady) return started;
	for (const until = Date.now() + READY_MS; Date.now() < until; await delay(50)) {
		if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the service ended: ${said}`);
		const ready = await fetch(`${url}/health/ready`).catch(() => undefined);
		if (ready?.status === 200) return started;
	}
	await started.kill('SIGKILL');
	throw new Error(`the service was not ready within ${READY_MS / 1000} s: ${said}`);
}
