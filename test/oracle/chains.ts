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
	const values = new Set(timeline.flatMap(row => held(row)));
	const chains = [...values].map(value => chainAmong(timeline, question, row => held(row).includes(value)));
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
	allowed: (row: FactRow) => boolean,
): number[] {
	const indexes = timeline.map((_, index) => index);
	// spoils[k][x]: row x may not lie between the rows of step k (from 1) and step k + 1.
	const spoils = steps.map((_, step) => {
		const here = exclusions.filter(({afterStep}) => afterStep === step);
		return timeline.map(row => here.some(exclusion => exclusion.matches(row)));
	});

	/** Whether row `next` may serve `step` (from 0) when row `previous` serves the step before. */
	function mayFollow(step: number, previous: number, next: number): boolean {
		if (previous >= next) return false;
		const {windowMs} = steps[step]!;
		if (windowMs !== undefined && timeline[next]!.ts - timeline[previous]!.ts > windowMs) return false;
		for (let between = previous + 1; between < next; between++) if (spoils[step]![between]) return false;
		return true;
	}

	// ends[i]: the rows that can end a chain of length i + 1, earliest first.
	const ends: number[][] = [];
	for (const [step, {matches}] of steps.entries()) {
		const predecessors = ends[step - 1];
		ends.push(
			indexes.filter(
				next =>
					allowed(timeline[next]!) &&
					matches(timeline[next]!) &&
					(predecessors === undefined || predecessors.some(previous => mayFollow(step, previous, next))),
			),
		);
	}

	const firstEmpty = ends.findIndex(rows => rows.length === 0);
	const depth = firstEmpty === -1 ? steps.length : firstEmpty;
	if (depth === 0) return [];
	const chain = [ends[depth - 1]![0]!];
	for (let step = depth - 1; step >= 1; step--) {
		chain.unshift(ends[step - 1]!.find(previous => mayFollow(step, previous, chain[0]!))!);
	}
	return chain;
}
