import {median} from '../support/bench.ts';
import {cpuByRole, usageOf} from '../support/processes.ts';
import type {ServiceProgram} from '../support/service.ts';
import type {Contenders} from './contenders.ts';
import {probeLag, toLag} from './lag.ts';
import type {LoadResult} from './load.ts';

export interface Round {
	readonly bare: LoadResult;
	readonly service: LoadResult;
	/** Until the rest was in the stores, once nothing came any more, in ms. */
	readonly drainMs: number;
	/** Mean time of a write to the journal and its sync. */
	readonly commitMs: number;
	/** Records that shared a sync, on average. */
	readonly perCommit: number;
	readonly lagMs: readonly number[];
	/** CPU in us a request of the bare server; 0 where the system does not tell. */
	readonly bareCpuUs: number;
	/** CPU in us a request, by the service's threads, and of the embedded ClickHouse. */
	readonly cpuUs: Readonly<Record<string, number>>;
}

/** The bare server, then the service, under the same load; the service's backlog is gone before the next one begins. */
export async function singlesRound(
	{bare, service, loader}: Contenders,
	connections: number,
	name: string,
	seconds: number,
): Promise<Round> {
	const load = {token: service.token, connections, name, seconds, activitiesPerRequest: 1};
	const bareBefore = usageOf(bare.pid);
	const ceiling = await loader.run({...load, url: bare.url});
	const bareCpuMs = (usageOf(bare.pid)?.cpuMs ?? 0) - (bareBefore?.cpuMs ?? 0);
	const before = await reading(service);
	const probes = probeLag(service, name);
	const result = await loader.run({...load, url: `${service.url}${service.datamart}/user_activities`});
	const lagMs = await probes.stop();
	const failures = ceiling.failures + result.failures;
	if (failures > 0) throw new Error(`${failures} requests were not answered 200`);
	const drainMs = await service.untilDrained(60_000);
	const after = await reading(service);
	const spent = (metric: string) => (after.metrics.get(metric) ?? 0) - (before.metrics.get(metric) ?? 0);
	const commits = spent('millrace_journal_sync_seconds_count');
	return {
		bare: ceiling,
		service: result,
		drainMs,
		lagMs,
		commitMs: (spent('millrace_journal_sync_seconds_sum') / commits) * 1000,
		perCommit: spent('millrace_journal_group_records_sum') / commits,
		bareCpuUs: (bareCpuMs / ceiling.requests) * 1000,
		cpuUs: cpuUsOf(before, after, result.requests),
	};
}

/** What the journal, the threads and the engine have done so far. */
export interface Reading extends ReturnType<ServiceProgram['usage']> {
	readonly metrics: ReadonlyMap<string, number>;
}

export async function reading(service: ServiceProgram): Promise<Reading> {
	return {metrics: await service.metrics(), ...service.usage()};
}

/** CPU in us for each of `count` things; empty where the system does not tell. */
export function cpuUsOf(before: Reading, after: Reading, count: number): Record<string, number> {
	if (!before.service || !after.service) return {};
	const roles = cpuByRole(before.service, after.service);
	const ms = {
		...roles,
		service: after.service.cpuMs - before.service.cpuMs,
		clickhouse: (after.engine?.cpuMs ?? 0) - (before.engine?.cpuMs ?? 0),
	};
	return Object.fromEntries(
		Object.entries(ms).map(([role, spent]) => [role, Math.round((spent / count) * 10_000) / 10]),
	);
}

const millisPerThousand = ({requests, seconds}: LoadResult) =>
	Math.round((seconds / requests) * 1_000_000 * 10) / 10;

/** Medians of the rounds. */
export function summaryOf(rounds: readonly Round[]) {
	const middle = (of: (round: Round) => number, digits = 1) => Number(median(rounds.map(of)).toFixed(digits));
	const contender = (of: (round: Round) => LoadResult) => ({
		requests_per_s: middle(round => of(round).requests / of(round).seconds, 0),
		p50_ms: middle(round => of(round).p50Ms),
		p99_ms: middle(round => of(round).p99Ms),
	});
	const bareMs = rounds.map(({bare}) => millisPerThousand(bare));
	const serviceMs = rounds.map(({service}) => millisPerThousand(service));
	const bare = contender(round => round.bare);
	const commitMs = middle(round => round.commitMs, 2);
	return {
		/** Milliseconds per 1,000 requests. */
		bareMs,
		serviceMs,
		told: {
			bare,
			service: contender(round => round.service),
			of_ceiling: Number((median(bareMs) / median(serviceMs)).toFixed(3)),
			p99_allowed_ms: Number((3 * bare.p99_ms + commitMs).toFixed(1)),
			commit_ms: commitMs,
			records_per_commit: middle(round => round.perCommit),
			lag: toLag(rounds.flatMap(({lagMs}) => lagMs)),
			drain_after_ms: middle(round => round.drainMs, 0),
			bare_cpu_us_per_request: middle(round => round.bareCpuUs),
			load_cpu_us_per_request: middle(({service: {cpuMs, requests}}) => (cpuMs / requests) * 1000),
			cpu_us_per_request: Object.fromEntries(
				Object.keys(rounds[0]!.cpuUs).map(role => [role, middle(round => round.cpuUs[role] ?? 0)]),
			),
		},
	};
}
