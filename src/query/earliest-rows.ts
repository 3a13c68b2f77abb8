import type {Gathering, Marks} from './gathering.ts';

/** How the chain's rows are found: CTEs after `gathered`, the last one `chains`, and the mark of a step's row there. */
export interface ChainRows {
	readonly levels: readonly string[];
	row(step: number): string;
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
	const levels: string[] = [];
	let source = 'gathered';
	steps.forEach(({condition}, index) => {
		const step = index + 1;
		const name = step === steps.length ? 'chains' : `step_${step}`;
		levels.push(`${name} AS (SELECT *, ${earliest(condition, index)} AS row_${step} FROM ${source})`);
		source = name;
	});
	return {levels, row: step => `row_${step}`};

	function earliest(condition: string, before: number): string {
		if (before === 0) return gathering.firstOf(condition);
		const rows = gathering.rowsOf(condition);
		return `if(empty(${rows}), ${none}, arrayMin(x -> if(x > row_${before}, x, ${none}), ${rows}))`;
	}
}
