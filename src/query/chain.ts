import {type Bound, boundRows} from './bound-rows.ts';
import {earliestRows} from './earliest-rows.ts';
import type {OneOf} from './exclusive.ts';
import type {Bindings} from './fragment.ts';
import {Gathering} from './gathering.ts';
import {bestOfValues, type Held, spreadBars} from './holding.ts';
import {type Marks, PLAIN, packedMarks, taggedMarks} from './marks.ts';
import {nearKey} from './near-keys.ts';
import {type Packing, packedRows, packingOf} from './packed-rows.ts';
import {type QueryScope, TIE_BITS, userPointColumn} from './plan.ts';
import {scanOf} from './scan.ts';
import {type Carried, type WordCodes, wordCodesOf} from './word-codes.ts';

/** One step of a chain, as conditions on `fact_rows_v1`. */
export interface ChainStep extends Bound {
	readonly condition: string;
	/** What the condition says, where it is as little as that. */
	readonly oneOf?: OneOf | undefined;
	/** Values wanted of the row that serves this step, e.g. the columns of a split. */
	readonly carried: readonly Carried[];
}

/** The slots of `sql/analytics/funnel.sql` up to the chain; see there. */
export interface ChainSlots {
	readonly conditions: string;
	readonly user_point: string;
	readonly gathered: string;
	readonly facts: string;
	readonly kept: string;
	readonly grouped: string;
	readonly levels: string;
}

export interface ChainOptions {
	/** Money and units of the rows are asked for. */
	readonly money: boolean;
	/** All rows of a chain share one value of this. */
	readonly held?: Held | undefined;
	/** No row meets the conditions of two steps, but for equal ones (`exclusive.ts`). */
	readonly exclusive?: boolean | undefined;
	/** Of the user points only those whose hash lies below this, of 2^64; undefined: all. */
	readonly hashBelow?: bigint | undefined;
	/** Who a user point is is not asked: each stands under a number of its own. */
	readonly unnamed?: boolean | undefined;
	/** Some people's rows are gathered in several places: `partsOf` and `joinedParts` are wanted. */
	readonly apart?: boolean | undefined;
}

/** Every user point's reported chain, as expressions on `chains`, steps counted from 1. */
export interface Chain {
	readonly slots: ChainSlots;
	/** Whether the user point reached the step. */
	reached(step: number): string;
	/** Ms from the chain's first row to that of the step; only where reached. */
	elapsedMs(step: number): string;
	/** Position of the row that serves the step; only where reached. */
	position(step: number): string;
	/** Epoch ms of that row; only where reached. */
	instantMs(step: number): string;
	/** Money and units of that row in 1/10,000; 0 where the step is not reached. */
	money(step: number): string;
	units(step: number): string;
	/** The nth (from 0) carried value of that row; the type's default where not reached. */
	carried(step: number, nth: number): string;
	/** Whether one of these is not told, since its word is not known; only where all were reached. Undefined: none is. */
	unknownWords(): string | undefined;
	/** As `Gathering`'s: what is told of some people instead of their chains, and the columns made of it elsewhere. */
	partsOf(sent: string): readonly string[];
	joinedParts(): readonly string[];
}

/** Epoch ms of a row of `fact_rows_v1`. */
export const ROW_MS = `bitShiftRight(position, ${TIE_BITS})`;

/**
 * One scan to every user point's reported chain (semantics.md, Funnel; docs/adr/0003). Only where a window or an
 * exclusion binds a step to the row before it are all ends of shorter chains kept; else the earliest rows are the chain.
 */
export function chainOf(
	steps: readonly ChainStep[],
	scope: QueryScope,
	bindings: Bindings,
	{money, held, exclusive, hashBelow, unnamed = false, apart = false}: ChainOptions,
): Chain {
	const links = steps.map((step, index) => effective(holding(step, held), index, scope));
	const bound = links.some(link => link.windowMs !== undefined || link.excludedSince !== undefined);
	// Parts of a person are put together by columns of their own: elsewhere the words are carried as they are.
	const wanted =
		bound || apart
			? undefined
			: wordCodesOf(
					links.flatMap(link => link.carried),
					bindings,
				);
	const {marks, packing, codes} = bound
		? {marks: taggedMarks(scope, bindings)}
		: marksOf(links, scope, bindings, {exclusive, codes: wanted});
	const gathering = new Gathering(marks);
	const rows = bound
		? boundRows(links, gathering, marks)
		: packing
			? packedRows(links, gathering, packing, marks, bindings)
			: earliestRows(links, gathering, marks);

	const later = links.slice(1).map(link => link.condition);
	if (money && later.length > 0) gathering.paidRows(later);
	links.forEach((link, index) => {
		if (link.carried.length === 0 || codes) return;
		const texts = link.carried.map(each => each.text);
		if (index === 0 && !bound) gathering.carriedFirst(1, link.condition, texts, apart);
		else gathering.carriedRows(index + 1, link.condition, texts);
	});

	const bars = held
		? links.flatMap(link => (link.excludedSince ? [gathering.rowsOf(link.excludedSince)] : []))
		: [];
	const levels = held
		? [
				...(bars.length > 0 ? [spreadBars([...new Set(bars)])] : []),
				...rows.levels(bars.length > 0 ? 'barred' : 'gathered', 'held_chains'),
				...bestOfValues(rows, links.length, gathering.told, marks),
			]
		: rows.levels('gathered', 'chains');

	const userPoint = userPointColumn(scope);
	const scan = scanOf(scope, bindings);
	// Few people fit into the processor's caches anyway; held chains are grouped by two numbers, which hash otherwise.
	const isNear = unnamed && scope.stretches !== undefined && !held;
	const sampled =
		hashBelow === undefined
			? ''
			: ` AND intHash64(${userPoint}) < ${bindings.bind('UInt64', String(hashBelow))}`;
	const row = (step: number) => rows.row(step);
	const ms = (mark: string) => `bitShiftRight(${mark}, ${marks.bitsBelowMs})`;
	const paid = (field: 2 | 3, step: number) => `paid.${field}[indexOf(paid.1, ${row(step)})]`;
	return {
		slots: {
			conditions: [...gathering.conditions(), ...(isNear ? [`${userPoint} AS person`] : [])].join(
				',\n            ',
			),
			user_point: isNear ? nearKey('person') : userPoint,
			gathered: gathering.columns(),
			facts: `${scan.facts}${held?.joined ?? ''}`,
			kept: `${scan.kept}${sampled}`,
			// Rows that serve no step stand together, whatever they carry.
			grouped: held
				? `user_point, if(${gathering.anyOf(links.map(link => link.condition))}, ${held.value}, toUInt128(0))`
				: 'user_point',
			levels: levels.join(',\n    '),
		},
		reached: step => `${row(step)} < ${marks.none}`,
		elapsedMs: step => (step === 1 ? 'toUInt64(0)' : `toUInt64(${ms(row(step))} - ${ms(row(1))})`),
		position: step =>
			marks.isOffset
				? `toUInt64(bitShiftRight(${row(step)}, ${marks.bitsBelowMs - TIE_BITS})) + {from_position:UInt64}`
				: row(step),
		instantMs: step =>
			marks.isOffset
				? `toUInt64(${ms(row(step))}) + bitShiftRight({from_position:UInt64}, ${TIE_BITS})`
				: ms(row(step)),
		money: step => paid(2, step),
		units: step => paid(3, step),
		carried: (step, nth) => {
			if (codes) return codes.textOf(row(step), links[step - 1]!.carried[nth]!);
			if (step === 1 && !bound) return `carried_1_${nth + 1}`;
			return `carried_${step}.${nth + 2}[indexOf(carried_${step}.1, ${row(step)})]`;
		},
		unknownWords: () =>
			codes &&
			links
				.flatMap((link, index) => link.carried.map(each => codes.isUnknown(row(index + 1), each)))
				.join(' OR '),
		partsOf: sent => gathering.partsOf(sent),
		joinedParts: () => gathering.joinedParts(),
	};
}

/** A row without a value of the held dimension serves no step. */
function holding(step: ChainStep, held: Held | undefined): ChainStep {
	return held ? {...step, condition: `(${step.condition}) AND ${held.isSet}`, oneOf: undefined} : step;
}

/** What binds nobody is left out: anything before the first step, a window as long as the period. */
function effective(step: ChainStep, index: number, {range}: QueryScope): ChainStep {
	if (index === 0) return {...step, windowMs: undefined, excludedSince: undefined};
	const idle = step.windowMs !== undefined && step.windowMs >= range.untilMs - range.fromMs;
	return idle ? {...step, windowMs: undefined} : step;
}

/** The narrowest marks that do; words go into them where there is room, else beside them. */
function marksOf(
	steps: readonly ChainStep[],
	scope: QueryScope,
	bindings: Bindings,
	{exclusive, codes}: {readonly exclusive: boolean | undefined; readonly codes: WordCodes | undefined},
): {marks: Marks; packing?: Packing; codes?: WordCodes} {
	if (!exclusive) return {marks: PLAIN};
	const packing = packingOf(new Set(steps.map(step => step.condition)).size);
	const coded = codes && packedMarks(packing, scope, bindings, codes);
	if (codes && coded) return {marks: coded, packing, codes};
	const marks = packedMarks(packing, scope, bindings);
	return marks ? {marks, packing} : {marks: PLAIN};
}
