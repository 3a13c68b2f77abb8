import type {JournalRecord} from '../journal/record.ts';
import {TouchedHours} from '../touched-hours/touched-hours.ts';
import {
	ACTIVITY_COLUMNS,
	ACTIVITY_TABLE,
	type ActivityBlock,
	activityBlock,
	FACT_COLUMNS,
	FACT_TABLE,
	type FactBlock,
	factBlock,
} from './blocks.ts';
import type {WritableRows} from './once-writer.ts';

/** What a batch is written into, in the order of `BatchRows.tables`. */
export const TABLES = [
	{table: FACT_TABLE, columns: FACT_COLUMNS},
	{table: ACTIVITY_TABLE, columns: ACTIVITY_COLUMNS},
] as const;

/** Records by their places in `BatchRows.made`. */
export type Members = readonly number[];

/** A block whose rows know the record they are of. */
class RecordBlock<Block extends FactBlock | ActivityBlock> {
	readonly block: Block;
	/** Where each record's rows end. */
	readonly #ends: number[] = [];

	constructor(block: Block) {
		this.block = block;
	}

	/** What was pushed since the last call is of the next record. */
	end(): void {
		this.#ends.push(this.block.rows);
	}

	/** All rows, or those of these records. */
	rowsOf(members: Members | undefined): WritableRows {
		const {block} = this;
		const positionAt = (row: number) => block.columns.position.textAt(row);
		if (!members) {
			return {count: block.rows, format: 'Native', positionAt, encode: rows => block.encode(rows)};
		}
		const own = this.placesOf(members);
		return {
			count: own.length,
			format: 'Native',
			positionAt: row => positionAt(own[row]!),
			encode: rows => block.encode(rows ? rows.map(row => own[row]!) : own),
		};
	}

	/** Which rows of the block are of these records. */
	placesOf(members: Members): Uint32Array {
		return Uint32Array.from(
			members.flatMap(member => {
				const from = this.#ends[member - 1] ?? 0;
				return Array.from({length: this.#ends[member]! - from}, (_, index) => from + index);
			}),
		);
	}
}

/** All rows of a batch, by table and column. */
export class BatchRows {
	/** Records that have their rows; an association has none. */
	readonly made: JournalRecord[] = [];
	/** Of the facts. */
	readonly touched = new TouchedHours();
	readonly facts: RecordBlock<FactBlock>;
	readonly activities: RecordBlock<ActivityBlock>;
	/** In the order of TABLES. */
	readonly tables: readonly Pick<RecordBlock<FactBlock>, 'rowsOf' | 'end'>[];

	/** Room for the rows of about these records. */
	constructor(records: readonly Pick<JournalRecord, 'rows'>[]) {
		const facts = records.reduce((sum, record) => sum + record.rows, 0);
		this.facts = new RecordBlock(factBlock(facts));
		this.activities = new RecordBlock(activityBlock(records.length));
		this.tables = [this.facts, this.activities];
	}

	/** Everything that was pushed since the last record is of this one. */
	end(record: JournalRecord): void {
		this.made.push(record);
		for (const table of this.tables) table.end();
	}
}
