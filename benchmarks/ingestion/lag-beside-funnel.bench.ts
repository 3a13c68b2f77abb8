import {type BenchOptions, type BenchResult, percentile} from '../support/bench.ts';
import type {ServiceProgram} from '../support/service.ts';
import {batchesLoad} from './batches.ts';
import {type Contenders, withContenders} from './contenders.ts';
import {probeLag, toLag} from './lag.ts';

/** Far below what is accepted at most: the question is who waits for whom. */
const PER_SECOND = 1_000;
const CONNECTIONS = 32;
/** Long enough a funnel to run for seconds. */
const STEPS = 24;
const DAY_MS = 86_400_000;

/**
 * How long after its 200 an activity is on its timeline, under 1,000 activities a second: `baseline` alone, `candidate` while
 * funnels over all that is stored (`rows` two-event activities) run one after the other. `rounds`: seconds of each.
 */
export async function bench({rows = 400_000, rounds = 30, say}: BenchOptions): Promise<BenchResult> {
	return withContenders(async contenders => {
		const {service, loader} = contenders;
		const activities = `${service.url}${service.datamart}/user_activities`;
		say(`${rows} activities are stored ...`);
		await loader.run(batchesLoad(service.token, activities, 'stored', rows));
		await service.untilDrained(300_000);
		const alone = await lagUnderLoad(contenders, activities, 'alone', rounds);
		const heavy = funnels(service);
		const beside = await lagUnderLoad(contenders, activities, 'beside', rounds);
		const funnelMs = await heavy.stop();
		const told = {
			alone: tell(alone),
			beside: tell(beside),
			funnels: {count: funnelMs.length, p50_ms: Math.round(percentile(funnelMs, 0.5))},
		};
		say(JSON.stringify(told, undefined, 2));
		return {
			ratio: Number((percentile(beside.lagMs, 0.95) / percentile(alone.lagMs, 0.95)).toFixed(3)),
			...told,
			raw: {baseline_ms: alone.lagMs, candidate_ms: beside.lagMs, floor_ms: []},
		};
	});
}

interface UnderLoad {
	readonly lagMs: readonly number[];
	readonly acceptedPerSecond: number;
	readonly p99Ms: number;
}

async function lagUnderLoad(
	{service, loader}: Contenders,
	url: string,
	name: string,
	seconds: number,
): Promise<UnderLoad> {
	const probes = probeLag(service, name);
	const {token} = service;
	const load = {url, token, connections: CONNECTIONS, name, activitiesPerRequest: 1};
	const result = await loader.run({...load, seconds, perSecond: PER_SECOND});
	if (result.failures > 0) throw new Error(`${result.failures} requests were not answered 200`);
	const lagMs = await probes.stop();
	return {lagMs, acceptedPerSecond: result.requests / result.seconds, p99Ms: result.p99Ms};
}

const tell = ({lagMs, acceptedPerSecond, p99Ms}: UnderLoad) => ({
	lag: toLag(lagMs),
	accepted_per_s: Math.round(acceptedPerSecond),
	accepted_p99_ms: Number(p99Ms.toFixed(1)),
});

/** Each another question, so that none is answered from what is kept. */
function funnels({client, datamart}: ServiceProgram): {stop(): Promise<readonly number[]>} {
	const ms: number[] = [];
	let stopping = false;
	const running = (async () => {
		for (let number = 0; !stopping; number++) {
			const began = performance.now();
			const {status, body} = await client.post(`${datamart}/user_analytics_funnel`, question(number));
			if (status !== 200) throw new Error(`a funnel was answered ${status}: ${JSON.stringify(body)}`);
			ms.push(performance.now() - began);
		}
	})();
	running.catch(() => {});
	return {
		async stop() {
			stopping = true;
			await running;
			return ms;
		},
	};
}

function question(number: number): unknown {
	const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
	const step = (index: number) => ({
		name: `step ${index}`,
		max_days_after_previous_step: 1,
		filter_clause: {
			operator: 'AND',
			filters: [
				{
					dimension_name: 'EVENT_TYPE',
					operator: 'IN_LIST',
					expressions: [index % 2 === 0 ? '$item_view' : '$basket_view', `never-${number}-${index}`],
				},
			],
		},
	});
	return {
		for: Array.from({length: STEPS}, (_, index) => step(index)),
		in: {
			type: 'DATES',
			start_date: isoDay(Date.now() - 2 * DAY_MS),
			end_date: isoDay(Date.now() + 2 * DAY_MS),
		},
	};
}
