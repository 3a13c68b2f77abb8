import type {ChainRows} from './earliest-rows.ts';
import type {OneOf} from './exclusive.ts';
import type {Bindings} from './fragment.ts';
import type {Gathering} from './gathering.ts';
import {type Marks, NO_MARK} from './marks.ts';
import {numberedWords} from './numbered-words.ts';

/** Offsets from the period's start, with the number of a row's condition in the bits above them. */
export interface Packing {
	/** Bits of the offset. */
	readonly offsetBits: number;
	/** No row: the largest offset there is. */
	readonly none: string;
}

/** Numbers 1 to `conditions`; 0 is "none of them", and all bits set is "no row". */
export function packingOf(conditions: number): Packing {
	const offsetBits = 64 - Math.ceil(Math.log2(conditions + 2));
	return {offsetBits, none: String(2n ** BigInt(offsetBits) - 1n)};
}

interface NumberedStep {
	readonly condition: string;
	readonly oneOf?: OneOf | undefined;
}

/**
 * Nothing but the order binds the steps, and no row meets the conditions of two: all their rows stand in one array, the
 * number of the condition above the offset, so that the engine keeps one state a user point and not one a step. The
 * least mark above "this condition, after the row before" is the row wanted, if it bears the condition's number.
 */
export function packedRows(
	steps: readonly NumberedStep[],
	gathering: Gathering,
	{offsetBits, none}: Packing,
	{greatestAt}: Marks,
	bindings: Bindings,
): ChainRows {
	const distinct = [...new Map(steps.map(step => [step.condition, step])).values()];
	const conditions = distinct.map(step => step.condition);
	const numbers = distinct.map((_, index) => String(BigInt(index + 1) << BigInt(offsetBits)));
	const marks = gathering.packedRows(conditions, numbers, lookedUp(distinct, numbers, bindings));
	const columns = steps.map((_, index) => `row_${index + 1}`);
	return {
		levels: (source, last) =>
			steps.map(({condition}, index) => {
				const number = conditions.indexOf(condition) + 1;
				const name = index + 1 === steps.length ? last : `step_${index + 1}`;
				const from = index === 0 ? source : `step_${index}`;
				const mark = `mark_${index + 1}`;
				const row = `if(bitShiftRight(${mark}, ${offsetBits}) = ${number}, bitAnd(${mark}, ${none}), ${none})`;
				return `${name} AS (SELECT *, ${least(index, number)} AS ${mark}, ${row} AS ${columns[index]} FROM ${from})`;
			}),
		row: step => `row_${step}`,
		columns,
		order: `[${columns.toReversed().join(', ')}]`,
	};

	function least(index: number, number: number): string {
		// The first condition has the least number; of no rows at all the least mark is 0, whose number is nobody's.
		if (index === 0) return `arrayMin(${marks})`;
		const above = `${greatestAt(`row_${index}`)} + ${numbers[number - 1]}`;
		return `arrayMin(x -> if(x > ${above}, x, ${NO_MARK}), ${marks})`;
	}
}

/**
 * A row's number by its value alone, where all conditions are values of one column: the engine looks up the column's few
 * words instead of comparing every row with every value. Undefined elsewhere.
 */
function lookedUp(
	steps: readonly NumberedStep[],
	numbers: readonly string[],
	bindings: Bindings,
): string | undefined {
	const column = steps[0]?.oneOf?.column;
	const pairs = steps.flatMap(({oneOf}, index) =>
		(oneOf?.values ?? []).map(value => [value, numbers[index]!] as const),
	);
	if (pairs.length === 0 || steps.some(({oneOf}) => oneOf?.column !== column)) return undefined;
	const values = bindings.bind(
		'Array(String)',
		pairs.map(([value]) => value),
	);
	return numberedWords(
		column!,
		values,
		pairs.map(([, number]) => number),
		0,
	);
}
