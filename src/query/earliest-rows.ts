import type {Gathering} from './gathering.ts';
import type {Marks} from './marks.ts';

/** How the chain's rows are found: CTEs after a source, and the mark of a step's row in the last of them. */
export interface ChainRows {
	/** The last one bears the name `last`. */
	levels(source: string, last: string): readonly string[];
	row(step: number): string;
	/** Columns of the last level that hold the rows. */
	readonly columns: readonly string[];
	/** Least for the deepest chain; of equally deep ones for that whose last row is earliest, then its last but one ... */
	readonly order: string;
}

/**
 * Nothing but the order binds the steps: each row is the earliest of its step after the one before, step by step.
 * A level per step names the one before once, so that the plan of 32 steps stays linear.
 */
export function earliestRows(
	steps: readonly {readonly condition: string}[],
	gathering: Gathering,
	{none}: Marks,
): ChainRows {
	const columns = steps.map((_, index) => `row_${index + 1}`);
	const expressions = steps.map(({condition}, index) => earliest(condition, index));
	return {
		levels: (source, last) =>
			expressions.map((expression, index) => {
				const name = index + 1 === steps.length ? last : `step_${index + 1}`;
				const from = index === 0 ? source : `step_${index}`;
				return `${name} AS (SELECT *, ${expression} AS ${columns[index]} FROM ${from})`;
			}),
		row: step => `row_${step}`,
		columns,
		order: `[${columns.toReversed().join(', ')}]`,
	};

	function earliest(condition: string, before: number): string {
		if (before === 0) return gathering.firstOf(condition);
		const rows = gathering.rowsOf(condition);
		return `if(empty(${rows}), ${none}, arrayMin(x -> if(x > row_${before}, x, ${none}), ${rows}))`;
	}
}
