import type {Chain} from '../../query/chain.ts';
import type {FunnelQuestion} from './statement.query.ts';
import {BUCKETS_FROM_S} from './time-to-convert.ts';

/** Columns of `StepSums`, over all rows of a group of `chains`. */
export function sumColumns({request, amounts}: FunnelQuestion, chain: Chain): string[] {
	const steps = request.steps.map((_, index) => index + 1);
	const list = (of: (step: number) => string) => `[${steps.map(of).join(', ')}]`;
	// One sum of lists (of nobody: none): the engine plans 62 sums for 0.7 s, most of what 32 steps over a few rows cost.
	const paid = (of: (step: number) => string) =>
		amounts
			? `arrayResize(sumForEach(${list(step => (step === 1 ? 'toInt64(0)' : of(step)))}), ${steps.length})`
			: list(() => 'toInt64(0)');
	const elapsed = steps.map(step => [chain.elapsedMs(step), chain.reached(step)] as const);
	const middle = (side: 'Low' | 'High', [ms, reached]: readonly [string, string]) =>
		`quantileExact${side}If(0.5)(${ms}, ${reached})`;
	const times = request.timeToConvert
		? [
				`[${elapsed.map(each => `[${middle('Low', each)}, ${middle('High', each)}]`).join(', ')}] AS middle_ms`,
				`[${elapsed.map(each => inBuckets(...each)).join(', ')}] AS in_buckets`,
			]
		: [];
	return [
		...times,
		'count() AS total',
		`${list(step => `countIf(${chain.reached(step)})`)} AS counts`,
		`${list(step => `sumIf(${chain.elapsedMs(step)}, ${chain.reached(step)})`)} AS elapsed_ms`,
		`${paid(chain.money)} AS money`,
		`${paid(chain.units)} AS units`,
	];
}

const BUCKETS_FROM_MS = `CAST([${BUCKETS_FROM_S.map(seconds => seconds * 1000).join(', ')}], 'Array(UInt64)')`;

function inBuckets(ms: string, reached: string): string {
	const bucket = `indexOf(${BUCKETS_FROM_MS}, roundDown(${ms}, ${BUCKETS_FROM_MS}))`;
	return `countIfResample(1, ${BUCKETS_FROM_S.length + 1}, 1)(${reached}, ${bucket})`;
}
