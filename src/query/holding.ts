import type {Dimension} from './dimensions.ts';
import type {ChainRows} from './earliest-rows.ts';
import type {Bindings} from './fragment.ts';
import {startOfDay} from './groups.ts';

/** The value that all rows of a chain share (semantics.md, Funnel, "holding dimension"), as SQL over `fact_rows_v1`. */
export interface Held {
	/** '' where the row has no value: it serves no step, but its user point is there, and it may bar others. */
	readonly value: string;
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
			return {value: `toString(${column})`, joined: ''};
		case 'multi':
			return {
				value: 'toString(held_value)',
				joined: ` LEFT ARRAY JOIN arrayDistinct(${column}) AS held_value`,
			};
		case 'time':
			return {value: startOfDay(rowMs, dayStarts, bindings), joined: ''};
		default:
			throw new Error(`a ${kind} dimension cannot be held`);
	}
}

/** Bars stand whatever value their rows carry: a level after `gathered` that gives them to all values of a user point. */
export function spreadBars(bars: readonly string[]): string {
	const spread = bars.map(
		name => `arrayFlatten(groupArray(${name}) OVER (PARTITION BY user_point)) AS ${name}`,
	);
	return `barred AS (SELECT * REPLACE (${spread.join(', ')}) FROM gathered)`;
}

/** From the chain of each value in `held_chains` to `chains`: of each user point the deepest, then earliest one. */
export function bestOfValues(rows: ChainRows, told: readonly string[]): string[] {
	const columns = [...rows.columns, ...told];
	return [
		`best AS (SELECT user_point, argMin(tuple(${columns.join(', ')}), ${rows.order}) AS held_chain FROM held_chains GROUP BY user_point)`,
		`chains AS (SELECT user_point, ${columns.map((name, index) => `held_chain.${index + 1} AS ${name}`).join(', ')} FROM best)`,
	];
}
