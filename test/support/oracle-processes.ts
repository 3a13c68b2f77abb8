import {fork} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import type {Comparison, Difference} from './compare.ts';

export interface CrowdJob {
	readonly nth: number;
	readonly seeds: readonly number[];
	readonly requestSeeds: readonly number[];
}

export interface CrowdResult extends Omit<Comparison, 'differences'> {
	readonly nth: number;
	readonly histories: number;
	/** With the histories that show it. */
	readonly differences: readonly (Difference & {readonly seeds: readonly number[]})[];
}

export interface OracleProcesses {
	readonly processes: number;
	onResult(result: CrowdResult): void;
	/** A process ended over a crowd, which is asked again. */
	onDeath(job: CrowdJob, why: string): void;
}

const WORKER = fileURLToPath(new URL('../../scripts/oracle-worker.js', import.meta.url));
/** Processes that may end over one crowd: it is the crowd then, or the machine. */
const MOST_DEATHS = 5;

/**
 * Crowds compared by several processes, each with an engine. A process that ends is replaced and its crowd asked again;
 * answers the crowds that ended every process.
 */
export async function compareInProcesses(
	jobs: readonly CrowdJob[],
	{processes, onResult, onDeath}: OracleProcesses,
): Promise<CrowdJob[]> {
	const waiting = [...jobs];
	const deaths = new Map<CrowdJob, number>();
	const givenUp: CrowdJob[] = [];
	await Promise.all(Array.from({length: Math.min(processes, jobs.length)}, work));
	return givenUp;

	async function work(): Promise<void> {
		let worker: Worker | undefined;
		for (let job = waiting.shift(); job; job = waiting.shift()) {
			try {
				worker ??= await startWorker();
				onResult(await worker.compare(job));
			} catch (error) {
				worker = undefined;
				const times = (deaths.get(job) ?? 0) + 1;
				deaths.set(job, times);
				onDeath(job, error instanceof Error ? error.message : String(error));
				(times < MOST_DEATHS ? waiting : givenUp).unshift(job);
			}
		}
		worker?.end();
	}
}

interface Worker {
	compare(job: CrowdJob): Promise<CrowdResult>;
	end(): void;
}

async function startWorker(): Promise<Worker> {
	const child = fork(WORKER, {serialization: 'advanced'});
	const ended = new Promise<never>((_, reject) => {
		child.once('exit', (code, signal) => reject(new Error(`a process ended with ${signal ?? code}`)));
		child.once('error', reject);
	});
	ended.catch(() => {});
	const next = <Message>() =>
		Promise.race([
			new Promise<Message>(resolve => child.once('message', message => resolve(message as Message))),
			ended,
		]);
	await next();
	return {
		compare(job) {
			child.send(job);
			return next<CrowdResult>();
		},
		end: () => child.disconnect(),
	};
}
