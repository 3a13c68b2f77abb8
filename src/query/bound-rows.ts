import type {ChainRows} from './earliest-rows.ts';
import type {Gathering} from './gathering.ts';
import type {Marks} from './marks.ts';

/** What binds a step to the row of the step before it. */
export interface Bound {
	/** Longest time since that row, ms; undefined: none. */
	readonly windowMs: number | undefined;
	/** Condition of rows that may not lie strictly between that row and this step's; undefined: none. */
	readonly excludedSince: string | undefined;
}

/** No window: longer than any period. */
const UNBOUNDED_MS = 2 ** 52;

/**
 * Windows and exclusions, of at least two steps: a later start may be the one that succeeds, so every row that can end a chain is kept, step
 * by step (`ends`), and the reported chain is read backwards from the earliest end of the deepest step.
 * Folded over the steps: unrolled, the engine takes 5.6 s to plan 32 of them; folded, 20 ms (docs/adr/0003).
 */
export function boundRows(
	steps: readonly (Bound & {readonly condition: string})[],
	gathering: Gathering,
	{none, bitsBelowMs}: Marks,
): ChainRows {
	const ms = (mark: string) => `bitShiftRight(${mark}, ${bitsBelowMs})`;
	const later = steps.slice(1);
	const first = gathering.rowsOf(steps[0]!.condition);
	const rows = later.map(step => gathering.rowsOf(step.condition));
	const windows = later.map(step => `toUInt64(${step.windowMs ?? UNBOUNDED_MS})`);
	const excluding = later.some(step => step.excludedSince !== undefined);
	const barred = later.map(step =>
		step.excludedSince === undefined ? `arrayResize(${first}, 0)` : gathering.rowsOf(step.excludedSince),
	);
	const list = (items: readonly string[]) => `[${items.join(', ')}]`;

	// One order of what matters to a step: rows that may serve it (tag 0), that bar it (1), and ends of the chains before
	// it (2). At one position the tags decide: a row is neither its own predecessor nor its own bar.
	const order = `arraySort(arrayConcat(arrayMap(x -> x + 2, ends[-1]), if(empty(ends[-1]), arrayResize(rows, 0), rows)${excluding ? ', arrayMap(x -> x + 1, barred)' : ''}))`;
	// Kept: a row whose latest tagged neighbour before it is an end, near enough.
	const kept = `arrayFilter((x, p) -> bitAnd(x, 3) = 0 AND bitAnd(p, 3) = 2 AND ${ms('x')} - ${ms('p')} <= window_ms, ${order}, arrayFill(x -> bitAnd(x, 3) != 0, ${order}))`;
	// Backwards: the earliest end from which the row after it may follow.
	const follows = [
		'x < chain[1]',
		`${ms('chain[1]')} - ${ms('x')} <= window_ms`,
		...(excluding ? ['x >= arrayMax(arrayPushBack(arrayFilter(e -> e < chain[1], barred), 0))'] : []),
	];
	const before = `if(chain[1] = ${none}, earliest, arrayMin(x -> if(${follows.join(' AND ')}, x, ${none}), ends))`;

	const argument = (text: string) => (excluding ? `, ${text}` : '');
	return {
		levels: (source, last) => [
			`reached AS (SELECT *, arrayFold((ends, rows, window_ms${argument('barred')}) -> arrayPushBack(ends, ${kept}), ${list(rows)}, ${list(windows)}${argument(list(barred))}, [${first}]) AS ends FROM ${source})`,
			`earliest_ends AS (SELECT *, arrayMap(x -> if(empty(x), ${none}, arrayMin(x)), ends) AS earliest FROM reached)`,
			`${last} AS (SELECT *, arrayFold((chain, ends, earliest, window_ms${argument('barred')}) -> arrayPushFront(chain, ${before}), arrayReverse(arrayPopBack(ends)), arrayReverse(arrayPopBack(earliest)), ${list(windows.toReversed())}${argument(list(barred.toReversed()))}, [earliest[-1]]) AS chain FROM earliest_ends)`,
		],
		row: step => `chain[${step}]`,
		columns: ['chain'],
		order: 'arrayReverse(chain)',
	};
}
