import {setTimeout as delay} from 'node:timers/promises';
import {linkAnalyzer} from '../../test/support/analyzers.ts';
import {freePort} from '../../test/support/process.ts';
import {type BenchOptions, type BenchResult, median} from '../support/bench.ts';
import {type Usage, usageOf} from '../support/processes.ts';
import {type Program, type ServiceProgram, startProgram, startService} from '../support/service.ts';

const CHAINS = [0, 1, 3] as const;
const A_REQUEST = 100;
const CONNECTIONS = 4;
const PATIENCE_MS = 120_000;
/** Looking is work for the service as well; times are this coarse. */
const LOOK_MS = 100;

interface Run {
	/** From the first request until all of them are queryable. */
	readonly ms: number;
	/** Until the last request was answered. */
	readonly acceptMs: number;
	/** CPU in us an activity. */
	readonly cpuUs: Readonly<Record<'main' | 'chain' | 'others' | 'engine' | 'worker', number>>;
	/** Mean time of one analyzer, as the service sees it, in ms. */
	readonly analyzerMs: number;
}

/**
 * Activities through 0, 1 and 3 analyzers whose plugin worker, a process on the same machine, answers at once. Baseline:
 * no analyzer, in ms per 1,000 activities from the first request until all are queryable; candidate: one.
 */
export async function bench({rows = 10_000, rounds = 5, say}: BenchOptions): Promise<BenchResult> {
	const port = await freePort();
	const service = await startService({PLUGIN_WORKER_ALLOWED_NETWORKS: '127.0.0.1'});
	const worker = await startProgram('benchmarks/ingestion/answering-worker.ts', [String(port)], {
		port,
		readyPath: '/v1/status',
	}).catch(async error => {
		await service.stop();
		throw error;
	});
	try {
		return await measured({service, worker, rows, rounds, say});
	} finally {
		await Promise.all([worker.stop(), service.stop()]);
	}
}

interface Bench extends Required<Pick<BenchOptions, 'rows' | 'rounds' | 'say'>> {
	readonly service: ServiceProgram;
	readonly worker: Program;
}

async function measured({service, worker, rows, rounds, say}: Bench): Promise<BenchResult> {
	const channels = new Map<number, string>();
	for (const length of CHAINS) channels.set(length, await channelWith(service, worker, length));
	const before = [...(service.usage().service?.threads.keys() ?? [])];
	const runs = new Map<number, Run[]>(CHAINS.map(length => [length, []]));
	// The first round warms up: the chain's thread starts, code is compiled, people become known.
	for (let round = 0; round <= rounds; round++) {
		for (const length of CHAINS) {
			const run = await once(service, worker, channels.get(length)!, rows, before);
			if (round > 0) runs.get(length)!.push(run);
		}
	}
	const perThousand = (length: number) => runs.get(length)!.map(run => round1((run.ms / rows) * 1000));
	const chains = Object.fromEntries(
		CHAINS.map(length => [`analyzers_${length}`, told(runs.get(length)!, rows)]),
	);
	say(JSON.stringify(chains, undefined, 2));
	return {
		ratio: Number((median(perThousand(1)) / median(perThousand(0))).toFixed(3)),
		chains,
		raw: {
			baseline_ms: perThousand(0),
			candidate_ms: perThousand(1),
			floor_ms: perThousand(0),
			candidate_3_ms: perThousand(3),
		},
	};
}

function told(runs: readonly Run[], rows: number) {
	const of = (value: (run: Run) => number) => round1(median(runs.map(value)));
	const cpuUs = Object.fromEntries(
		(['main', 'chain', 'others', 'engine', 'worker'] as const).map(role => [
			role,
			of(run => run.cpuUs[role]),
		]),
	);
	const total = Object.values(cpuUs).reduce((sum, us) => sum + us, 0);
	return {
		activities_per_second: Math.round(rows / (median(runs.map(run => run.ms)) / 1000)),
		accepted_per_second: Math.round(rows / (median(runs.map(run => run.acceptMs)) / 1000)),
		analyzer_ms: of(run => run.analyzerMs),
		cpu_us: cpuUs,
		/** Of all CPU that was spent on an activity. */
		share_outside_the_worker: total > 0 ? Number((1 - cpuUs.worker! / total).toFixed(2)) : 1,
	};
}

async function once(
	service: ServiceProgram,
	worker: Program,
	channelId: string,
	rows: number,
	threadsBefore: readonly number[],
): Promise<Run> {
	const first = await reading(service, worker);
	const began = performance.now();
	await post(service, channelId, rows);
	const acceptMs = performance.now() - began;
	await untilStored(service);
	const ms = performance.now() - began;
	const last = await reading(service, worker);
	const us = (cpuMs: number) => round1((cpuMs / rows) * 1000);
	const {service: from, engine: engineFrom, worker: workerFrom} = first.usage;
	const {service: to, engine: engineTo, worker: workerTo} = last.usage;
	const spent = (tid: number) => (to?.threads.get(tid) ?? 0) - (from?.threads.get(tid) ?? 0);
	const [mainThread = 0] = threadsBefore;
	const added = [...(to?.threads.keys() ?? [])].filter(tid => !threadsBefore.includes(tid));
	const main = spent(mainThread);
	const chain = Math.max(0, ...added.map(spent));
	const total = cpuBetween(from, to);
	const metric = (name: string) => (last.metrics.get(name) ?? 0) - (first.metrics.get(name) ?? 0);
	const calls = metric('millrace_analyzer_seconds_count');
	return {
		ms,
		acceptMs,
		cpuUs: {
			main: us(main),
			chain: us(chain),
			others: us(total - main - chain),
			engine: us(cpuBetween(engineFrom, engineTo)),
			worker: us(cpuBetween(workerFrom, workerTo)),
		},
		analyzerMs: calls === 0 ? 0 : (metric('millrace_analyzer_seconds_sum') / calls) * 1000,
	};
}

function cpuBetween(from: Usage | undefined, to: Usage | undefined): number {
	return (to?.cpuMs ?? 0) - (from?.cpuMs ?? 0);
}

async function reading(service: ServiceProgram, worker: Program) {
	return {usage: {...service.usage(), worker: usageOf(worker.pid)}, metrics: await service.metrics()};
}

/** Some requests at once, each with a list: what is measured is the chain, not the door. */
async function post({client, datamart}: ServiceProgram, channelId: string, rows: number): Promise<void> {
	let next = 0;
	const lane = async () => {
		for (let from = next; from < rows; from = next) {
			next += A_REQUEST;
			const {status, body} = await client.post(
				`${datamart}/user_activities`,
				Array.from({length: Math.min(A_REQUEST, rows - from)}, (_, index) =>
					activity(channelId, from + index),
				),
			);
			if (status !== 200) throw new Error(`a request was answered ${status}: ${JSON.stringify(body)}`);
		}
	};
	await Promise.all(Array.from({length: CONNECTIONS}, lane));
}

/** About 400 bytes. */
function activity(channelId: string, number: number) {
	return {
		$type: 'SITE_VISIT',
		$site_id: channelId,
		$session_status: 'CLOSED_SESSION',
		$ts: Date.now(),
		$user_agent_id: `vec:${(number % 5_000) + 10_000}-chain`,
		$events: [
			{
				$event_name: '$item_view',
				$properties: {$items: [{$id: `item-${number % 97}`, $brand: 'a brand', $price: 12.5, $qty: 1}]},
			},
			{$event_name: '$home_view', $properties: {$url: 'https://shop.example/', $referrer: ''}},
		],
	};
}

async function untilStored(service: ServiceProgram): Promise<void> {
	for (const until = Date.now() + PATIENCE_MS; ; await delay(LOOK_MS)) {
		const metrics = await service.metrics();
		const left = ['millrace_chain_waiting_activities', 'millrace_drain_backlog_activities'].map(name =>
			metrics.get(name),
		);
		if (left.every(count => count === 0)) return;
		if (Date.now() > until) throw new Error(`${left.join(' and ')} activities are not in the stores`);
	}
}

async function channelWith(
	{client, datamart}: ServiceProgram,
	worker: Program,
	length: number,
): Promise<string> {
	const {data: channel} = (
		await client.post(`${datamart}/channels`, {name: `${length} analyzers`, type: 'SITE'})
	).body;
	const {workspaces} = (await client.get('/v1/connected_user')).body.data;
	for (let link = 0; link < length; link++) {
		await linkAnalyzer(client, {
			organisationId: workspaces[0].organisation_id,
			channelId: channel.id,
			url: worker.url,
		});
	}
	return channel.id;
}

function round1(value: number): number {
	return Math.round(value * 10) / 10;
}
