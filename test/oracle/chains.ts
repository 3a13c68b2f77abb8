import type {FactRow} from './facts.ts';

/** What a chain must satisfy, with the filters already turned into questions about a row. */
export interface ChainQuestion {
	readonly steps: readonly {
		readonly matches: (row: FactRow) => boolean;
		/** Longest time since the row of the step before, ms; undefined: any. */
		readonly windowMs: number | undefined;
	}[];
	/** No such row strictly between the rows of step `afterStep` (from 1) and the next. */
	readonly exclusions: readonly {readonly afterStep: number; readonly matches: (row: FactRow) => boolean}[];
	/** The values of which one must be shared by all rows of the chain; undefined: no such demand. */
	readonly held: ((row: FactRow) => readonly string[]) | undefined;
}

/** Finds the reported chain of one user point in its rows of the period, given in timeline order. */
export type FindChain = (timeline: readonly FactRow[], question: ChainQuestion) => FactRow[];

/** Timeline order: `ts`, then arrival of the activity, then index of the event. Total. */
export function byPosition(a: FactRow, b: FactRow): number {
	return a.ts - b.ts || a.arrival - b.arrival || a.eventIndex - b.eventIndex;
}

/** The reported chain c1..cL (semantics.md, Funnel, "Each user point has one reported chain"). */
export const reportedChain: FindChain = (timeline, question) => {
	const {held} = question;
	if (held === undefined)
		return at(
			timeline,
			chainAmong(timeline, question, () => true),
		);
	const carried = timeline.map(held);
	const chains = [...new Set(carried.flat())].map(value =>
		chainAmong(timeline, question, index => carried[index]!.includes(value)),
	);
	return at(timeline, chains.reduce(deepestThenEarliest, []));
};

function at(timeline: readonly FactRow[], chain: readonly number[]): FactRow[] {
	return chain.map(index => timeline[index]!);
}

/** The deeper chain; of equally deep ones that whose last row is earlier, then whose last but one, and so on. */
export function deepestThenEarliest(a: readonly number[], b: readonly number[]): readonly number[] {
	if (a.length !== b.length) return a.length > b.length ? a : b;
	for (let i = a.length - 1; i >= 0; i--) {
		if (a[i] !== b[i]) return a[i]! < b[i]! ? a : b;
	}
	return a;
}

/** The chain as indexes into the timeline, made of allowed rows only. */
function chainAmong(
	timeline: readonly FactRow[],
	{steps, exclusions}: ChainQuestion,
	allowed: (index: number) => boolean,
): number[] {
	// spoils[k][x]: row x may not lie between the rows of step k (from 1) and step k + 1.
	const spoils = steps.map((_, step) => {
		const here = exclusions.filter(({afterStep}) => afterStep === step);
		return here.length > 0 ? timeline.map(row => here.some(exclusion => exclusion.matches(row))) : undefined;
	});

	/** Whether row `next` may serve `step` (from 0) when row `previous` serves the step before. */
	function mayFollow(step: number, previous: number, next: number): boolean {
		if (previous >= next) return false;
		const {windowMs} = steps[step]!;
		if (windowMs !== undefined && timeline[next]!.ts - timeline[previous]!.ts > windowMs) return false;
		const spoiled = spoils[step];
		if (spoiled === undefined) return true;
		for (let between = previous + 1; between < next; between++) if (spoiled[between]) return false;
		return true;
	}

	// ends[i]: the rows that can end a chain of length i + 1, earliest first.
	const ends: number[][] = [];
	for (const [step, {matches}] of steps.entries()) {
		const predecessors = ends[step - 1];
		const found: number[] = [];
		for (let next = predecessors?.[0] ?? 0; next < timeline.length; next++) {
			if (!allowed(next) || !matches(timeline[next]!)) continue;
			if (predecessors && !predecessors.some(previous => mayFollow(step, previous, next))) continue;
			found.push(next);
		}
		if (found.length === 0) break;
		ends.push(found);
	}

	const depth = ends.length;
	if (depth === 0) return [];
	const chain = [ends[depth - 1]![0]!];
	for (let step = depth - 1; step >= 1; step--) {
		chain.unshift(ends[step - 1]!.find(previous => mayFollow(step, previous, chain[0]!))!);
	}
	return chain;
}
