import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {serviceEnvironment} from '../../src/config.ts';
import {projectFile} from '../../src/lib/project.ts';
import {childrenOf, freePort, killIfThere, untilGone} from '../../test/support/process.ts';
import {ADMIN, type Client, clientOf, login} from '../../test/support/service.ts';
import {type Usage, usageOf} from './processes.ts';

const RUN = fileURLToPath(projectFile('scripts/run.js'));
const START_MS = 60_000;

/** A program of the project in a process of its own, started as `npm start` starts the service. */
export interface Program {
	readonly url: string;
	/** Of the process that works; undefined where the system does not tell. */
	readonly pid: number | undefined;
	stop(): Promise<void>;
}

/** The service on embedded engines, in a directory that is removed afterwards. */
export interface ServiceProgram extends Program {
	readonly client: Client;
	readonly token: string;
	/** `/v1/datamarts/ID` */
	readonly datamart: string;
	/** The process of the embedded ClickHouse. */
	readonly enginePid: number | undefined;
	/** Sums of /metrics by name; labels are summed over. */
	metrics(): Promise<ReadonlyMap<string, number>>;
	/** Until everything accepted is in the stores; answers how long that took, in ms. */
	untilDrained(patienceMs: number): Promise<number>;
	usage(): {readonly service: Usage | undefined; readonly engine: Usage | undefined};
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
	for (const child of running) {
		for (const pid of childrenOf(child.pid!)) killIfThere(pid);
		child.kill('SIGKILL');
	}
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));

export async function startProgram(
	entry: string,
	args: readonly string[],
	{
		port,
		readyPath,
		environment,
	}: {readonly port: number; readonly readyPath: string; readonly environment?: NodeJS.ProcessEnv},
): Promise<Program> {
	// A program whose standard input ends may take it as the end of whoever started it.
	const child = spawn(process.execPath, [RUN, entry, ...args], {
		stdio: ['pipe', 'ignore', 'pipe'],
		...(environment && {env: environment}),
	});
	running.add(child);
	let said = '';
	child.stderr.on('data', chunk => {
		said = (said + chunk).slice(-4_000);
	});
	const ended = once(child, 'exit').finally(() => running.delete(child));
	const url = `http://127.0.0.1:${port}`;
	for (const until = Date.now() + START_MS; ; await delay(50)) {
		if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${entry} ended: ${said}`);
		if ((await fetch(url + readyPath).catch(() => undefined))?.status === 200) break;
		if (Date.now() > until) throw new Error(`${entry} is not ready within a minute: ${said}`);
	}
	const [pid] = childrenOf(child.pid!);
	return {
		url,
		pid,
		async stop() {
			child.kill('SIGTERM');
			await Promise.race([ended, delay(20_000, undefined, {ref: false})]);
			if (pid !== undefined) killIfThere(pid);
			child.kill('SIGKILL');
			if (pid !== undefined) await untilGone([pid]);
		},
	};
}

export async function startService(
	environment: Parameters<typeof serviceEnvironment>[0] = {},
): Promise<ServiceProgram> {
	const dataDir = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
	const port = await freePort();
	const program = await startProgram('src/main.ts', [], {
		port,
		readyPath: '/health/ready',
		environment: serviceEnvironment({
			DATA_DIR: dataDir,
			PORT: String(port),
			LOG_LEVEL: 'warn',
			ADMIN_EMAIL: ADMIN.email,
			ADMIN_PASSWORD: ADMIN.password,
			...environment,
		}),
	});
	const stop = async () => {
		await program.stop();
		await rm(dataDir, {recursive: true, force: true});
	};
	const {token, client, datamart} = await entered(program.url).catch(async error => {
		await stop();
		throw error;
	});
	const [enginePid] = program.pid === undefined ? [] : childrenOf(program.pid);
	const metrics = async () => parseMetrics(String((await client.get('/metrics')).body));
	return {
		...program,
		client,
		token,
		datamart,
		enginePid,
		metrics,
		async untilDrained(patienceMs) {
			const began = performance.now();
			for (;;) {
				const left = (await metrics()).get('millrace_drain_backlog_activities');
				const ms = performance.now() - began;
				if (left === 0) return ms;
				if (ms > patienceMs)
					throw new Error(`${left} activities are not in the stores after ${patienceMs} ms`);
				await delay(50);
			}
		},
		usage: () => ({service: usageOf(program.pid), engine: usageOf(enginePid)}),
		stop,
	};
}

/** As the administrator, in the datamart of the first boot. */
async function entered(url: string) {
	const token = await login(url);
	const client = clientOf(url, token);
	const {workspaces} = (await client.get('/v1/connected_user')).body.data;
	return {token, client, datamart: `/v1/datamarts/${workspaces[0].datamarts[0].id}`};
}

function parseMetrics(text: string): ReadonlyMap<string, number> {
	const sums = new Map<string, number>();
	for (const [, name = '', value] of text.matchAll(/^(\w+)(?:\{[^\n]*\})? (\S+)$/gm)) {
		sums.set(name, (sums.get(name) ?? 0) + Number(value));
	}
	return sums;
}
