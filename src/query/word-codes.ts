import type {Bindings} from './fragment.ts';
import {numberedWords} from './numbered-words.ts';

/** A value wanted of the row that serves a step. */
export interface Carried {
	/** The value as a text. */
	readonly text: string;
	/** The column that holds just that, and its words, as far as they are known; undefined: nobody knows them. */
	readonly words?: {readonly column: string; readonly known: readonly string[]} | undefined;
}

/** Columns' words as numbers, side by side in so many bits: 0 where there is no value, all bits set where its word is not known. */
export interface WordCodes {
	readonly bits: number;
	/** The numbers of a row of `fact_rows_v1`. */
	ofRow(): string;
	/** A word again, out of a number that ends with those of its row; '' where it is not known. */
	textOf(number: string, carried: Carried): string;
	isUnknown(number: string, carried: Carried): string;
}

interface Place {
	readonly column: string;
	readonly known: readonly string[];
	readonly bits: number;
	/** Bits below it. */
	readonly below: number;
}

/** Undefined where nothing is carried, or the words of some column are not known. */
export function wordCodesOf(carried: readonly Carried[], bindings: Bindings): WordCodes | undefined {
	const places = new Map<string, Place>();
	let bits = 0;
	for (const {words} of carried) {
		if (!words) return undefined;
		if (places.has(words.column)) continue;
		const place = {...words, bits: Math.ceil(Math.log2(words.known.length + 2)), below: bits};
		places.set(words.column, place);
		bits += place.bits;
	}
	if (bits === 0) return undefined;
	const codeIn = (number: string, {below, bits}: Place) =>
		`bitAnd(bitShiftRight(${number}, ${below}), ${largest(bits)})`;
	const placeOf = ({words}: Carried) => places.get(words!.column)!;
	return {
		bits,
		ofRow: () =>
			[...places.values()]
				.map(place => codeOf(place, bindings))
				.reduce((one, other) => `bitOr(${one}, ${other})`),
		textOf: (number, each) => `${textsOf(placeOf(each), bindings)}[${codeIn(number, placeOf(each))} + 1]`,
		isUnknown: (number, each) => `${codeIn(number, placeOf(each))} = ${largest(placeOf(each).bits)}`,
	};
}

/** The number of a row's word, at its place. */
function codeOf(place: Place, bindings: Bindings): string {
	const atPlace = (number: number) => number * 2 ** place.below;
	const numbers = ['', ...place.known].map((_, index) => atPlace(index));
	return numberedWords(place.column, textsOf(place, bindings), numbers, atPlace(largest(place.bits)));
}

function textsOf({known}: Place, bindings: Bindings): string {
	return bindings.bind('Array(String)', ['', ...known]);
}

function largest(bits: number): number {
	return 2 ** bits - 1;
}
