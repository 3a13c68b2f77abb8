import {
	type Column,
	LargeIntegers,
	Lists,
	lengthBytes,
	SmallIntegers,
	Texts,
	Words,
	writeLength,
} from './columns.ts';

/** The types a block can have, each by the column that is filled with its values. */
interface ColumnOf {
	UInt16: SmallIntegers;
	UInt32: SmallIntegers;
	UInt64: LargeIntegers;
	Int64: LargeIntegers;
	String: Texts;
	'LowCardinality(String)': Words;
	'Array(String)': Lists;
	'Array(LowCardinality(String))': Lists;
}

export type ColumnType = keyof ColumnOf;
export type BlockSchema = Readonly<Record<string, ColumnType>>;

const MAKE: {[Type in ColumnType]: (capacity: number) => ColumnOf[Type]} = {
	UInt16: capacity => new SmallIntegers('UInt16', capacity),
	UInt32: capacity => new SmallIntegers('UInt32', capacity),
	UInt64: capacity => new LargeIntegers('UInt64', capacity),
	Int64: capacity => new LargeIntegers('Int64', capacity),
	String: capacity => new Texts(capacity),
	'LowCardinality(String)': capacity => new Words(capacity),
	'Array(String)': capacity => new Lists(new Texts(capacity), capacity),
	'Array(LowCardinality(String))': capacity => new Lists(new Words(capacity), capacity),
};

/**
 * Rows by column, as ClickHouse's Native format has them. The writer pushes one value into every column for each row.
 * `capacity`: how many rows are expected.
 */
export class NativeBlock<Schema extends BlockSchema> {
	readonly columns: {readonly [Name in keyof Schema]: ColumnOf[Schema[Name]]};
	readonly #columns: readonly (readonly [name: string, column: Column])[];

	constructor(schema: Schema, capacity: number) {
		const columns = Object.entries(schema).map(
			([name, type]) => [name, MAKE[type](Math.max(1, capacity))] as const,
		);
		this.#columns = columns;
		this.columns = Object.fromEntries(columns) as unknown as typeof this.columns;
	}

	get rows(): number {
		return this.#columns[0]![1].length;
	}

	/** The block as bytes; of `rows` alone, in their order, where they are given. */
	encode(rows?: Uint32Array): Buffer {
		const count = rows?.length ?? this.rows;
		const head = [...lengthPrefixed(this.#columns.length), ...lengthPrefixed(count)];
		const pieces: Uint8Array[] = [Uint8Array.from(head)];
		for (const [name, column] of this.#columns) {
			if (column.length !== this.rows) throw new Error(`${name} has ${column.length} of ${this.rows} rows`);
			pieces.push(textPiece(name), textPiece(column.type));
			if (count > 0) pieces.push(...column.encodePrefix(), ...column.encode(rows));
		}
		return Buffer.concat(pieces);
	}
}

function lengthPrefixed(length: number): Uint8Array {
	const bytes = new Uint8Array(lengthBytes(length));
	writeLength(bytes, 0, length);
	return bytes;
}

function textPiece(text: string): Uint8Array {
	return Buffer.concat([lengthPrefixed(Buffer.byteLength(text)), Buffer.from(text)]);
}
