import {type BenchOptions, type BenchResult, median} from '../support/bench.ts';
import {batchesTold, sustainBatches} from './batches.ts';
import {type Contenders, withContenders} from './contenders.ts';
import {type Round, singlesRound, summaryOf} from './singles.ts';

const SECONDS = 3;
/** In the second three seconds V8 still compiles a hundred functions, at half of what its helpers cost. */
const WARM_UP_SECONDS = 10;

/**
 * Accepting activities. Baseline: a bare Koa server that parses the same body and answers, in ms per 1,000 requests;
 * candidate: the service, durable answers; 32 connections in `raw`'s plain names, 256 beside them. Afterwards batches
 * of 500 of two events, `rows` activities of them, until the last one is queryable.
 */
export async function bench({rows = 200_000, rounds = 5, say}: BenchOptions): Promise<BenchResult> {
	return withContenders(async contenders => {
		const few = await series(contenders, 32, rounds, say);
		const many = await series(contenders, 256, rounds, say);
		const {service, loader} = contenders;
		await sustainBatches(service, loader, 'warm', rows / 10);
		const batches = batchesTold(await sustainBatches(service, loader, 'batches', rows));
		say(`batches of 500\n${JSON.stringify(batches, undefined, 2)}`);
		return {
			ratio: Number((median(few.serviceMs) / median(few.bareMs)).toFixed(3)),
			singles: {connections_32: few.told, connections_256: many.told},
			batches,
			raw: {
				baseline_ms: few.bareMs,
				candidate_ms: few.serviceMs,
				floor_ms: few.bareMs,
				baseline_256_ms: many.bareMs,
				candidate_256_ms: many.serviceMs,
			},
		};
	});
}

async function series(contenders: Contenders, connections: number, rounds: number, say: BenchOptions['say']) {
	const measured: Round[] = [];
	// The first one warms up: code is compiled and the people become known.
	for (let round = 0; round <= rounds; round++) {
		const seconds = round === 0 ? WARM_UP_SECONDS : SECONDS;
		const one = await singlesRound(contenders, connections, `c${connections}r${round}`, seconds);
		if (round > 0) measured.push(one);
	}
	const summary = summaryOf(measured);
	say(`${connections} connections\n${JSON.stringify(summary.told, undefined, 2)}`);
	return summary;
}
