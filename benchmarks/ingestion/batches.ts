import {setTimeout as delay} from 'node:timers/promises';
import type {ServiceProgram} from '../support/service.ts';
import {BATCH_MARKER} from './activities.ts';
import type {Loader, LoadResult} from './load.ts';
import {cpuUsOf, type Reading, reading} from './singles.ts';

export const BATCH = 500;
const CONNECTIONS = 4;
const BACKLOG_EVERY_MS = 500;

export interface BatchesRun {
	readonly activities: number;
	readonly load: LoadResult;
	readonly acceptedPerSecond: number;
	/** From the first request until all were in the stores. */
	readonly queryablePerSecond: number;
	/** Until the rest was in the stores, once nothing came any more. */
	readonly drainMs: number;
	/** Accepted activities not yet in the stores, every half second of the load. */
	readonly backlog: readonly number[];
	/** CPU in us an activity. */
	readonly cpuUs: Readonly<Record<string, number>>;
	/** Mean activities in a batch of the drain, and its mean time. */
	readonly drainBatch: {readonly activities: number; readonly ms: number};
}

/** Arrays of 500 two-event activities over a few connections, and everything counted until it is queryable. */
export async function sustainBatches(
	service: ServiceProgram,
	loader: Loader,
	name: string,
	activities: number,
): Promise<BatchesRun> {
	const load = batchesLoad(
		service.token,
		`${service.url}${service.datamart}/user_activities`,
		name,
		activities,
	);
	const sent = load.requests * BATCH;
	const marked = await batchesOnTimeline(service);
	const before = await reading(service);
	const backlog = watchBacklog(service);
	const began = performance.now();
	const result = await loader.run(load);
	const samples = await backlog.stop();
	const waitedMs = performance.now() - began - result.seconds * 1000;
	const drainMs = (await service.untilDrained(300_000)) + waitedMs;
	const after = await reading(service);
	const spent = spentBetween(before, after);
	if (result.failures > 0) throw new Error(`${result.failures} batches were not answered 200`);
	if (
		spent('millrace_accepted_activities_total') !== sent ||
		spent('millrace_drained_activities_total') !== sent
	) {
		throw new Error(`${sent} activities were sent, the service counts others`);
	}
	const stored = (await batchesOnTimeline(service)) - marked;
	if (stored !== load.requests)
		throw new Error(`${load.requests} batches were sent, ${stored} are on the timeline`);
	const drained = spent('millrace_drain_batch_seconds_count');
	return {
		activities: sent,
		load: result,
		acceptedPerSecond: sent / result.seconds,
		queryablePerSecond: sent / (result.seconds + drainMs / 1000),
		drainMs,
		backlog: samples,
		cpuUs: cpuUsOf(before, after, sent),
		drainBatch: {
			activities: sent / drained,
			ms: (spent('millrace_drain_batch_seconds_sum') / drained) * 1000,
		},
	};
}

export function batchesLoad(token: string, url: string, name: string, activities: number) {
	const requests = Math.max(CONNECTIONS, Math.round(activities / BATCH));
	return {token, url, name, connections: CONNECTIONS, activitiesPerRequest: BATCH, requests};
}

function spentBetween(before: Reading, after: Reading): (metric: string) => number {
	return metric => (after.metrics.get(metric) ?? 0) - (before.metrics.get(metric) ?? 0);
}

/** One activity of every batch is of the same person: what the store itself says has arrived. */
async function batchesOnTimeline({client, datamart}: ServiceProgram): Promise<number> {
	const path = `${datamart}/user_timelines/user_agent_id=${BATCH_MARKER}/user_activities?max_results=1`;
	const {status, body} = await client.get(path);
	return status === 404 ? 0 : Number(body.total);
}

function watchBacklog(service: ServiceProgram): {stop(): Promise<readonly number[]>} {
	const samples: number[] = [];
	const stopping = new AbortController();
	const watching = (async () => {
		while (!stopping.signal.aborted) {
			await delay(BACKLOG_EVERY_MS, undefined, {signal: stopping.signal}).catch(() => {});
			samples.push((await service.metrics()).get('millrace_drain_backlog_activities') ?? 0);
		}
	})();
	return {
		async stop() {
			stopping.abort();
			await watching;
			return samples;
		},
	};
}

/** As it goes into the result. */
export function batchesTold(run: BatchesRun) {
	return {
		activities: run.activities,
		seconds: Number(run.load.seconds.toFixed(2)),
		accepted_per_s: Math.round(run.acceptedPerSecond),
		queryable_per_s: Math.round(run.queryablePerSecond),
		drain_after_ms: Math.round(run.drainMs),
		backlog_activities: run.backlog,
		batch_p50_ms: Number(run.load.p50Ms.toFixed(1)),
		batch_p99_ms: Number(run.load.p99Ms.toFixed(1)),
		drain_batch: {activities: Math.round(run.drainBatch.activities), ms: Math.round(run.drainBatch.ms)},
		cpu_us_per_activity: run.cpuUs,
	};
}
