import type {Bindings} from './fragment.ts';
import type {Packing} from './packed-rows.ts';
import {positionAt, type QueryScope, TIE_BITS} from './plan.ts';
import type {WordCodes} from './word-codes.ts';

/** How a row's place in the order is held while chains are sought (see `chain.ts`). */
export interface Marks {
	readonly ofRow: string;
	/** From the period's start, and not from 1970. */
	readonly isOffset: boolean;
	/** Bits of a mark below its milliseconds. */
	readonly bitsBelowMs: number;
	/** Bits of a mark. */
	readonly bits: 64 | 128;
	/** No row: above every mark. */
	readonly none: string;
	/** The greatest mark that a row at the place of this one could have: later rows lie above it. */
	greatestAt(mark: string): string;
}

/** Above every mark of 64 bits. */
export const NO_MARK = '18446744073709551615';
const sameMark = (mark: string) => mark;

/** Without windows and exclusions a mark is the position itself. */
export const PLAIN: Marks = {
	ofRow: 'position',
	isOffset: false,
	bits: 64,
	bitsBelowMs: TIE_BITS,
	none: NO_MARK,
	greatestAt: sameMark,
};

/** The offset from the period's start, a number above it and words below it; undefined where the period is too long. */
export function packedMarks(
	{offsetBits, none}: Packing,
	scope: QueryScope,
	bindings: Bindings,
	codes?: WordCodes,
): Marks | undefined {
	const codeBits = codes?.bits ?? 0;
	if (lengthOf(scope) >= 2 ** (offsetBits - TIE_BITS - codeBits)) return undefined;
	const offset = `toUInt64(${offsetOf(scope, bindings)})`;
	return {
		ofRow: codes ? `bitOr(bitShiftLeft(${offset}, ${codeBits}), ${codes.ofRow()})` : offset,
		isOffset: true,
		bits: 64,
		bitsBelowMs: TIE_BITS + codeBits,
		none,
		greatestAt: codes ? mark => `bitOr(${mark}, ${2 ** codeBits - 1})` : sameMark,
	};
}

/** With windows or exclusions a tag fits below the offset (`bound-rows.ts`). */
const TAG_BITS = 2;
/** Longest period whose tagged offsets fit 64 bits: 2^40 ms, some 34 years. */
const LONGEST_NARROW_MS = 2 ** (64 - TIE_BITS - TAG_BITS);

export function taggedMarks(scope: QueryScope, bindings: Bindings): Marks {
	const narrow = lengthOf(scope) < LONGEST_NARROW_MS;
	return {
		ofRow: `bitShiftLeft(${narrow ? 'toUInt64' : 'toUInt128'}(${offsetOf(scope, bindings)}), ${TAG_BITS})`,
		isOffset: true,
		bits: narrow ? 64 : 128,
		bitsBelowMs: TIE_BITS + TAG_BITS,
		none: narrow ? NO_MARK : `toUInt128('340282366920938463463374607431768211455')`,
		greatestAt: sameMark,
	};
}

/** In ms. */
function lengthOf({range}: QueryScope): number {
	return range.untilMs - range.fromMs;
}

function offsetOf({range}: QueryScope, bindings: Bindings): string {
	return `position - ${bindings.bind('UInt64', positionAt(range.fromMs))}`;
}
