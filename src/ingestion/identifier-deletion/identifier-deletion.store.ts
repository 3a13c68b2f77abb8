import type {Database, Tx} from '../../postgres/database.ts';
import {lockUserPoints} from '../user-points/user-points.store.ts';

/** Keys lie one behind the other, so many bytes each. */
const KEY_BYTES = 16;

/** What the keys of one step met. */
export interface RemovedKeys {
	/** Places, from 0, of those that were somebody's. */
	readonly removed: readonly number[];
	/** From here on, epoch ms, an activity with one of them means somebody new. */
	readonly deletedMs: number;
}

/** What was deleted is told apart from what comes later for so long. */
const KEPT_MS = 30 * 86_400_000;
/** They held an identifier's text, sealed. */
const TABLES = ['user_identifiers', 'dead_letters'] as const;

export interface IdentifierDeletionStore {
	/**
	 * Detaches the identifiers of these keys (`KEY_BYTES` each, each once, best in order) from their user points. `within`
	 * writes its own part of the same transaction. On the embedded engine others wait meanwhile: some thousand keys at a time.
	 */
	remove(
		datamartId: number,
		keys: Buffer,
		within: (transaction: unknown, outcome: RemovedKeys) => Promise<void>,
	): Promise<RemovedKeys>;
	/** When those of the keys that were deleted were, by key. */
	deletedMs(datamartId: number, keys: readonly string[]): Promise<Map<string, number>>;
	/** Takes the room of deleted rows from the tables that held them; false where there was no time for it. */
	vacuum(): Promise<boolean>;
	/** Forgets what was deleted 30 days ago. */
	prune(nowMs: number): Promise<void>;
}

export function identifierDeletionStore(database: Database): IdentifierDeletionStore {
	return {
		remove: (datamartId, keys, within) =>
			database.transaction(async tx => {
				await lockUserPoints(tx, datamartId);
				const {rows: gone} = await tx.raw(
					`DELETE FROM user_identifiers AS u USING ${KEYS} AS k
					WHERE datamart_id = ? AND u.key = k.key
					RETURNING u.id, user_point_id, i`,
					[keys, countOf(keys), datamartId],
				);
				const outcome = {
					removed: gone.map(({i}: Gone) => i - 1),
					deletedMs: Date.now(),
				};
				await note(tx, datamartId, keys, gone, outcome.deletedMs);
				await within(tx, outcome);
				return outcome;
			}),

		async deletedMs(datamartId, keys) {
			const {rows} = await database.run(sql =>
				sql.raw(
					`SELECT encode(key, 'hex') AS key, deleted_ms FROM deleted_identifiers
					WHERE datamart_id = ? AND key IN (SELECT decode(k, 'hex') FROM unnest(?::text[]) AS k)`,
					[datamartId, [...keys]],
				),
			);
			return new Map(rows.map((row: {key: string; deleted_ms: number}) => [row.key, row.deleted_ms]));
		},

		async vacuum() {
			try {
				for (const table of TABLES) await database.run(sql => sql.raw('VACUUM ??', [table]));
				return true;
			} catch {
				// Another one runs, or a statement's time is over: autovacuum comes to it.
				return false;
			}
		},

		async prune(nowMs) {
			const before = nowMs - KEPT_MS;
			const due = await database.run(sql =>
				sql('identifier_deletions').where('deleted_ms', '<', before).first('revision'),
			);
			if (!due) return;
			await database.run(sql => sql('deleted_identifiers').where('deleted_ms', '<', before).delete());
			await database.run(sql => sql('identifier_deletions').where('deleted_ms', '<', before).delete());
		},
	};
}

/** Bytes, since as texts of an array keys cost both sides more. Binding: the keys; `i`: a place, from 1. */
const KEY = `substring(?::bytea FROM i::integer * ${KEY_BYTES} - ${KEY_BYTES - 1} FOR ${KEY_BYTES})`;
/** Keys and their places. Bindings: the keys, their number. */
const KEYS = `(SELECT i, ${KEY} AS key FROM generate_series(1, ?::integer) AS i)`;
/** The same with whose they were. Bindings: the keys, `Noted.points` as an array's text. */
const POINTS = `(SELECT ${KEY} AS key, nullif(point, 0) AS point FROM unnest(?::bigint[]) WITH ORDINALITY AS n (point, i))`;

const countOf = (keys: Buffer) => keys.length / KEY_BYTES;

interface Gone {
	readonly id: number;
	readonly user_point_id: number;
	readonly i: number;
}

/** Whose each was, for what was accepted before; which ids drains have to forget; one identifier less each. */
async function note(
	tx: Tx,
	datamartId: number,
	keys: Buffer,
	gone: readonly Gone[],
	deletedMs: number,
): Promise<void> {
	const points = new Array<number>(countOf(keys)).fill(0);
	for (const {i, user_point_id: point} of gone) points[i - 1] = point;
	await noteKeys(tx, datamartId, {keys, points}, deletedMs);
	await tx.raw(
		`WITH next AS (UPDATE identifier_deletion_revision SET revision = revision + 1 RETURNING revision)
		INSERT INTO identifier_deletions (revision, datamart_id, deleted_ms, identifier_ids)
		SELECT revision, ?, ?, ? FROM next`,
		[datamartId, deletedMs, gone.map(({id}) => id)],
	);
	const gonePer = new Map<number, number>();
	for (const {user_point_id: point} of gone) gonePer.set(point, (gonePer.get(point) ?? 0) + 1);
	// Nearly always one each: a statement for each number looks points up by their ids instead of reading them all.
	for (const count of new Set(gonePer.values())) {
		const points = [...gonePer.keys()].filter(point => gonePer.get(point) === count);
		await tx.raw('UPDATE user_points SET identifiers = identifiers - ? WHERE id = ANY(?::bigint[])', [
			count,
			points,
		]);
	}
}

interface Noted {
	readonly keys: Buffer;
	/** Whose they were, key by key; 0 for nobody's. */
	readonly points: readonly number[];
}

/**
 * Nobody else writes while the datamart's lock is held: known keys are asked for first, and the others come in order.
 * With `ON CONFLICT`, and as they come, a key costs PostgreSQL 9.6 us instead of 6.8.
 */
async function noteKeys(tx: Tx, datamartId: number, noted: Noted, deletedMs: number): Promise<void> {
	const {keys} = noted;
	const {rows} = await tx.raw(
		`SELECT encode(key, 'hex') AS key FROM deleted_identifiers WHERE datamart_id = ? AND key = ANY(ARRAY(SELECT key FROM ${KEYS} AS k))`,
		[datamartId, keys, countOf(keys)],
	);
	const known = new Set<string>(rows.map((row: {key: string}) => row.key));
	const [fresh, again] = known.size > 0 ? split(noted, known) : [noted];
	await tx.raw(
		`INSERT INTO deleted_identifiers (datamart_id, key, deleted_ms, user_point_id)
		SELECT ?, key, ?, point FROM ${POINTS} AS k`,
		[datamartId, deletedMs, fresh.keys, arrayOf(fresh.points)],
	);
	if (!again) return;
	await tx.raw(
		`UPDATE deleted_identifiers AS d SET deleted_ms = ?, user_point_id = coalesce(point, d.user_point_id)
		FROM ${POINTS} AS k WHERE d.datamart_id = ? AND d.key = k.key`,
		[deletedMs, again.keys, arrayOf(again.points), datamartId],
	);
}

/** In one piece: the driver would make it number by number. */
const arrayOf = (numbers: readonly number[]) => `{${numbers.join()}}`;

/** Those that are not among the known ones, and those that are. */
function split({keys, points}: Noted, known: ReadonlySet<string>): readonly [Noted, Noted] {
	const places = points.map((_, place) => place);
	const keyAt = (place: number) => keys.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES);
	const part = (isKnown: boolean) => {
		const its = places.filter(place => known.has(keyAt(place).toString('hex')) === isKnown);
		return {keys: Buffer.concat(its.map(keyAt)), points: its.map(place => points[place]!)};
	};
	return [part(false), part(true)];
}
