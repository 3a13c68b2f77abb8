const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Where the buckets of a histogram begin, seconds. */
const STARTS = [
	...[0, 1, 5, 10, 30],
	...[1, 2, 5, 10, 30].map(minutes => minutes * MINUTE),
	...[1, 2, 6, 12].map(hours => hours * HOUR),
	...[1, 2, 3, 7, 14, 30, 60, 90].map(days => days * DAY),
];

export interface Times {
	/** Whole seconds. */
	readonly median: number;
	readonly histogram: readonly {
		readonly from: number;
		readonly until: number | null;
		readonly count: number;
	}[];
}

/** Median and histogram of some times in ms. */
export function timesOf(elapsedMs: readonly number[], scaled: (count: number) => number): Times {
	const sorted = [...elapsedMs].sort((a, b) => a - b);
	const half = sorted.length / 2;
	const middle = Number.isInteger(half) ? sorted.slice(half - 1, half + 1) : [sorted[Math.floor(half)]!];
	const sum = sorted.length === 0 ? 0 : middle.reduce((total, ms) => total + ms, 0);
	return {
		median: sorted.length === 0 ? 0 : roundHalfUp(sum, middle.length * 1000),
		histogram: STARTS.map((from, index) => {
			const until = STARTS[index + 1] ?? null;
			const inside = sorted.filter(ms => ms >= from * 1000 && (until === null || ms < until * 1000));
			return {from, until, count: scaled(inside.length)};
		}),
	};
}

/** Of whole numbers, so that a half is a half. */
export function roundHalfUp(dividend: number, divisor: number): number {
	return Math.floor((2 * dividend + divisor) / (2 * divisor));
}
