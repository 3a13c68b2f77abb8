import {
	countingStatement,
	type KeptCount,
	type SpansAsked,
} from '../../analytics/resource-usage/kept-counts.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Secrets} from '../../lib/secrets.ts';
import type {Database} from '../../postgres/database.ts';
import {selectPage} from '../../postgres/page.ts';
import type {Refused} from '../drain/batch.ts';
import {decodeRecord, encodeRecord, type JournalRecord, type ReplayRecord} from '../journal/record.ts';
import type {DeadLetter, OpenedLetter, Reason} from './dead-letters.ts';

const PURPOSE = 'dead letter';
/** A statement has at most 65,535 values, a letter eight. */
const INSERT_ROWS = 1000;

export type ClosedBy = 'replay' | 'removal';

const LISTED = ['id', 'datamart_id', 'reason', 'message', 'received_ms', 'created_ms'];

interface Row {
	readonly id: number;
	readonly datamart_id: number;
	readonly instance: number;
	readonly reason: Reason;
	readonly message: string;
	readonly received_ms: number;
	readonly created_ms: number;
	readonly sealed: Buffer;
}

function fromRow(row: Row): DeadLetter {
	return {
		id: row.id,
		datamartId: row.datamart_id,
		reason: row.reason,
		message: row.message,
		receivedMs: row.received_ms,
		createdMs: row.created_ms,
	};
}

/**
 * What could not be processed after acceptance, with its reason, the whole journal record sealed beside it.
 * A closed letter loses the record and keeps its row (011_dead_letters.sql).
 */
export class DeadLettersStore {
	readonly #database: Database;
	readonly #secrets: Secrets;

	constructor(database: Database, secrets: Secrets) {
		this.#database = database;
		this.#secrets = secrets;
	}

	/** Once for each record and reason, however often a batch is tried. Answers the reasons of those that are new. */
	async keep(refused: readonly Refused[], instance: number): Promise<Reason[]> {
		const rows = refused.map(({record, reason, message}) => ({
			datamart_id: record.datamartId,
			instance,
			arrival: record.arrival,
			reason,
			message,
			received_ms: record.receivedMs,
			created_ms: Date.now(),
			sealed: this.#seal(record),
		}));
		const reasons: Reason[] = [];
		for (let from = 0; from < rows.length; from += INSERT_ROWS) {
			const kept = await this.#database.run(sql =>
				sql('dead_letters')
					.insert(rows.slice(from, from + INSERT_ROWS))
					.onConflict(['instance', 'arrival', 'reason'])
					.ignore()
					.returning('reason'),
			);
			reasons.push(...kept.map(row => row.reason));
		}
		return reasons;
	}

	/** Arrivals in `[from, to]` whose activity is kept as a letter instead of rows: open, replayed or removed. */
	async arrivalsKept(instance: number, from: number, to: number): Promise<Map<number, Reason>> {
		const rows = await this.#database.run(sql =>
			sql('dead_letters')
				.where({instance})
				.whereBetween('arrival', [from, to])
				.whereNot('reason', 'identifier_cap')
				.select('arrival', 'reason'),
		);
		return new Map(rows.map(row => [row.arrival, row.reason]));
	}

	/**
	 * The arrivals of those records that come too late: another record replays their letter already. The first to ask
	 * takes the letter, in whatever instance, and the same one may ask again.
	 */
	async lateReplays(records: readonly ReplayRecord[], instance: number): Promise<Set<number>> {
		const late = new Set<number>();
		for (const {arrival, replay} of records) {
			const letter = await this.#database.transaction(async tx => {
				const letters = () => tx('dead_letters').where({id: replay.letterId});
				await letters()
					.whereNull('replayed_arrival')
					.update({
						replayed_instance: instance,
						replayed_arrival: arrival,
						closed_ms: tx.raw('coalesce(closed_ms, ?)', [Date.now()]),
						closed_by: 'replay',
						sealed: null,
					});
				return letters().first('replayed_instance', 'replayed_arrival');
			});
			const mine = letter?.replayed_instance === instance && letter.replayed_arrival === arrival;
			if (letter && !mine) late.add(arrival);
		}
		return late;
	}

	async list(
		{datamartId, reason}: {readonly datamartId: number; readonly reason: Reason | undefined},
		paging: Paging,
	): Promise<Page<DeadLetter>> {
		return this.#database.run(sql => {
			const query = sql('dead_letters')
				.where({datamart_id: datamartId})
				.whereNull('closed_ms')
				.select(LISTED);
			if (reason) query.where({reason});
			return selectPage(query, 'id', paging, fromRow);
		});
	}

	/** All there ever were by their reasons, replayed and removed ones too. */
	async countBySpan(asked: SpansAsked): Promise<KeptCount[]> {
		const kept = 'SELECT datamart_id, reason AS kind, received_ms AS ms FROM dead_letters';
		const [text, values] = countingStatement(kept, asked);
		const {rows} = await this.#database.run<{rows: KeptCount[]}>(sql => sql.raw(text, [...values] as never));
		return rows;
	}

	/** An open letter of the datamart with its record. */
	async open(datamartId: number, id: number): Promise<OpenedLetter | undefined> {
		const row: Row | undefined = await this.#database.run(sql =>
			sql('dead_letters').where({datamart_id: datamartId, id}).whereNull('closed_ms').first(),
		);
		return row && this.#opened(row);
	}

	#opened(row: Row): OpenedLetter {
		const decoded = decodeRecord(this.#secrets.open(PURPOSE, row.sealed), 0);
		if (!decoded) throw new Error(`dead letter ${row.id} does not hold a record`);
		return {...fromRow(row), instance: row.instance, record: decoded.record};
	}

	#seal(record: JournalRecord): Buffer {
		return this.#secrets.seal(PURPOSE, encodeRecord(record, record.arrival));
	}

	/** How a letter of the datamart was closed; undefined while it is open and where there is none. */
	async closedBy(datamartId: number, id: number): Promise<ClosedBy | undefined> {
		const row = await this.#database.run(sql =>
			sql('dead_letters').where({datamart_id: datamartId, id}).first('closed_by'),
		);
		return row?.closed_by ?? undefined;
	}

	/** Open letters of the datamart behind an id, in order, with their records. */
	async openAfter(datamartId: number, id: number, limit: number): Promise<OpenedLetter[]> {
		const rows: Row[] = await this.#database.run(sql =>
			sql('dead_letters')
				.where({datamart_id: datamartId})
				.where('id', '>', id)
				.whereNull('closed_ms')
				.orderBy('id')
				.limit(limit),
		);
		return rows.map(row => this.#opened(row));
	}

	/** In place of an open letter's record. */
	async replace({id, record}: Pick<OpenedLetter, 'id' | 'record'>): Promise<void> {
		await this.#database.run(sql =>
			sql('dead_letters')
				.where({id})
				.whereNull('closed_ms')
				.update({sealed: this.#seal(record)}),
		);
	}

	/** Whether there was an open letter to close; its activity is forgotten. */
	async close(datamartId: number, id: number, by: ClosedBy): Promise<boolean> {
		const closed = await this.#database.run(sql =>
			sql('dead_letters')
				.where({datamart_id: datamartId, id})
				.whereNull('closed_ms')
				.update({closed_ms: Date.now(), closed_by: by, sealed: null}),
		);
		return closed > 0;
	}
}
