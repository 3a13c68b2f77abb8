import type {Database} from '../../postgres/database.ts';
import type {JournalRecord} from '../journal/record.ts';
import {KEY_LIFETIME_MS} from './accepted-keys.ts';

const CLEANING_MS = 3_600_000;

/**
 * Which acceptance a key belongs to among all instances of one database. Asked by the drain, so that accepting depends
 * on nothing: the first to be drained keeps the key, and an activity accepted elsewhere under it is left out.
 */
export class SharedKeysStore {
	readonly #database: Database;
	#cleanedMs = 0;

	constructor(database: Database) {
		this.#database = database;
	}

	/** Arrivals of those records whose key another acceptance holds; the same answer however often it is asked. */
	async takenElsewhere(records: readonly JournalRecord[], instance: number): Promise<ReadonlySet<number>> {
		const keyed = records.flatMap(({keys = [], arrival, receivedMs}) =>
			keys.map(key => ({key: key.toString('hex'), arrival, receivedMs})),
		);
		if (keyed.length === 0) return new Set();
		const columns: [string[], number[], number[]] = [
			keyed.map(({key}) => key),
			keyed.map(({arrival}) => arrival),
			keyed.map(({receivedMs}) => receivedMs),
		];
		const mine = `SELECT DISTINCT ON (k) decode(k, 'hex') AS key, ?::integer AS instance, arrival, accepted
			FROM unnest(?::text[], ?::bigint[], ?::bigint[]) AS n (k, arrival, accepted) ORDER BY k, arrival`;
		return this.#database.transaction(async tx => {
			await tx.raw(
				`INSERT INTO activity_keys (key, instance, arrival, accepted_ms) ${mine}
				ON CONFLICT (key) DO UPDATE
				SET instance = excluded.instance, arrival = excluded.arrival, accepted_ms = excluded.accepted_ms
				WHERE activity_keys.accepted_ms <= excluded.accepted_ms - ?`,
				[instance, ...columns, KEY_LIFETIME_MS],
			);
			const {rows} = await tx.raw(
				`SELECT n.arrival FROM unnest(?::text[], ?::bigint[]) AS n (k, arrival)
				JOIN activity_keys held ON held.key = decode(n.k, 'hex')
				WHERE held.instance <> ? OR held.arrival <> n.arrival`,
				[columns[0], columns[1], instance],
			);
			await this.#clean(tx);
			return new Set<number>(rows.map((row: {arrival: number}) => row.arrival));
		});
	}

	/** Twice the lifetime: a journal that could not be drained for days still finds its own keys. */
	async #clean(tx: Parameters<Parameters<Database['transaction']>[0]>[0]): Promise<void> {
		const now = Date.now();
		if (now - this.#cleanedMs < CLEANING_MS) return;
		await tx('activity_keys')
			.where('accepted_ms', '<', now - 2 * KEY_LIFETIME_MS)
			.delete();
		this.#cleanedMs = now;
	}
}
