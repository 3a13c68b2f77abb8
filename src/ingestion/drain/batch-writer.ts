import type {Warehouse} from '../../warehouse/warehouse.ts';
import type {JournalRecord} from '../journal/record.ts';
import {type BatchContext, buildRows, type Refused, type TableLines} from './batch.ts';
import {positionsOfBatch} from './drain.query.ts';
import type {MergeFeed} from './merge-feed.ts';

export interface BatchWriterOptions {
	readonly warehouse: Warehouse;
	readonly mergeFeed: MergeFeed;
	readonly keepDeadLetters: (refused: readonly Refused[], instance: number) => Promise<void>;
}

/** Writes one batch into every store; writing it again leaves one copy. */
export class BatchWriter {
	readonly #options: BatchWriterOptions;

	constructor(options: BatchWriterOptions) {
		this.#options = options;
	}

	/** `inDoubt`: an earlier try of the very same batch may have written all or some of it. */
	async write(records: readonly JournalRecord[], context: BatchContext, inDoubt: boolean): Promise<void> {
		const {tables, refused} = await buildRows(records, context);
		if (refused.length > 0) await this.#options.keepDeadLetters(refused, context.instance);
		await this.#options.mergeFeed.follow();
		await Promise.all(tables.map(table => this.#writeTable(table, context, inDoubt)));
	}

	/**
	 * The token names instance and journal range and suffices after a crash of the process; the look at what is there
	 * covers a lost token log (a power cut). What is missing then goes under a token of its own.
	 */
	async #writeTable(table: TableLines, context: BatchContext, inDoubt: boolean): Promise<void> {
		const present = inDoubt ? await this.#positionsIn(table.table, context) : new Set<string>();
		const missing =
			present.size === 0 ? table.lines : table.lines.filter(line => !present.has(line.position));
		if (missing.length === 0) return;
		const token = `${table.table}:${context.instance}:${context.batchId}`;
		await this.#options.warehouse.write({
			table: table.table,
			columns: table.columns,
			rows: missing.length,
			payload: Buffer.from(missing.map(line => line.text).join('')),
			deduplicationToken: present.size === 0 ? token : `${token}:without-${present.size}`,
		});
	}

	async #positionsIn(table: string, {batchId, instance}: BatchContext): Promise<Set<string>> {
		const {rows} = await this.#options.warehouse.read(positionsOfBatch, {table, batchId, instance});
		return new Set(rows.map(row => row.position));
	}
}
