import type {Database, Tx} from '../../postgres/database.ts';
import {lockUserPoints} from '../user-points/user-points.store.ts';

/** What the keys of one step met. */
export interface RemovedKeys {
	/** In the order they were given; those that were somebody's, each once. */
	readonly removed: ReadonlySet<string>;
	/** From here on, epoch ms, an activity with one of them means somebody new. */
	readonly deletedMs: number;
}

/** What was deleted is told apart from what comes later for so long. */
const KEPT_MS = 30 * 86_400_000;
/** They held an identifier's text, sealed. */
const TABLES = ['user_identifiers', 'dead_letters'] as const;

export interface IdentifierDeletionStore {
	/**
	 * Detaches the identifiers of these keys (hexadecimal, each once) from their user points. `within` writes its own part
	 * of the same transaction. On the embedded engine others wait meanwhile: some thousand keys at a time.
	 */
	remove(
		datamartId: number,
		keys: readonly string[],
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
					`DELETE FROM user_identifiers USING unnest(?::text[]) AS k
					WHERE datamart_id = ? AND key = decode(k, 'hex')
					RETURNING id, user_point_id, k AS key`,
					[[...keys], datamartId],
				);
				const outcome = {
					removed: new Set<string>(gone.map((row: {key: string}) => row.key)),
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

interface Gone {
	readonly id: number;
	readonly user_point_id: number;
	readonly key: string;
}

/** Whose each was, for what was accepted before; which ids drains have to forget; one identifier less each. */
async function note(
	tx: Tx,
	datamartId: number,
	keys: readonly string[],
	gone: readonly Gone[],
	deletedMs: number,
): Promise<void> {
	const pointOf = new Map(gone.map(row => [row.key, row.user_point_id]));
	await noteKeys(tx, datamartId, keys, pointOf, deletedMs);
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

/**
 * Nobody else writes while the datamart's lock is held: known keys are asked for first, and the others come in order.
 * With `ON CONFLICT`, and as they come, a key costs PostgreSQL 9.6 us instead of 6.8.
 */
async function noteKeys(
	tx: Tx,
	datamartId: number,
	keys: readonly string[],
	pointOf: ReadonlyMap<string, number>,
	deletedMs: number,
): Promise<void> {
	const {rows} = await tx.raw(
		`SELECT encode(key, 'hex') AS key FROM deleted_identifiers
		WHERE datamart_id = ? AND key = ANY(ARRAY(SELECT decode(k, 'hex') FROM unnest(?::text[]) AS k))`,
		[datamartId, [...keys]],
	);
	const again = new Set<string>(rows.map((row: {key: string}) => row.key));
	const fresh = keys.filter(key => !again.has(key)).sort();
	await tx.raw(
		`INSERT INTO deleted_identifiers (datamart_id, key, deleted_ms, user_point_id)
		SELECT ?, decode(k, 'hex'), ?, nullif(point, 0) FROM unnest(?::text[], ?::bigint[]) AS n (k, point)`,
		[datamartId, deletedMs, fresh, fresh.map(key => pointOf.get(key) ?? 0)],
	);
	if (again.size === 0) return;
	await tx.raw(
		`UPDATE deleted_identifiers AS d SET deleted_ms = ?, user_point_id = coalesce(nullif(point, 0), d.user_point_id)
		FROM unnest(?::text[], ?::bigint[]) AS n (k, point) WHERE d.datamart_id = ? AND d.key = decode(k, 'hex')`,
		[deletedMs, [...again], [...again].map(key => pointOf.get(key) ?? 0), datamartId],
	);
}
