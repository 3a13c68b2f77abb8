import {type Bound, boundRows} from './bound-rows.ts';
import {earliestRows} from './earliest-rows.ts';
import type {OneOf} from './exclusive.ts';
import type {Bindings} from './fragment.ts';
import {Gathering, type Marks} from './gathering.ts';
import {bestOfValues, type Held, spreadBars} from './holding.ts';
import {type Packing, packedRows, packingOf} from './packed-rows.ts';
import {countedAsOf, mergesJoined, positionAt, type QueryScope, TIE_BITS, userPointColumn} from './plan.ts';

/** One step of a chain, as conditions on `fact_rows_v1`. */
export interface ChainStep extends Bound {
	readonly condition: string;
	/** What the condition says, where it is as little as that. */
	readonly oneOf?: OneOf | undefined;
	/** Values wanted of the row that serves this step, e.g. the columns of a split. */
	readonly carried: readonly string[];
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
	/** As `Gathering`'s: what is told of some people instead of their chains, and the columns made of it elsewhere. */
	partsOf(sent: string): readonly string[];
	joinedParts(): readonly string[];
}

/** Without windows and exclusions a mark is the position itself. */
const PLAIN: Marks = {
	ofRow: 'position',
	isOffset: false,
	bits: 64,
	bitsBelowMs: TIE_BITS,
	none: '18446744073709551615',
};

/** With them it is the offset from the period's start, shifted so that a tag fits below it (`bound-rows.ts`). */
const TAG_BITS = 2;

/** Epoch ms of a row of `fact_rows_v1`. */
export const ROW_MS = `bitShiftRight(position, ${TIE_BITS})`;

/** Longest period whose tagged offsets fit 64 bits: 2^40 ms, some 34 years. */
const LONGEST_NARROW_MS = 2 ** (64 - TIE_BITS - TAG_BITS);

/**
 * One scan to every user point's reported chain (semantics.md, Funnel; docs/adr/0003). Only where a window or an
 * exclusion binds a step to the row before it are all ends of shorter chains kept; else the earliest rows are the chain.
 */
export function chainOf(
	steps: readonly ChainStep[],
	scope: QueryScope,
	bindings: Bindings,
	{money, held, exclusive, hashBelow, apart = false}: ChainOptions,
): Chain {
	const links = steps.map((step, index) => effective(holding(step, held), index, scope));
	const bound = links.some(link => link.windowMs !== undefined || link.excludedSince !== undefined);
	const packing = exclusive && !bound ? packingFor(links, scope) : undefined;
	const marks = bound ? taggable(scope, bindings) : packing ? packable(packing, scope, bindings) : PLAIN;
	const gathering = new Gathering(marks);
	const rows = bound
		? boundRows(links, gathering, marks)
		: packing
			? packedRows(links, gathering, packing, bindings)
			: earliestRows(links, gathering, marks);

	const later = links.slice(1).map(link => link.condition);
	if (money && later.length > 0) gathering.paidRows(later);
	links.forEach((link, index) => {
		if (link.carried.length === 0) return;
		if (index === 0 && !bound) gathering.carriedFirst(1, link.condition, link.carried, apart);
		else gathering.carriedRows(index + 1, link.condition, link.carried);
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
	const kept = [
		countedAsOf(scope, bindings),
		hashBelow === undefined
			? ''
			: `AND intHash64(${userPoint}) < ${bindings.bind('UInt64', String(hashBelow))}`,
	];
	const row = (step: number) => rows.row(step);
	const ms = (mark: string) => `bitShiftRight(${mark}, ${marks.bitsBelowMs})`;
	const paid = (field: 2 | 3, step: number) => `paid.${field}[indexOf(paid.1, ${row(step)})]`;
	return {
		slots: {
			conditions: gathering.conditions(),
			user_point: userPoint,
			gathered: gathering.columns(),
			facts: `fact_rows_v1${mergesJoined(scope, bindings)}${held?.joined ?? ''}`,
			kept: kept.filter(each => each !== '').join('\n          '),
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
		carried: (step, nth) =>
			step === 1 && !bound
				? `carried_1_${nth + 1}`
				: `carried_${step}.${nth + 2}[indexOf(carried_${step}.1, ${row(step)})]`,
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

/** Undefined where the period is too long for an offset to leave room above it. */
function packingFor(steps: readonly ChainStep[], {range}: QueryScope): Packing | undefined {
	const packing = packingOf(new Set(steps.map(step => step.condition)).size);
	return range.untilMs - range.fromMs < 2 ** (packing.offsetBits - TIE_BITS) ? packing : undefined;
}

function packable({none}: Packing, {range}: QueryScope, bindings: Bindings): Marks {
	const from = bindings.bind('UInt64', positionAt(range.fromMs));
	return {ofRow: `toUInt64(position - ${from})`, isOffset: true, bits: 64, bitsBelowMs: TIE_BITS, none};
}

function taggable({range}: QueryScope, bindings: Bindings): Marks {
	const narrow = range.untilMs - range.fromMs < LONGEST_NARROW_MS;
	const offset = `position - ${bindings.bind('UInt64', positionAt(range.fromMs))}`;
	return {
		ofRow: `bitShiftLeft(${narrow ? 'toUInt64' : 'toUInt128'}(${offset}), ${TAG_BITS})`,
		isOffset: true,
		bits: narrow ? 64 : 128,
		bitsBelowMs: TIE_BITS + TAG_BITS,
		none: narrow ? PLAIN.none : `toUInt128('340282366920938463463374607431768211455')`,
	};
}
