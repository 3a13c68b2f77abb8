import {meanSeconds} from './funnel-numbers.ts';

/** Seconds at which the buckets of every histogram begin: the same for all steps and questions, so that they compare. */
export const BUCKETS_FROM_S: readonly number[] = [
	0, 1, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400, 172_800, 259_200, 604_800,
	1_209_600, 2_592_000, 5_184_000, 7_776_000,
];

/** How long the user points of a step took since their chain's first row, as on the wire. */
export interface TimeToConvert {
	/** Whole seconds, rounded half up; of an even number the mean of the two in the middle; 0 of nobody. */
	readonly median: number;
	/** Half-open ranges of seconds, all of them; `until` is null on the last. Counts add up to the step's. */
	readonly histogram: readonly {
		readonly from: number;
		readonly until: number | null;
		readonly count: number;
	}[];
}

/** The two in the middle, ms (the same of an odd number), and how many there are in each bucket. */
export interface Times {
	readonly middle_ms: readonly [bigint, bigint];
	readonly in_buckets: readonly bigint[];
}

export function timeToConvert(times: Times | undefined, scaled: (count: bigint) => number): TimeToConvert {
	const [low, high] = times?.middle_ms ?? [0n, 0n];
	return {
		median: meanSeconds(low + high, 2n),
		histogram: BUCKETS_FROM_S.map((from, index) => ({
			from,
			until: BUCKETS_FROM_S[index + 1] ?? null,
			count: scaled(times?.in_buckets[index] ?? 0n),
		})),
	};
}
