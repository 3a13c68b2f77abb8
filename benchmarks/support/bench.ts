import {cpus, totalmem} from 'node:os';

/** How a benchmark was called. */
export interface BenchOptions {
	/** Rows, activities or whatever the benchmark counts; its own default where absent. */
	readonly rows?: number;
	/** Measured rounds; the first one is warming up and not among them. */
	readonly rounds?: number;
	/** Progress for a person watching; silent with `--json`. */
	readonly say: (text: string) => void;
}

/** Milliseconds of every measured run. Ratios travel between machines, figures do not. */
export interface BenchResult {
	/** Median of the candidate / median of the baseline. */
	readonly ratio: number;
	readonly raw: {
		readonly baseline_ms: readonly number[];
		readonly candidate_ms: readonly number[];
		readonly floor_ms: readonly number[];
		readonly [more: `${string}_ms`]: readonly number[];
	};
	/** Whatever else explains the figures. */
	readonly [more: string]: unknown;
}

export type Bench = (options: BenchOptions) => Promise<BenchResult>;

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value that `share` (0 to 1) of the values do not pass; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Runs every contender once a round, in turn, so that a busy moment of the machine hits them all. */
export async function interleaved<Name extends string>(
	contenders: Readonly<Record<Name, () => Promise<unknown>>>,
	rounds: number,
): Promise<Record<Name, number[]>> {
	const names = Object.keys(contenders) as Name[];
	const times = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<Name, number[]>;
	for (let round = 0; round <= rounds; round++) {
		for (const name of names) {
			const start = performance.now();
			await contenders[name]();
			if (round > 0) times[name].push(Math.round((performance.now() - start) * 10) / 10);
		}
	}
	return times;
}

/** E.g. `2 x Intel Xeon, 24 GiB, Node 20.20.2`. */
export function machine(): string {
	const processors = cpus();
	const memory = Math.round(totalmem() / 2 ** 30);
	return `${processors.length} x ${processors[0]?.model.trim() ?? 'unknown'}, ${memory} GiB, Node ${process.versions.node}`;
}
