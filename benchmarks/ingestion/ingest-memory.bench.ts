import {writeFile} from 'node:fs/promises';
import {projectFile} from '../../src/lib/project.ts';
import {type BenchOptions, type BenchResult, median} from '../support/bench.ts';
import {lineGraph} from '../support/line-graph.ts';
import {residentBytes} from '../support/processes.ts';
import {type ServiceProgram, startService} from '../support/service.ts';
import {BATCH, sustainBatches} from './batches.ts';
import {startLoader} from './load.ts';

const SAMPLE_MS = 1_000;
const STRETCHES = 20;
const GRAPH = projectFile('benchmarks/ingestion/memory.svg');

interface Sample {
	/** Activities in the stores, in millions. */
	readonly activities_m: number;
	readonly service_mib: number;
	readonly clickhouse_mib: number;
}

/**
 * Whether memory stays where it is: `rows` activities in batches, in 20 stretches, each drained before the next, and the
 * resident memory of the service and of its embedded ClickHouse every second. Drawn into memory.svg. Baseline: the time
 * of the first quarter's stretches, candidate: of the last one's, in ms per 1,000 activities.
 */
export async function bench({rows = 1_000_000, say}: BenchOptions): Promise<BenchResult> {
	const loader = startLoader();
	const service = await startService();
	try {
		const watch = watchMemory(service);
		const stretches: number[] = [];
		for (let stretch = 0; stretch < STRETCHES; stretch++) {
			const run = await sustainBatches(service, loader, `stretch${stretch}`, rows / STRETCHES);
			stretches.push(Math.round(1e7 / run.queryablePerSecond) / 10);
			const last = watch.samples.at(-1);
			say(
				`${Math.round(((stretch + 1) * rows) / STRETCHES)} activities: service ${last?.service_mib} MiB, ClickHouse ${last?.clickhouse_mib} MiB, ${Math.round(run.queryablePerSecond)} queryable/s`,
			);
		}
		watch.stop();
		const {samples} = watch;
		if (samples.length > 0) await writeFile(GRAPH, drawn(rows, samples));
		const quarter = STRETCHES / 4;
		const first = stretches.slice(0, quarter);
		const last = stretches.slice(-quarter);
		return {
			ratio: Number((median(last) / median(first)).toFixed(3)),
			activities: rows,
			batch: BATCH,
			memory: {second_quarter: memoryOf(samples, 0.25, 0.5), last_quarter: memoryOf(samples, 0.75, 1)},
			samples,
			raw: {baseline_ms: first, candidate_ms: last, floor_ms: first, stretches_ms: stretches},
		};
	} finally {
		loader.stop();
		await service.stop();
	}
}

/** Nothing is sampled where the system does not tell. */
function watchMemory(service: ServiceProgram): {readonly samples: Sample[]; stop(): void} {
	const samples: Sample[] = [];
	const sample = async () => {
		const serviceBytes = residentBytes(service.pid);
		if (serviceBytes === undefined) return;
		const drained = (await service.metrics()).get('millrace_drained_activities_total') ?? 0;
		samples.push({
			activities_m: drained / 1e6,
			service_mib: toMib(serviceBytes),
			clickhouse_mib: toMib(residentBytes(service.enginePid) ?? 0),
		});
	};
	const timer = setInterval(() => void sample().catch(() => {}), SAMPLE_MS);
	return {samples, stop: () => clearInterval(timer)};
}

/** Medians over a part of the run, by activities. */
function memoryOf(samples: readonly Sample[], from: number, until: number) {
	const all = samples.at(-1)?.activities_m ?? 0;
	const part = samples.filter(({activities_m}) => activities_m >= from * all && activities_m <= until * all);
	if (part.length === 0) return undefined;
	const serviceMib = part.map(sample => sample.service_mib);
	const clickhouseMib = part.map(sample => sample.clickhouse_mib);
	return {
		service_mib: median(serviceMib),
		service_max_mib: Math.max(...serviceMib),
		clickhouse_mib: median(clickhouseMib),
		clickhouse_max_mib: Math.max(...clickhouseMib),
	};
}

function drawn(rows: number, samples: readonly Sample[]): string {
	return lineGraph({
		title: `Resident memory while ${rows.toLocaleString('en')} activities of two events come in batches of ${BATCH}`,
		xLabel: 'million activities in the stores',
		yLabel: 'MiB',
		series: [
			{
				name: 'service (with PostgreSQL)',
				points: samples.map(sample => [sample.activities_m, sample.service_mib]),
			},
			{
				name: 'ClickHouse',
				points: samples.map(sample => [sample.activities_m, sample.clickhouse_mib]),
			},
		],
	});
}

function toMib(bytes: number): number {
	return Math.round(bytes / 2 ** 20);
}
