import {createHash} from 'node:crypto';
import type {Watched} from '../../analytics/autocomplete/counted.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import type {Reason} from '../dead-letters/dead-letters.ts';
import {type JournalRecord, placeOf, type ReplayRecord} from '../journal/record.ts';
import type {TellTouched} from '../touched-hours/touched-hours.ts';
import {type BatchContext, buildRows, type Refused} from './batch.ts';
import {type BatchRows, type Members, TABLES} from './batch-rows.ts';
import {isRefusal, refusedBy} from './isolate.ts';
import type {MergeFeed} from './merge-feed.ts';
import {OnceWriter, type WritableRows} from './once-writer.ts';
import type {ValueWriter} from './value-writer.ts';

export interface BatchWriterOptions {
	readonly warehouse: Warehouse;
	readonly mergeFeed: MergeFeed;
	readonly letters: Letters;
	readonly values: ValueWriter;
	/** Whom kept answers are compared with. */
	readonly touched: Pick<TellTouched, 'begin' | 'end'>;
	/** Present where other instances share the stores. */
	readonly sharedKeys?: SharedKeys | undefined;
}

/** What the writer asks of the keys that instances share. */
export interface SharedKeys {
	/** Arrivals of those records that another acceptance holds a key of. */
	takenElsewhere(records: readonly JournalRecord[], instance: number): Promise<ReadonlySet<number>>;
}

/** What the writer asks of the dead letters. */
export interface Letters {
	/** Keeps each record once for a reason, however often it is refused. */
	keep(refused: readonly Refused[], instance: number): Promise<void>;
	/** Arrivals in `[from, to]` that are kept as letters instead of rows, and why. */
	arrivalsKept(instance: number, from: number, to: number): Promise<ReadonlyMap<number, Reason>>;
	/** Arrivals of those records whose letter another record has replayed already. */
	lateReplays(records: readonly ReplayRecord[], instance: number): Promise<ReadonlySet<number>>;
}

/** What is going to be written of some records, and those that never will be. */
export interface PreparedBatch {
	readonly rows: BatchRows;
	readonly refused: readonly Refused[];
	/** All records of the journal's range have their rows here. */
	readonly whole: boolean;
}

interface HowToWrite {
	/** All records of the journal's range have their rows here. */
	readonly whole: boolean;
	readonly inDoubt: boolean;
	/** Without the others; absent: all that were made. */
	readonly members?: Members;
}

/** A refused batch is taken apart from this try on: a refusal may also come from a statement that was unlucky. */
const ISOLATE_AT_REFUSAL = 2;

/** Writes one batch into every store; writing it again leaves one copy. */
export class BatchWriter {
	readonly #options: BatchWriterOptions;
	/** Refusals in a row of the batch in hand. */
	#refusals = {batchId: 0, count: 0};
	readonly #once: OnceWriter;

	constructor(options: BatchWriterOptions) {
		this.#options = options;
		this.#once = new OnceWriter(options.warehouse);
	}

	/**
	 * Rows of a batch, its people placed; nothing is written where they are counted. May be done while the batch before
	 * is being written, as long as no record replays a letter: what became of the letter is known afterwards.
	 */
	async prepare(
		records: readonly JournalRecord[],
		context: BatchContext,
		inDoubt: boolean,
	): Promise<PreparedBatch> {
		const left = await this.#withoutSettled(records, context, inDoubt);
		const {rows, refused} = await buildRows(left, context);
		return {rows, refused, whole: rows.made.length === records.length};
	}

	/** Which counts of values are reported; see `ValueWriter.watch`. */
	watch(watched: readonly Watched[]): Promise<void> {
		return this.#options.values.watch(watched);
	}

	/**
	 * `inDoubt`: an earlier try of the very same batch may have written all or some of it. `signal` ends the search for
	 * an offender, with an error like any other. `sent` is called once the stores have the work.
	 */
	async write(
		{rows, refused, whole}: PreparedBatch,
		context: BatchContext,
		{inDoubt, signal, sent}: {inDoubt: boolean; signal: AbortSignal; sent: () => void},
	): Promise<void> {
		const {letters, mergeFeed, touched, values} = this.#options;
		await values.ready();
		if (refused.length > 0) await letters.keep(refused, context.instance);
		await touched.begin(rows.touched);
		await mergeFeed.follow();
		if (!inDoubt) {
			this.#once.begin();
			values.begin();
		}
		const writing = this.#writeTables(rows, context, {whole, inDoubt});
		sent();
		const errors = await writing;
		if (errors.every(error => error === undefined)) {
			await this.#countValues(rows, context, {whole, inDoubt});
			return touched.end();
		}
		const members = await this.#withoutOffenders(rows, context, errors, signal);
		const others = await this.#writeTables(rows, context, {whole: false, inDoubt: true, members});
		for (const error of others) if (error !== undefined) throw error;
		await this.#countValues(rows, context, {whole: false, inDoubt, members});
		await touched.end();
	}

	/**
	 * A record that is kept as a letter stays one, even where a later version could make rows of it: a replay of the
	 * letter would count it twice. Of several replays of one letter the first is written.
	 */
	async #withoutSettled(
		records: readonly JournalRecord[],
		context: BatchContext,
		inDoubt: boolean,
	): Promise<readonly JournalRecord[]> {
		const {letters, sharedKeys} = this.#options;
		const {instance} = context;
		const taken = (await sharedKeys?.takenElsewhere(records, instance)) ?? new Set<number>();
		const replays = records.filter(isReplay);
		const late = replays.length > 0 ? await letters.lateReplays(replays, instance) : new Set<number>();
		const [first, last] = [records.at(0)!.arrival, records.at(-1)!.arrival];
		const kept = inDoubt ? await letters.arrivalsKept(instance, first, last) : new Map<number, Reason>();
		if (late.size + kept.size + taken.size === 0) return records;
		// A crash may have come between keeping the letter and taking its rows back.
		const offenders = records.filter(({arrival}) => kept.get(arrival) === 'rows_refused');
		if (offenders.length > 0) await this.#takeBack(offenders, context);
		return records.filter(({arrival}) => !late.has(arrival) && !kept.has(arrival) && !taken.has(arrival));
	}

	/** What went wrong with each table, undefined where it has its rows. */
	#writeTables(rows: BatchRows, context: BatchContext, how: HowToWrite): Promise<unknown[]> {
		return Promise.all(
			TABLES.map((_, place) =>
				this.#writeTable(place, rows, context, how).then(
					() => undefined,
					error => error,
				),
			),
		);
	}

	async #writeTable(place: number, batch: BatchRows, context: BatchContext, how: HowToWrite): Promise<void> {
		const records = recordsOf(batch, how);
		if (records.length === 0) return;
		const {table, columns} = TABLES[place]!;
		const rows = batch.tables[place]!.rowsOf(how.members);
		const token = `${table}:${nameOf(records, rows, context, how)}`;
		const stamped = records.flatMap(({replay}) => replay?.stamp?.instance ?? []);
		const instances = [...new Set([context.instance, ...stamped])];
		const {batchId} = context;
		await this.#once.write({table, columns, rows, token, batchId, instances, inDoubt: how.inDoubt});
	}

	/** Once all tables have what they are going to have. */
	async #countValues(batch: BatchRows, context: BatchContext, how: HowToWrite): Promise<void> {
		const records = recordsOf(batch, how);
		if (records.length === 0) return;
		const {facts} = batch;
		await this.#options.values.write({
			facts: facts.block,
			rows: how.members && facts.placesOf(how.members),
			instance: context.instance,
			batchId: context.batchId,
			name: nameOf(records, facts.rowsOf(how.members), context, how),
			inDoubt: how.inDoubt,
		});
	}

	/**
	 * The batch without those records that a table refuses, which have become dead letters; throws what went wrong where
	 * no record is to blame. Rows of an offender that another table took are taken back, so that its replay, which comes
	 * behind this batch, finds them nowhere.
	 */
	async #withoutOffenders(
		rows: BatchRows,
		context: BatchContext,
		errors: readonly unknown[],
		signal: AbortSignal,
	): Promise<Members> {
		const {warehouse, letters} = this.#options;
		const {batchId, instance} = context;
		const failed = errors.filter(error => error !== undefined);
		const other = failed.find(error => !isRefusal(error));
		if (other !== undefined) throw other;
		const count = this.#refusals.batchId === batchId ? this.#refusals.count + 1 : 1;
		this.#refusals = {batchId, count};
		if (count < ISOLATE_AT_REFUSAL) throw failed[0];

		const all = rows.made.map((_, member) => member);
		const offenders = new Map<number, string>();
		for (const [place, error] of errors.entries()) {
			if (error === undefined) continue;
			for (const member of await refusedBy(warehouse, place, rows, all, {instance, signal})) {
				offenders.set(member, (error as Error).message);
			}
		}
		if (offenders.size === 0) throw failed[0];
		const refused = [...offenders].map(
			([member, message]): Refused => ({record: rows.made[member]!, reason: 'rows_refused', message}),
		);
		await letters.keep(refused, instance);
		if (failed.length < TABLES.length) {
			await this.#takeBack(
				refused.map(({record}) => record),
				context,
			);
		}
		return all.filter(member => !offenders.has(member));
	}

	async #takeBack(records: readonly JournalRecord[], {batchId, instance}: BatchContext): Promise<void> {
		const stamps = records.map(record => placeOf(record, instance));
		for (const {table} of TABLES) {
			await this.#options.warehouse.command(
				`DELETE FROM ${table} WHERE batch_id = {batchId:UInt64}
				AND has(arrayZip({arrivals:Array(UInt64)}, {instances:Array(UInt16)}), (arrival, instance))`,
				{
					batchId,
					arrivals: stamps.map(stamp => stamp.arrival),
					instances: stamps.map(stamp => stamp.instance),
				},
			);
		}
	}
}

function isReplay(record: JournalRecord): record is ReplayRecord {
	return record.replay !== undefined;
}

function recordsOf({made}: BatchRows, {members}: HowToWrite): readonly JournalRecord[] {
	return members ? members.map(member => made[member]!) : made;
}

/** Instance and journal range where that is all of the range, and a digest of the rows' places otherwise. */
function nameOf(
	records: readonly JournalRecord[],
	rows: WritableRows,
	{instance, batchId}: BatchContext,
	{whole}: HowToWrite,
): string {
	const last = records.reduce((latest, {arrival}) => Math.max(latest, arrival), 0);
	const range = `${instance}:${batchId}-${last}`;
	return whole ? range : `${range}:${digest(rows)}`;
}

/** Of what rows are, not of what they say nor of how they are ordered: 16 hexadecimal digits. */
function digest(rows: WritableRows): string {
	const positions = Array.from({length: rows.count}, (_, row) => rows.positionAt(row)).sort();
	return createHash('sha256').update(positions.join()).digest('hex').slice(0, 16);
}
