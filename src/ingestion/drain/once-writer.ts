import {DomainError} from '../../errors.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {positionsOfBatch} from './drain.query.ts';

/** Rows on their way into a table, each known there by its place in the total order. */
export interface WritableRows {
	readonly count: number;
	readonly format: 'TabSeparated' | 'Native';
	/** In digits. */
	positionAt(row: number): string;
	/** As bytes; of `rows` alone where they are given. */
	encode(rows?: Uint32Array): Buffer;
}

/** A row as TabSeparated text. */
export interface Line {
	readonly position: string;
	readonly text: string;
}

export function textRows(lines: readonly Line[]): WritableRows {
	const textOf = (some: readonly Line[]) => Buffer.from(some.map(line => line.text).join(''));
	return {
		count: lines.length,
		format: 'TabSeparated',
		positionAt: row => lines[row]!.position,
		encode: rows => textOf(rows ? Array.from(rows, row => lines[row]!) : lines),
	};
}

/** Rows of one batch for one table. */
export interface OnceBlock {
	readonly table: string;
	readonly columns: readonly string[];
	readonly rows: WritableRows;
	/** Names what the table is to have, and nothing else: the journal's range, or that and a digest of places. */
	readonly token: string;
	readonly batchId: number;
	/** Whose rows of that batch the table may have. */
	readonly instances: readonly number[];
	/** An earlier try of the very same batch may have written all or some of it. */
	readonly inDoubt: boolean;
	/** Places of the batch's rows that the table has; absent: the table keeps a batch and a position for each row. */
	readonly present?: () => Promise<readonly string[]>;
}

/**
 * Writes a batch's rows into a table once. What is missing goes under the same token, since a part is there whole or
 * not at all: an earlier insert that a server still carries out drops out or drops this one. The look at what is there
 * covers a lost token log (a power cut), and a token noted by an engine that was killed before it kept the rows: those
 * go under the next token at the next try.
 */
export class OnceWriter {
	readonly #warehouse: Warehouse;
	/** Tokens of the batch in hand that the store knows without having their rows, and how often one was tried. */
	readonly #swallowed = new Map<string, number>();

	constructor(warehouse: Warehouse) {
		this.#warehouse = warehouse;
	}

	/** Another batch is in hand. */
	begin(): void {
		this.#swallowed.clear();
	}

	async write(block: OnceBlock): Promise<void> {
		const {table, columns, rows, token, inDoubt} = block;
		const missing = inDoubt ? missingRows(rows, await this.#positionsIn(block)) : undefined;
		const count = missing?.length ?? rows.count;
		if (count === 0) return;
		const times = this.#swallowed.get(token) ?? 0;
		await this.#warehouse.write({
			table,
			columns,
			rows: count,
			format: rows.format,
			payload: rows.encode(missing),
			deduplicationToken: times === 0 ? token : `${token}:again-${times}`,
		});
		if (!inDoubt || missingRows(rows, await this.#positionsIn(block)).length === 0) return;
		this.#swallowed.set(token, times + 1);
		throw new DomainError('store_unavailable', `${table} knows a token without having its rows`);
	}

	async #positionsIn({table, batchId, instances, present}: OnceBlock): Promise<Set<string>> {
		if (present) return new Set(await present());
		const {rows} = await this.#warehouse.read(positionsOfBatch, {table, batchId, instances});
		return new Set(rows.map(row => row.position));
	}
}

function missingRows(rows: WritableRows, present: ReadonlySet<string>): Uint32Array {
	const all = Array.from({length: rows.count}, (_, row) => row);
	return Uint32Array.from(all.filter(row => !present.has(rows.positionAt(row))));
}
