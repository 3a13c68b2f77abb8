import type {Knex} from 'knex';
import {
	countingStatement,
	type KeptCount,
	type SpansAsked,
} from '../../analytics/resource-usage/kept-counts.ts';
import type {Secrets} from '../../lib/secrets.ts';
import type {Database} from '../../postgres/database.ts';
import {assignUserPoints} from './assign.ts';
import {canonical, type Identifier, type IdentifierKind, identifierKey} from './identifiers.ts';
import {writeAssignment} from './write-assignment.store.ts';

/** An identifier as stored: what facts and raw activities refer to. */
export interface StoredIdentifier {
	readonly identifierId: number;
	readonly userPointId: number;
	/** The address it came with this time. */
	readonly email?: string | undefined;
	/** Receipt of the activity that brought it: one received before may mean another, deleted since. */
	readonly createdMs?: number;
}

export interface ReadIdentifier extends Identifier {
	readonly identifierId: number;
	readonly userPointId: number;
	readonly createdMs: number;
}

/** One activity's identifiers, as the store is asked to place them. */
export interface Placing {
	readonly identifiers: readonly Identifier[];
	readonly receivedMs: number;
}

export interface Placed {
	/** 0: it has no identifier, or none that is not deleted, or `isFull`. */
	readonly userPointId: number;
	/** The cap refused its identifiers. */
	readonly isFull?: boolean;
	/** Ids of those identifiers that are stored, by canonical text. */
	readonly identifiers: ReadonlyMap<string, StoredIdentifier>;
}

export interface Merge {
	readonly sequence: number;
	readonly userPointId: number;
	readonly intoUserPointId: number;
}

const TEXT_PURPOSE = 'identifier text';
/** First half of the transaction lock's key: user points of a datamart (the second half). */
const LOCK_SPACE = 7001;
/** Stands before the key of an identifier as it was before its deletion. */
const FORMER = 'former:';

interface IdentifierRow {
	id: number;
	key: string;
	user_point_id: number;
	created_ms: number;
}

/** What is left of a deleted identifier. */
interface Deleted {
	readonly deletedMs: number;
	/** Whose it was, merges followed; undefined where nobody had it. */
	readonly userPointId: number | undefined;
}

/** Takes the datamart's identifiers for the rest of the transaction, whichever instance asks. */
export async function lockUserPoints(transaction: Knex, datamartId: number): Promise<void> {
	await transaction.raw('SELECT pg_advisory_xact_lock(?, ?)', [LOCK_SPACE, datamartId]);
}

/** User points and identifiers in PostgreSQL. Whole batches, one transaction each, never a round trip an activity. */
export class UserPointsStore {
	readonly #database: Database;
	readonly #secrets: Secrets;

	constructor(database: Database, secrets: Secrets) {
		this.#database = database;
		this.#secrets = secrets;
	}

	/** The keyed hash an identifier is looked up by, as hexadecimal text. */
	keyOf(identifier: Identifier): string {
		return identifierKey(this.#secrets, identifier).toString('hex');
	}

	/**
	 * Places a batch of activities of one datamart. The datamart's lock makes concurrent first activities of one new
	 * identifier meet in one user point, whichever instance drains them. An activity that was received before one of its
	 * identifiers was deleted belongs to whom it was of then, and does not bring it back (ADR 27).
	 */
	async place(datamartId: number, placings: readonly Placing[]): Promise<Placed[]> {
		const named = placings.map(({identifiers}) => identifiers.map(identifier => this.keyOf(identifier)));
		const asked = [...new Set(named.flat())];
		return this.#database.transaction(async transaction => {
			await lockUserPoints(transaction, datamartId);
			const rows = await this.#readKeys(transaction, datamartId, asked);
			const deleted = await this.#readDeleted(transaction, datamartId, asked);
			const {keyed, keys} = withoutDeleted(placings, named, deleted);
			const known = new Map(rows.map(row => [row.key, {userPointId: row.user_point_id}]));
			for (const [key, {userPointId}] of deleted) {
				if (userPointId !== undefined) known.set(FORMER + key, {userPointId});
			}
			const points = [...known.values()].map(({userPointId}) => userPointId);
			const sizes = await this.#readSizes(transaction, points);
			const open = [...keyed.keys()].filter(index => keyed[index]!.length > 0);
			const assignment = assignUserPoints(
				open.map(index => keyed[index]!),
				known,
				sizes,
			);
			const seal = (identifier: Identifier) => this.#seal(identifier);
			const userPointId = await writeAssignment(transaction, datamartId, assignment, keys, seal);
			const stored = new Map(rows.map(row => [row.key, row]));
			if (assignment.joined.size > 0) {
				const fresh = await this.#readKeys(transaction, datamartId, [...assignment.joined.keys()]);
				for (const row of fresh) stored.set(row.key, row);
			}
			await this.#addAddresses(transaction, rows, keys);
			const placed: Placed[] = placings.map(() => ({userPointId: 0, identifiers: new Map()}));
			for (const [at, index] of open.entries()) {
				const assigned = assignment.userPoints[at]!;
				const point = userPointId(assigned);
				const found = placings[index]!.identifiers.flatMap((identifier, place) => {
					const key = named[index]![place]!;
					const row = keyed[index]!.includes(key) ? stored.get(key) : undefined;
					return row === undefined
						? []
						: [
								[
									canonical(identifier),
									{
										identifierId: row.id,
										userPointId: point,
										email: identifier.email,
										createdMs: row.created_ms,
									},
								] as const,
							];
				});
				placed[index] = {userPointId: point, isFull: assigned === 0, identifiers: new Map(found)};
			}
			return placed;
		});
	}

	/** The identifier behind a selector, or nothing. */
	async find(datamartId: number, identifier: Identifier): Promise<StoredIdentifier | undefined> {
		const [row] = await this.#database.run(sql => this.#readKeys(sql, datamartId, [this.keyOf(identifier)]));
		return row && {identifierId: row.id, userPointId: row.user_point_id};
	}

	/** As `find`, for many; those that are known, by canonical text. */
	async findMany(
		datamartId: number,
		identifiers: readonly Identifier[],
	): Promise<Map<string, StoredIdentifier>> {
		const keys = new Map(identifiers.map(identifier => [this.keyOf(identifier), canonical(identifier)]));
		const rows = await this.#database.run(sql => this.#readKeys(sql, datamartId, [...keys.keys()]));
		return new Map(
			rows.map(row => [keys.get(row.key)!, {identifierId: row.id, userPointId: row.user_point_id}]),
		);
	}

	/** Ids of identifiers deleted after a revision, and the newest revision. Without one: none, and the newest. */
	async deletedAfter(
		revision: number | undefined,
	): Promise<{revision: number; identifierIds: readonly number[]}> {
		const {rows} = await this.#database.run(sql =>
			sql.raw(
				`SELECT revision, ARRAY(
					SELECT unnest(identifier_ids) FROM identifier_deletions AS d WHERE d.revision > ?
				) AS ids FROM identifier_deletion_revision`,
				[revision ?? Number.MAX_SAFE_INTEGER],
			),
		);
		return {revision: rows[0].revision, identifierIds: rows[0].ids.map(Number)};
	}

	/** The survivor a user point id stands for, or nothing where the datamart has no such user point. */
	async survivorOf(datamartId: number, userPointId: number): Promise<number | undefined> {
		const row = await this.#database.run(sql =>
			sql('user_points').where({datamart_id: datamartId, id: userPointId}).first('id', 'merged_into'),
		);
		return row && (row.merged_into ?? row.id);
	}

	/** All ids that facts of this user point were written under: itself and what was merged into it. */
	async idsUnder(userPointId: number): Promise<number[]> {
		const rows = await this.#database.run(sql =>
			sql('user_points').where({merged_into: userPointId}).select('id'),
		);
		return [userPointId, ...rows.map(row => row.id)];
	}

	/** As `idsUnder`, for many: the ids under each, itself first. */
	async idsUnderAll(userPointIds: readonly number[]): Promise<Map<number, number[]>> {
		const under = new Map(userPointIds.map(id => [id, [id]]));
		const rows = await this.#database.run(sql =>
			sql('user_points')
				.whereRaw('merged_into = ANY(?)', [[...under.keys()]])
				.select('id', 'merged_into'),
		);
		for (const row of rows) under.get(row.merged_into)?.push(row.id);
		return under;
	}

	/** Its identifiers, oldest first. */
	async identifiersOf(userPointId: number): Promise<ReadIdentifier[]> {
		const rows = await this.#database.run(sql =>
			sql('user_identifiers').where({user_point_id: userPointId}).orderBy('id'),
		);
		return rows.map(row => this.#read(row));
	}

	/** Those of the datamart alone, whatever the ids say. */
	async identifiersById(datamartId: number, ids: readonly number[]): Promise<Map<number, ReadIdentifier>> {
		if (ids.length === 0) return new Map();
		const rows = await this.#database.run(sql =>
			sql('user_identifiers')
				.where({datamart_id: datamartId})
				.whereIn('id', [...ids]),
		);
		return new Map(rows.map(row => [row.id, this.#read(row)]));
	}

	/** Merges after a sequence, in order. */
	async mergesAfter(sequence: number): Promise<Merge[]> {
		const rows = await this.#database.run(sql =>
			sql('user_point_merges')
				.where('sequence', '>', sequence)
				.orderBy('sequence')
				.select('sequence', 'user_point_id', 'into_user_point_id'),
		);
		return rows.map(row => ({
			sequence: row.sequence,
			userPointId: row.user_point_id,
			intoUserPointId: row.into_user_point_id,
		}));
	}

	/** User points that have not become others, and identifiers, by the collections of the field guide (Reports). */
	async countBySpan(asked: SpansAsked): Promise<KeptCount[]> {
		const kept = `SELECT datamart_id, 'UserPoint' AS kind, created_ms AS ms FROM user_points WHERE merged_into IS NULL
			UNION ALL
			SELECT datamart_id, CASE kind WHEN 'USER_ACCOUNT' THEN 'UserAccount' WHEN 'USER_EMAIL' THEN 'UserEmail'
				ELSE 'UserAgent' END, created_ms FROM user_identifiers`;
		const [text, values] = countingStatement(kept, asked);
		const {rows} = await this.#database.run<{rows: KeptCount[]}>(sql => sql.raw(text, [...values] as never));
		return rows;
	}

	#seal({text, email}: {text: string; email?: string | undefined}): Buffer {
		return this.#secrets.seal(TEXT_PURPOSE, JSON.stringify({text, email}));
	}

	#read(row: Record<string, unknown>): ReadIdentifier {
		const {text, email} = JSON.parse(this.#secrets.open(TEXT_PURPOSE, row.sealed as Buffer).toString('utf8'));
		return {
			identifierId: row.id as number,
			userPointId: row.user_point_id as number,
			kind: row.kind as IdentifierKind,
			compartmentId: (row.compartment_id as number | null) ?? undefined,
			createdMs: row.created_ms as number,
			text,
			...(email === undefined ? {} : {email}),
		};
	}

	async #readKeys(knex: Knex, datamartId: number, keys: readonly string[]): Promise<IdentifierRow[]> {
		const {rows} = await knex.raw(
			`SELECT id, encode(key, 'hex') AS key, user_point_id, created_ms FROM user_identifiers
			WHERE datamart_id = ? AND key IN (SELECT decode(k, 'hex') FROM unnest(?::text[]) AS k)`,
			[datamartId, [...keys]],
		);
		return rows;
	}

	async #readDeleted(knex: Knex, datamartId: number, keys: readonly string[]): Promise<Map<string, Deleted>> {
		const {rows} = await knex.raw(
			`SELECT encode(key, 'hex') AS key, deleted_ms, coalesce(merged_into, user_points.id) AS user_point_id
			FROM deleted_identifiers LEFT JOIN user_points ON user_points.id = user_point_id
			WHERE deleted_identifiers.datamart_id = ?
				AND key IN (SELECT decode(k, 'hex') FROM unnest(?::text[]) AS k)`,
			[datamartId, [...keys]],
		);
		return new Map(
			rows.map((row: {key: string; deleted_ms: number; user_point_id: number | null}) => [
				row.key,
				{deletedMs: row.deleted_ms, userPointId: row.user_point_id ?? undefined},
			]),
		);
	}

	/** An address may come later than its hash: it is sealed with it then. */
	async #addAddresses(
		knex: Knex,
		rows: readonly IdentifierRow[],
		keys: ReadonlyMap<string, {identifier: Identifier}>,
	): Promise<void> {
		const bringing = rows.filter(row => keys.get(row.key)?.identifier.email !== undefined);
		if (bringing.length === 0) return;
		const stored = await knex('user_identifiers').whereIn(
			'id',
			bringing.map(row => row.id),
		);
		const known = new Map(stored.map(row => [row.id, this.#read(row).email]));
		for (const {id, key} of bringing) {
			const {text, email} = keys.get(key)!.identifier;
			if (known.get(id) === email) continue;
			await knex('user_identifiers')
				.where({id})
				.update({sealed: this.#seal({text, email})});
		}
	}

	async #readSizes(knex: Knex, points: readonly number[]): Promise<Map<number, number>> {
		const {rows: sizes} = await knex.raw('SELECT id, identifiers FROM user_points WHERE id = ANY(?)', [
			[...new Set(points)],
		]);
		return new Map(sizes.map((row: {id: number; identifiers: number}) => [row.id, row.identifiers]));
	}
}

/**
 * The keys each activity is placed by, those of identifiers deleted after it was received as what they were then, or
 * left out where nobody had them; and what is new to know of the others, by key.
 */
function withoutDeleted(
	placings: readonly Placing[],
	named: readonly (readonly string[])[],
	deleted: ReadonlyMap<string, Deleted>,
) {
	const keys = new Map<string, {identifier: Identifier; receivedMs: number}>();
	const keyed = placings.map(({identifiers, receivedMs}, index) =>
		identifiers.flatMap((identifier, place) => {
			const key = named[index]![place]!;
			const former = deleted.get(key);
			if (former && receivedMs <= former.deletedMs)
				return former.userPointId === undefined ? [] : [FORMER + key];
			const first = keys.get(key);
			if (!first) keys.set(key, {identifier, receivedMs});
			else if (identifier.email !== undefined) keys.set(key, {...first, identifier});
			return [key];
		}),
	);
	return {keyed, keys};
}
