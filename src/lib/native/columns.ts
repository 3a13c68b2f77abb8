/**
 * Columns of a Native block (ClickHouse's own binary format): what the engine takes without reading any text. Numbers
 * are little endian, as are all machines this runs on. Each column is filled row by row, and encoded whole or in part.
 */

/** A part of an encoded block. */
export type Piece = Uint8Array;

export interface Column {
	/** As the engine writes it. */
	readonly type: string;
	/** Rows so far. */
	readonly length: number;
	/** What stands once in front of all of the column's data. */
	encodePrefix(): readonly Piece[];
	/** The data of these rows, in this order; of all without them. */
	encode(rows?: Uint32Array): readonly Piece[];
}

const NO_PIECES: readonly Piece[] = [];
const FIRST_CAPACITY = 64;
const TWO_32 = 2 ** 32;

function bytesOf(array: Uint16Array | Uint32Array | BigUint64Array): Piece {
	return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function grown<Numbers extends Uint16Array | Uint32Array>(numbers: Numbers): Numbers {
	const larger = new (numbers.constructor as new (length: number) => Numbers)(numbers.length * 2);
	larger.set(numbers);
	return larger;
}

/** UInt16 and UInt32. */
export class SmallIntegers implements Column {
	readonly type: 'UInt16' | 'UInt32';
	length = 0;
	#numbers: Uint16Array | Uint32Array;

	constructor(type: 'UInt16' | 'UInt32', capacity = FIRST_CAPACITY) {
		this.type = type;
		this.#numbers = type === 'UInt16' ? new Uint16Array(capacity) : new Uint32Array(capacity);
	}

	push(value: number): void {
		if (this.length === this.#numbers.length) this.#numbers = grown(this.#numbers);
		this.#numbers[this.length++] = value;
	}

	encodePrefix(): readonly Piece[] {
		return NO_PIECES;
	}

	encode(rows?: Uint32Array): readonly Piece[] {
		return [bytesOf(rows ? this.#picked(rows) : this.#numbers.subarray(0, this.length))];
	}

	at(row: number): number {
		return this.#numbers[row]!;
	}

	#picked(rows: Uint32Array): Uint16Array | Uint32Array {
		const picked = this.type === 'UInt16' ? new Uint16Array(rows.length) : new Uint32Array(rows.length);
		for (let at = 0; at < rows.length; at++) picked[at] = this.#numbers[rows[at]!]!;
		return picked;
	}
}

/** UInt64 and Int64, in halves: a double is split exactly, and no BigInt is made for a row. */
export class LargeIntegers implements Column {
	readonly type: 'UInt64' | 'Int64';
	length = 0;
	#halves: Uint32Array;

	constructor(type: 'UInt64' | 'Int64', capacity = FIRST_CAPACITY) {
		this.type = type;
		this.#halves = new Uint32Array(capacity * 2);
	}

	/** A whole number that the type holds. */
	push(value: number): void {
		const high = Math.floor(value / TWO_32);
		this.pushHalves(high, value - high * TWO_32);
	}

	/** `high` x 2^32 + `low`. */
	pushHalves(high: number, low: number): void {
		if (this.length * 2 === this.#halves.length) this.#halves = grown(this.#halves);
		this.#halves[this.length * 2] = low;
		this.#halves[this.length * 2 + 1] = high;
		this.length += 1;
	}

	/** Of a UInt64, without its lowest bits; exact where what is left is below 2^53. `droppedBits`: at most 32. */
	numberAt(row: number, droppedBits = 0): number {
		const [low = 0, high = 0] = [this.#halves[row * 2], this.#halves[row * 2 + 1]];
		return high * 2 ** (32 - droppedBits) + Math.floor(low / 2 ** droppedBits);
	}

	/** In digits, of a UInt64. */
	textAt(row: number): string {
		const [low = 0, high = 0] = this.#halves.subarray(row * 2, row * 2 + 2);
		return (BigInt(high) * BigInt(TWO_32) + BigInt(low)).toString();
	}

	encodePrefix(): readonly Piece[] {
		return NO_PIECES;
	}

	encode(rows?: Uint32Array): readonly Piece[] {
		if (!rows) return [bytesOf(this.#halves.subarray(0, this.length * 2))];
		const picked = new Uint32Array(rows.length * 2);
		for (let at = 0; at < rows.length; at++) {
			picked[at * 2] = this.#halves[rows[at]! * 2]!;
			picked[at * 2 + 1] = this.#halves[rows[at]! * 2 + 1]!;
		}
		return [bytesOf(picked)];
	}
}

/** String: each text with its length in front, one after the other. */
export class Texts implements Column {
	readonly type = 'String';
	#bytes: Buffer;
	#used = 0;
	/** Where each row ends. */
	#ends: Uint32Array;
	length = 0;

	constructor(capacity = FIRST_CAPACITY, meanBytes = 16) {
		this.#bytes = Buffer.allocUnsafe(capacity * meanBytes);
		this.#ends = new Uint32Array(capacity);
	}

	push(text: string): void {
		// UTF-8 takes at most three bytes for a unit of JavaScript's text.
		this.#reserve(text.length * 3 + 5);
		const headBytes = text.length < 128 ? 1 : lengthBytes(text.length);
		let written = this.#bytes.write(text, this.#used + headBytes, 'utf8');
		const needed = written < 128 ? 1 : lengthBytes(written);
		if (needed !== headBytes) written = this.#bytes.write(text, this.#used + needed, 'utf8');
		this.#finish(needed, written);
	}

	/** A text that is in UTF-8 already, given in parts. */
	pushBytes(...parts: readonly Uint8Array[]): void {
		let length = 0;
		for (const part of parts) length += part.length;
		this.#reserve(length + 5);
		const headBytes = lengthBytes(length);
		let at = this.#used + headBytes;
		for (const part of parts) {
			this.#bytes.set(part, at);
			at += part.length;
		}
		this.#finish(headBytes, length);
	}

	textAt(row: number): string {
		const from = row === 0 ? 0 : this.#ends[row - 1]!;
		const to = this.#ends[row]!;
		// What stands in front of a text of n bytes is lengthBytes(n) long, and short texts are nearly all there are.
		const head = to - from <= 128 ? 1 : lengthBytes(to - from - lengthBytes(to - from));
		return this.#bytes.toString('utf8', from + head, to);
	}

	#finish(headBytes: number, length: number): void {
		writeLength(this.#bytes, this.#used, length);
		this.#used += headBytes + length;
		if (this.length === this.#ends.length) this.#ends = grown(this.#ends);
		this.#ends[this.length++] = this.#used;
	}

	#reserve(bytes: number): void {
		if (this.#used + bytes <= this.#bytes.length) return;
		const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#used + bytes));
		this.#bytes.copy(larger, 0, 0, this.#used);
		this.#bytes = larger;
	}

	encodePrefix(): readonly Piece[] {
		return NO_PIECES;
	}

	encode(rows?: Uint32Array): readonly Piece[] {
		if (!rows) return [this.#bytes.subarray(0, this.#used)];
		return Array.from(rows, row =>
			this.#bytes.subarray(row === 0 ? 0 : this.#ends[row - 1], this.#ends[row]),
		);
	}
}

/** Version of the dictionary's layout: keys of this block's own. */
const OWN_KEYS_VERSION = 1;
/** Keys follow, and replace those of the block before. */
const HAS_KEYS = 0x600;

/** LowCardinality(String): each different text once, and its number for each row. */
export class Words implements Column {
	readonly type = 'LowCardinality(String)';
	length = 0;
	readonly #numbers = new Map<string, number>();
	#indexes: Uint32Array;
	#lastWord: string | undefined;
	#lastNumber = 0;

	constructor(capacity = FIRST_CAPACITY) {
		this.#indexes = new Uint32Array(capacity);
	}

	push(word: string): void {
		if (word !== this.#lastWord) {
			let number = this.#numbers.get(word);
			if (number === undefined) {
				number = this.#numbers.size;
				this.#numbers.set(word, number);
			}
			this.#lastWord = word;
			this.#lastNumber = number;
		}
		if (this.length === this.#indexes.length) this.#indexes = grown(this.#indexes);
		this.#indexes[this.length++] = this.#lastNumber;
	}

	/** The number of a row's word: as many as there are words, from 0 on. */
	numberAt(row: number): number {
		return this.#indexes[row]!;
	}

	/** By their numbers. */
	words(): string[] {
		return [...this.#numbers.keys()];
	}

	encodePrefix(): readonly Piece[] {
		return [bytesOf(new BigUint64Array([BigInt(OWN_KEYS_VERSION)]))];
	}

	encode(rows?: Uint32Array): readonly Piece[] {
		const length = rows?.length ?? this.length;
		if (length === 0) return NO_PIECES;
		const words = new Texts(this.#numbers.size);
		for (const word of this.#numbers.keys()) words.push(word);
		const isNarrow = words.length <= 2 ** 16;
		const indexes = isNarrow ? new Uint16Array(length) : new Uint32Array(length);
		for (let at = 0; at < length; at++) indexes[at] = this.#indexes[rows ? rows[at]! : at]!;
		return [
			bytesOf(new BigUint64Array([BigInt(HAS_KEYS | (isNarrow ? 1 : 2)), BigInt(words.length)])),
			...words.encode(),
			bytesOf(new BigUint64Array([BigInt(length)])),
			bytesOf(indexes),
		];
	}
}

/** Array(String) and Array(LowCardinality(String)). */
export class Lists implements Column {
	readonly type: string;
	/** Those of all rows, one after the other. */
	readonly values: Texts | Words;
	/** Where each row's values end. */
	#ends: Uint32Array;
	length = 0;

	constructor(values: Texts | Words, capacity = FIRST_CAPACITY) {
		this.type = `Array(${values.type})`;
		this.values = values;
		this.#ends = new Uint32Array(capacity);
	}

	push(values: readonly string[]): void {
		for (const value of values) this.values.push(value);
		if (this.length === this.#ends.length) this.#ends = grown(this.#ends);
		this.#ends[this.length++] = this.values.length;
	}

	/** Where a row's values end, and those of the next begin. */
	endAt(row: number): number {
		return this.#ends[row] ?? 0;
	}

	encodePrefix(): readonly Piece[] {
		return this.values.encodePrefix();
	}

	encode(rows?: Uint32Array): readonly Piece[] {
		const length = rows?.length ?? this.length;
		const ends = new Uint32Array(length * 2);
		const picked: number[] = [];
		let end = 0;
		for (let at = 0; at < length; at++) {
			const row = rows ? rows[at]! : at;
			const from = this.#ends[row - 1] ?? 0;
			const to = this.#ends[row]!;
			end += to - from;
			ends[at * 2] = end;
			if (rows) for (let value = from; value < to; value++) picked.push(value);
		}
		return [bytesOf(ends), ...this.values.encode(rows && Uint32Array.from(picked))];
	}
}

/** How many bytes a length takes: seven bits each, the lowest first. */
export function lengthBytes(length: number): number {
	let bytes = 1;
	for (let rest = length; rest >= 128; rest = Math.floor(rest / 128)) bytes += 1;
	return bytes;
}

export function writeLength(bytes: Uint8Array, offset: number, length: number): void {
	let at = offset;
	let rest = length;
	for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 128;
	bytes[at] = rest;
}
