import type {Dimension} from './dimensions.ts';
import type {ChainRows} from './earliest-rows.ts';
import type {Bindings} from './fragment.ts';
import {startOfDay} from './groups.ts';
import type {Marks} from './marks.ts';

/** The value that all rows of a chain share (semantics.md, Funnel, "holding dimension"), as SQL over `fact_rows_v1`. */
export interface Held {
	/** A number for the value, the same for no other: what is asked is only which values are equal. */
	readonly value: string;
	/** Whether the row has one. Else it serves no step, but its user point is there, and it may bar others. */
	readonly isSet: string;
	/** Behind the table: what makes a row of several values a row for each. */
	readonly joined: string;
}

export function heldOf(
	{kind, column}: Dimension,
	dayStarts: readonly number[],
	rowMs: string,
	bindings: Bindings,
): Held {
	switch (kind) {
		case 'single':
			return {value: sameness(column), isSet: `${column} != ''`, joined: ''};
		case 'multi':
			return {
				value: sameness('held_value'),
				isSet: `held_value != ''`,
				joined: ` LEFT ARRAY JOIN arrayDistinct(${column}) AS held_value`,
			};
		case 'time':
			return {value: `toUInt128(${startOfDay(rowMs, dayStarts, bindings)})`, isSet: 'true', joined: ''};
		default:
			throw new Error(`a ${kind} dimension cannot be held`);
	}
}

/** Two texts do not meet by chance in 128 bits, nor on purpose. The engine groups by numbers faster than by texts. */
function sameness(text: string): string {
	return `reinterpretAsUInt128(sipHash128(${text}))`;
}

/** Bars stand whatever value their rows carry: a level after `gathered` that gives them to all values of a user point. */
export function spreadBars(bars: readonly string[]): string {
	const spread = bars.map(
		name => `arrayFlatten(groupArray(${name}) OVER (PARTITION BY user_point)) AS ${name}`,
	);
	return `barred AS (SELECT * REPLACE (${spread.join(', ')}) FROM gathered)`;
}

/** From the chain of each value in `held_chains` to `chains`: of each user point the deepest, then earliest one. */
export function bestOfValues(
	rows: ChainRows,
	steps: number,
	told: readonly string[],
	{none, bits}: Marks,
): string[] {
	if (bits * steps <= WIDEST) {
		const all = Array.from({length: steps}, (_, index) => rows.row(index + 1));
		const ranked = `ranked AS (SELECT *, ${wideNumber(all, bits)} AS chain_rank FROM held_chains)`;
		// The deepest chain has reached what any other has: what is told of a step is asked of those that reached it.
		const best = [
			...rows.columns.map(name => `argMin(ranked.${name}, chain_rank) AS ${name}`),
			...told.map(name => {
				const reached = `ranked.${rows.row(firstToldBy(name))} < ${none}`;
				return `argMinIf(ranked.${name}, chain_rank, ${reached}) AS ${name}`;
			}),
		];
		return [ranked, `chains AS (SELECT user_point, ${best.join(', ')} FROM ranked GROUP BY user_point)`];
	}
	const columns = [...rows.columns, ...told];
	return [
		`best AS (SELECT user_point, argMin(tuple(${columns.join(', ')}), ${rows.order}) AS held_chain FROM held_chains GROUP BY user_point)`,
		`chains AS (SELECT user_point, ${columns.map((name, index) => `held_chain.${index + 1} AS ${name}`).join(', ')} FROM best)`,
	];
}

/** Bits of the engine's widest number. */
const WIDEST = 256;

/** The rows as one number, the last one first: least for the deepest chain, then the earliest. Numbers compare fast. */
function wideNumber(columns: readonly string[], bits: number): string {
	const width = [64, 128, WIDEST].find(each => each >= bits * columns.length);
	return columns
		.map((name, index) => `bitShiftLeft(toUInt${width}(${name}), ${bits * index})`)
		.reduce((one, other) => `bitOr(${one}, ${other})`);
}

/** `carried_<step>...` tells of that step, `paid` of the second and later ones. */
function firstToldBy(name: string): number {
	return name === 'paid' ? 2 : Number(/^carried_(\d+)/.exec(name)?.[1]);
}
