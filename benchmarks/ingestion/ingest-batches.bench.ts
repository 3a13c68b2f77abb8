import {type BenchOptions, type BenchResult, median} from '../support/bench.ts';
import {BATCH, batchesLoad, batchesTold, sustainBatches} from './batches.ts';
import {withContenders} from './contenders.ts';

/**
 * The batches of `ingest` alone, `rows` activities of two events a round, until the last one is queryable. Baseline: the
 * bare Koa server parsing the same arrays; both in ms per 1,000 activities.
 */
export async function bench({rows = 250_000, rounds = 2, say}: BenchOptions): Promise<BenchResult> {
	return withContenders(async ({service, bare, loader}) => {
		const baseline: number[] = [];
		const candidate: number[] = [];
		const runs: ReturnType<typeof batchesTold>[] = [];
		for (let round = 0; round <= rounds; round++) {
			const count = round === 0 ? rows / 5 : rows;
			const {requests, seconds} = await loader.run(
				batchesLoad(service.token, bare.url, `bare${round}`, count),
			);
			const run = await sustainBatches(service, loader, `round${round}`, count);
			if (round === 0) continue;
			baseline.push(Math.round((seconds * 1e7) / (requests * BATCH)) / 10);
			candidate.push(Math.round(1e7 / run.queryablePerSecond) / 10);
			runs.push(batchesTold(run));
			say(JSON.stringify(runs.at(-1), undefined, 2));
		}
		return {
			ratio: Number((median(candidate) / median(baseline)).toFixed(3)),
			accepted_per_s: median(runs.map(run => run.accepted_per_s)),
			queryable_per_s: median(runs.map(run => run.queryable_per_s)),
			runs,
			raw: {baseline_ms: baseline, candidate_ms: candidate, floor_ms: baseline},
		};
	});
}
