import {type ChainQuestion, deepestThenEarliest, type FindChain} from './chains.ts';
import type {FactRow} from './facts.ts';

const MOST_ROWS = 14;

/**
 * The reported chain by trying every set of rows there is: 2^rows of them, each checked against the definition as
 * it is written. Only for short histories; it is what the step-by-step search is compared with.
 */
export const reportedChainByTryingAll: FindChain = (timeline, question) => {
	if (timeline.length > MOST_ROWS) throw new Error(`${timeline.length} rows are too many to try all`);
	const chains = everySubset(timeline.length).filter(subset => isChain(subset, timeline, question));
	const {held} = question;
	const worlds =
		held === undefined
			? [chains]
			: [...new Set(timeline.flatMap(row => held(row)))].map(value =>
					chains.filter(chain => chain.every(index => held(timeline[index]!).includes(value))),
				);
	const candidates = worlds.map(world => reportedAmong(world, timeline, question));
	return candidates.reduce(deepestThenEarliest, []).map(index => timeline[index]!);
};

/** All ascending index lists but the empty one. */
function everySubset(size: number): number[][] {
	const subsets: number[][] = [];
	for (let mask = 1; mask < 2 ** size; mask++) {
		subsets.push(Array.from({length: size}, (_, index) => index).filter(index => mask & (1 << index)));
	}
	return subsets;
}

/** Row j matches step j, keeps its window, and nothing excluded lies between; demands of holding come later. */
function isChain(subset: readonly number[], timeline: readonly FactRow[], question: ChainQuestion): boolean {
	if (subset.length > question.steps.length) return false;
	return subset.every(
		(index, step) =>
			question.steps[step]!.matches(timeline[index]!) &&
			(step === 0 || follows(subset[step - 1]!, index, step, timeline, question)),
	);
}

function follows(
	previous: number,
	next: number,
	step: number,
	timeline: readonly FactRow[],
	{steps, exclusions}: ChainQuestion,
): boolean {
	const elapsedMs = timeline[next]!.ts - timeline[previous]!.ts;
	const between = timeline.slice(previous + 1, next);
	return (
		previous < next &&
		elapsedMs <= (steps[step]!.windowMs ?? Number.POSITIVE_INFINITY) &&
		exclusions.every(({afterStep, matches}) => afterStep !== step || !between.some(matches))
	);
}

/** Of all chains there are: the earliest end among the longest, then backwards the earliest end that it may follow. */
function reportedAmong(
	chains: readonly (readonly number[])[],
	timeline: readonly FactRow[],
	question: ChainQuestion,
): number[] {
	const endsOfLength = (length: number) =>
		chains.filter(chain => chain.length === length).map(chain => chain[length - 1]!);
	const depth = Math.max(0, ...chains.map(chain => chain.length));
	if (depth === 0) return [];
	const reported = [Math.min(...endsOfLength(depth))];
	for (let length = depth - 1; length >= 1; length--) {
		const fitting = endsOfLength(length).filter(end =>
			follows(end, reported[0]!, length, timeline, question),
		);
		reported.unshift(Math.min(...fitting));
	}
	return reported;
}
