import {DomainError} from '../../errors.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import type {Line} from './blocks.ts';
import {positionsOfBatch} from './drain.query.ts';
import {textOf} from './isolate.ts';

/** Lines of one batch for one table. */
export interface OnceBlock {
	readonly table: string;
	readonly columns: readonly string[];
	readonly lines: readonly Line[];
	/** Names what the table is to have, and nothing else: the journal's range, or that and a digest of places. */
	readonly token: string;
	readonly batchId: number;
	/** Whose rows of that batch the table may have. */
	readonly instances: readonly number[];
	/** An earlier try of the very same batch may have written all or some of it. */
	readonly inDoubt: boolean;
}

/**
 * Writes a batch's lines into a table once. What is missing goes under the same token, since a part is there whole or
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
		const {table, columns, lines, token, inDoubt} = block;
		const present = inDoubt ? await this.#positionsIn(block) : new Set<string>();
		const missing = present.size === 0 ? lines : lines.filter(line => !present.has(line.position));
		if (missing.length === 0) return;
		const times = this.#swallowed.get(token) ?? 0;
		await this.#warehouse.write({
			table,
			columns,
			rows: missing.length,
			payload: textOf(missing),
			deduplicationToken: times === 0 ? token : `${token}:again-${times}`,
		});
		if (!inDoubt) return;
		const stored = await this.#positionsIn(block);
		if (missing.every(line => stored.has(line.position))) return;
		this.#swallowed.set(token, times + 1);
		throw new DomainError('store_unavailable', `${table} knows a token without having its rows`);
	}

	async #positionsIn({table, batchId, instances}: OnceBlock): Promise<Set<string>> {
		const {rows} = await this.#warehouse.read(positionsOfBatch, {table, batchId, instances});
		return new Set(rows.map(row => row.position));
	}
}
