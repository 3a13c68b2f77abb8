import {setImmediate} from 'node:timers/promises';
import type {LocalDay, LocalDayRange} from '../../lib/local-days.ts';
import type {Filter, FilterClause} from '../../query/inputs.ts';
import type {Counted} from './counted.ts';

/** Whether a value is wanted; `folded` is its lower case. */
export type Match = (value: string, folded: string) => boolean;

export interface LiveListOptions {
	readonly days: readonly LocalDayRange[];
	/** Up to which batch each partition is counted. */
	readonly batches: ReadonlyMap<number, number>;
	/** The order of values that equally many facts have; a list whose first values come in it is searched faster. */
	readonly compare: (one: string, other: string) => number;
}

/** What a value takes beside its texts. */
const VALUE_BYTES = 100;
/** So many values are a few ms of work. */
const AT_A_TIME = 10_000;
/** Every value is looked at for each: whoever asks more asks the table, which has a deadline. */
const MOST_FILTERS = 4;
const MOST_LETTERS = 1_000;

/** All values of a dimension in whole local days, with as many facts as have them now. */
export class LiveList {
	readonly #days: readonly LocalDayRange[];
	readonly #compare: LiveListOptions['compare'];
	readonly #batches: Map<number, number>;
	readonly #values: string[] = [];
	readonly #folded: string[] = [];
	readonly #facts: number[] = [];
	readonly #places = new Map<string, number>();
	/** So many, from the first on, are in order. */
	#ordered = 0;
	#letters = 0;

	constructor({days, batches, compare}: LiveListOptions) {
		this.#days = days;
		this.#compare = compare;
		this.#batches = new Map(batches);
	}

	/** What it begins with: others have their turn meanwhile. `facts`: as many as values. */
	async fill(values: readonly string[], facts: readonly number[]): Promise<void> {
		for (const [place, value] of values.entries()) {
			this.#add(value, facts[place]!);
			if (place % AT_A_TIME === AT_A_TIME - 1) await setImmediate();
		}
	}

	get length(): number {
		return this.#values.length;
	}

	/** How many came out of order: those make a page dearer. */
	get unordered(): number {
		return this.length - this.#ordered;
	}

	/** In memory, about. */
	get bytes(): number {
		return VALUE_BYTES * this.length + 2 * this.#letters;
	}

	/** What a batch added; once, however often it is told. */
	count(batchId: number, counted: readonly Counted[]): void {
		const parts = new Set(
			counted.map(({part}) => part).filter(part => batchId > (this.#batches.get(part) ?? -1)),
		);
		for (const {part, localDay, values, facts} of counted) {
			if (!parts.has(part) || !this.#has(localDay)) continue;
			for (const [place, value] of values.entries()) this.#add(value, facts[place]!);
		}
		for (const part of parts) this.#batches.set(part, batchId);
	}

	/** The same facts by another text of their value, without those that have none. */
	renamed(names: ReadonlyMap<string, string>, compare: LiveListOptions['compare']): LiveList {
		const renamed = new LiveList({days: [], batches: new Map(), compare});
		for (const [value, name] of names) {
			const place = this.#places.get(value);
			if (name && place !== undefined) renamed.#add(name, this.#facts[place]!);
		}
		return renamed;
	}

	/** Of those that match the ones most facts have: at most `most`. */
	first(most: number, matches: Match): string[] {
		const facts = this.#facts;
		const values = this.#values;
		const isBefore = (one: number, other: number) =>
			facts[one]! > facts[other]! || (facts[one] === facts[other] && this.#isBefore(one, other));
		const best: number[] = [];
		for (let place = 0; place < values.length && most > 0; place++) {
			// Numbers first: most values are met too seldom to be looked at.
			if (best.length === most && !isBefore(place, best.at(-1)!)) continue;
			if (!matches(values[place]!, this.#folded[place]!)) continue;
			if (best.length === most) best.pop();
			best.splice(
				lowest(best.length, at => isBefore(place, best[at]!)),
				0,
				place,
			);
		}
		return best.map(place => values[place]!);
	}

	/** Of two that equally many facts have. */
	#isBefore(one: number, other: number): boolean {
		if (one < this.#ordered && other < this.#ordered) return one < other;
		return this.#compare(this.#values[one]!, this.#values[other]!) < 0;
	}

	#add(value: string, facts: number): void {
		const place = this.#places.get(value);
		if (place !== undefined) {
			this.#facts[place]! += facts;
			return;
		}
		const {length} = this.#values;
		const isNext =
			this.#ordered === length && (length === 0 || this.#compare(this.#values.at(-1)!, value) < 0);
		if (isNext) this.#ordered += 1;
		this.#places.set(value, length);
		this.#values.push(value);
		const folded = value.toLowerCase();
		// Two texts in memory only where they differ.
		this.#folded.push(folded === value ? value : folded);
		this.#letters += folded === value ? value.length : value.length + folded.length;
		this.#facts.push(facts);
	}

	#has(day: LocalDay): boolean {
		return this.#days.some(({first, until}) => day >= first && day < until);
	}
}

/** The first number below `length` that something holds for, and for all behind it; else `length`. */
function lowest(length: number, holds: (at: number) => boolean): number {
	let [from, to] = [0, length];
	while (from < to) {
		const middle = (from + to) >> 1;
		if (holds(middle)) to = middle;
		else from = middle + 1;
	}
	return from;
}

function isToldHere({operator, not, expressions}: Filter): boolean {
	return operator === 'LIKE' && !not && (expressions[0] ?? '').length <= MOST_LETTERS;
}

/**
 * What a clause over one dimension wants of a value; undefined where it asks more than to contain a text. Lower case is
 * what the engine's is, of each character and of words (test/analytics/live-lists.test.ts).
 */
export function matchOf({operator, filters}: FilterClause): Match | undefined {
	if (filters.length > MOST_FILTERS || !filters.every(isToldHere)) return undefined;
	const all = filters.map(({expressions, caseSensitive}): Match => {
		const wanted = (expressions[0] ?? '').toWellFormed();
		if (caseSensitive) return value => value.includes(wanted);
		const lower = wanted.toLowerCase();
		return (_, folded) => folded.includes(lower);
	});
	if (all.length === 0) return () => true;
	if (all.length === 1) return all[0]!;
	return operator === 'AND'
		? (...value) => all.every(each => each(...value))
		: (...value) => all.some(each => each(...value));
}
