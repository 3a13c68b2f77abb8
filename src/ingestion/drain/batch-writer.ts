import {DomainError} from '../../errors.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import type {JournalRecord} from '../journal/record.ts';
import {type BatchContext, buildRows, type Refused, type TableLines} from './batch.ts';
import type {Line} from './blocks.ts';
import {positionsOfBatch} from './drain.query.ts';
import type {MergeFeed} from './merge-feed.ts';

export interface BatchWriterOptions {
	readonly warehouse: Warehouse;
	readonly mergeFeed: MergeFeed;
	readonly keepDeadLetters: (refused: readonly Refused[], instance: number) => Promise<void>;
}

/** Each is burnt by a crash in the same instant of the same batch. */
const MOST_TOKENS = 8;

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
	 * In doubt, what is there decides, not the engine's memory of tokens: a power cut may lose it, and the engine notes
	 * a token before it shows the rows, so that a kill in between leaves a token without its rows. The batch's own token
	 * goes first: should an earlier try still be under way, one of the two is dropped.
	 */
	async #writeTable(table: TableLines, context: BatchContext, inDoubt: boolean): Promise<void> {
		const token = `${table.table}:${context.instance}:${context.batchId}`;
		if (!inDoubt) return this.#send(table, table.lines, token);
		for (let attempt = 0; attempt < MOST_TOKENS; attempt++) {
			const present = await this.#positionsIn(table.table, context);
			const missing = table.lines.filter(line => !present.has(line.position));
			if (missing.length === 0) return;
			await this.#send(table, missing, attempt === 0 ? token : `${token}:again-${attempt}`);
		}
		throw new DomainError('store_unavailable', `${table.table} takes rows and does not show them`);
	}

	async #send(table: TableLines, lines: readonly Line[], deduplicationToken: string): Promise<void> {
		if (lines.length === 0) return;
		await this.#options.warehouse.write({
			table: table.table,
			columns: table.columns,
			rows: lines.length,
			payload: Buffer.from(lines.map(line => line.text).join('')),
			deduplicationToken,
		});
	}

	async #positionsIn(table: string, {batchId, instance}: BatchContext): Promise<Set<string>> {
		const {rows} = await this.#options.warehouse.read(positionsOfBatch, {table, batchId, instance});
		return new Set(rows.map(row => row.position));
	}
}
