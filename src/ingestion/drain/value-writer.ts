import type {CountedBatch, Watched} from '../../analytics/autocomplete/counted.ts';
import {VALUE_TABLE} from '../../analytics/autocomplete/value-table.ts';
import {LocalDays} from '../../lib/local-days.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import type {FactBlock} from './blocks.ts';
import {partsOfBatch} from './drain.query.ts';
import {OnceWriter} from './once-writer.ts';
import {countValues, VALUE_COLUMNS} from './value-rows.ts';
import {WatchedValues} from './watched-values.ts';

/** Time zones of these datamarts, and maybe of others. */
export type ZonesOf = (datamartIds: readonly number[]) => Promise<ReadonlyMap<number, string>>;

export interface ValueWriterOptions {
	readonly warehouse: Warehouse;
	readonly zonesOf: ZonesOf;
	/** Counts what is older than the table of values; resolves at once where that has been done. */
	readonly countOlder: () => Promise<void>;
	/** Told what is in the table now of what is watched; once more where a batch is written once more. */
	readonly onCounted?: (batch: CountedBatch) => void;
}

/** The facts of a batch, as the store has them. */
export interface WrittenFacts {
	readonly facts: FactBlock;
	/** Those that were written; absent: all. */
	readonly rows?: Uint32Array | undefined;
	readonly instance: number;
	readonly batchId: number;
	/** Names these rows and no others: the journal's range, or that and a digest. */
	readonly name: string;
	/** An earlier try may have counted them already. */
	readonly inDoubt: boolean;
}

/**
 * Counts of a batch's facts by value and day, once. They come behind the facts: a record that no table takes is never
 * counted, and none has to be taken back. A partition has all counts of a batch or none, and a mark beside them.
 */
export class ValueWriter {
	readonly #options: ValueWriterOptions;
	readonly #once: OnceWriter;
	readonly #daysByZone = new Map<string, LocalDays>();
	readonly #watched = new WatchedValues();
	#writing: Promise<void> = Promise.resolve();
	#older: Promise<void> | undefined;

	constructor(options: ValueWriterOptions) {
		this.#options = options;
		this.#once = new OnceWriter(options.warehouse);
	}

	/** To be awaited before the first facts of this process are written: they would be counted twice. */
	ready(): Promise<void> {
		this.#older ??= this.#options.countOlder().catch(error => {
			this.#older = undefined;
			throw error;
		});
		return this.#older;
	}

	/**
	 * Of these and no others `onCounted` is told. Resolves once every batch that is not in the table by then is going to
	 * be: what is being written was gathered before.
	 */
	async watch(watched: readonly Watched[]): Promise<void> {
		this.#watched.watch(watched);
		await this.#writing.catch(() => undefined);
	}

	/** Another batch is in hand. */
	begin(): void {
		this.#once.begin();
	}

	write(written: WrittenFacts): Promise<void> {
		if ((written.rows?.length ?? written.facts.rows) === 0) return Promise.resolve();
		this.#writing = this.#write(written);
		return this.#writing;
	}

	async #write({facts, rows, instance, batchId, name, inDoubt}: WrittenFacts): Promise<void> {
		const daysOf = await this.#daysOf(facts);
		const watched = this.#watched.gather();
		const block = countValues(facts, {instance, batchId, daysOf}, rows, watched);
		await this.#once.write({
			table: VALUE_TABLE,
			columns: VALUE_COLUMNS,
			rows: {
				count: block.rows,
				format: 'Native',
				positionAt: row => String(block.columns.part.at(row)),
				encode: picked => block.encode(picked),
			},
			token: `${VALUE_TABLE}:${name}`,
			batchId,
			instances: [instance],
			inDoubt,
			present: async () => {
				const counted = await this.#options.warehouse.read(partsOfBatch, {
					instance: String(instance),
					batchId,
				});
				return counted.rows.map(({part}) => part);
			},
		});
		const counted = watched.list;
		if (counted.length > 0) this.#options.onCounted?.({batchId, counted});
	}

	async #daysOf({columns}: FactBlock): Promise<(datamartId: number) => LocalDays> {
		const ids = new Set<number>();
		for (let row = 0; row < columns.datamart_id.length; row++) ids.add(columns.datamart_id.at(row));
		const zones = await this.#options.zonesOf([...ids]);
		return datamartId => {
			const zone = zones.get(datamartId)!;
			let days = this.#daysByZone.get(zone);
			if (!days) {
				days = new LocalDays(zone);
				this.#daysByZone.set(zone, days);
			}
			return days;
		};
	}
}
