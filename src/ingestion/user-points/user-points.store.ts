import type {Knex} from 'knex';
import type {Secrets} from '../../lib/secrets.ts';
import type {Database} from '../../postgres/database.ts';
import {type Assignment, assignUserPoints} from './assign.ts';
import {canonical, type Identifier, type IdentifierKind, identifierKey} from './identifiers.ts';

/** An identifier as stored: what facts and raw activities refer to. */
export interface StoredIdentifier {
	readonly identifierId: number;
	readonly userPointId: number;
	/** The address it came with this time. */
	readonly email?: string | undefined;
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
	/** 0: the cap refused its identifiers. */
	readonly userPointId: number;
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

interface IdentifierRow {
	id: number;
	key: string;
	user_point_id: number;
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
	 * identifier meet in one user point, whichever instance drains them.
	 */
	async place(datamartId: number, placings: readonly Placing[]): Promise<Placed[]> {
		const keys = new Map<string, {identifier: Identifier; receivedMs: number}>();
		const keyed = placings.map(placing =>
			placing.identifiers.map(identifier => {
				const key = this.keyOf(identifier);
				const first = keys.get(key);
				if (!first) keys.set(key, {identifier, receivedMs: placing.receivedMs});
				else if (identifier.email !== undefined) keys.set(key, {...first, identifier});
				return key;
			}),
		);
		return this.#database.transaction(async transaction => {
			await transaction.raw('SELECT pg_advisory_xact_lock(?, ?)', [LOCK_SPACE, datamartId]);
			const rows = await this.#readKeys(transaction, datamartId, [...keys.keys()]);
			const known = new Map(rows.map(row => [row.key, {userPointId: row.user_point_id}]));
			const sizes = await this.#readSizes(transaction, rows);
			const assignment = assignUserPoints(keyed, known, sizes);
			const userPointId = await this.#write(transaction, datamartId, assignment, keys);
			const stored = new Map(rows.map(row => [row.key, row.id]));
			if (assignment.joined.size > 0) {
				const fresh = await this.#readKeys(transaction, datamartId, [...assignment.joined.keys()]);
				for (const row of fresh) stored.set(row.key, row.id);
			}
			await this.#addAddresses(transaction, rows, keys);
			return placings.map(({identifiers}, index) => {
				const point = userPointId(assignment.userPoints[index]!);
				const found = identifiers.flatMap((identifier, at) => {
					const identifierId = stored.get(keyed[index]![at]!);
					return identifierId === undefined
						? []
						: [[canonical(identifier), {identifierId, userPointId: point, email: identifier.email}] as const];
				});
				return {userPointId: point, identifiers: new Map(found)};
			});
		});
	}

	/** The identifier behind a selector, or nothing. */
	async find(datamartId: number, identifier: Identifier): Promise<StoredIdentifier | undefined> {
		const [row] = await this.#database.run(sql => this.#readKeys(sql, datamartId, [this.keyOf(identifier)]));
		return row && {identifierId: row.id, userPointId: row.user_point_id};
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
			`SELECT id, encode(key, 'hex') AS key, user_point_id FROM user_identifiers
			WHERE datamart_id = ? AND key IN (SELECT decode(k, 'hex') FROM unnest(?::text[]) AS k)`,
			[datamartId, [...keys]],
		);
		return rows;
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

	async #readSizes(knex: Knex, rows: readonly IdentifierRow[]): Promise<Map<number, number>> {
		const points = [...new Set(rows.map(row => row.user_point_id))];
		const {rows: sizes} = await knex.raw('SELECT id, identifiers FROM user_points WHERE id = ANY(?)', [
			points,
		]);
		return new Map(sizes.map((row: {id: number; identifiers: number}) => [row.id, row.identifiers]));
	}

	/** Writes an assignment; answers how to read its user points (negative ones got their ids). */
	async #write(
		knex: Knex,
		datamartId: number,
		assignment: Assignment,
		keys: ReadonlyMap<string, {identifier: Identifier; receivedMs: number}>,
	): Promise<(point: number) => number> {
		const ids = new Map<number, number>();
		const now = Date.now();
		if (assignment.created.length > 0) {
			const {rows} = await knex.raw(
				"SELECT nextval('user_point_ids')::bigint AS id FROM generate_series(1, ?) ORDER BY id",
				[assignment.created.length],
			);
			for (const [index, point] of assignment.created.entries()) ids.set(point, rows[index].id);
		}
		const idOf = (point: number) => ids.get(point) ?? point;
		if (ids.size > 0) {
			await knex.raw(
				`INSERT INTO user_points (id, datamart_id, created_ms, identifiers)
				SELECT id, ?, ?, 0 FROM unnest(?::bigint[]) AS id`,
				[datamartId, now, [...ids.values()]],
			);
		}
		await this.#writeIdentifiers(knex, datamartId, assignment, keys, idOf);
		await this.#writeMerges(knex, datamartId, assignment, idOf, now);
		if (assignment.sizes.size > 0) {
			await knex.raw(
				`UPDATE user_points SET identifiers = s.size
				FROM unnest(?::bigint[], ?::integer[]) AS s (id, size) WHERE user_points.id = s.id`,
				[[...assignment.sizes.keys()].map(idOf), [...assignment.sizes.values()]],
			);
		}
		return idOf;
	}

	async #writeIdentifiers(
		knex: Knex,
		datamartId: number,
		{joined}: Assignment,
		keys: ReadonlyMap<string, {identifier: Identifier; receivedMs: number}>,
		idOf: (point: number) => number,
	): Promise<void> {
		if (joined.size === 0) return;
		const entries = [...joined].map(([key, point]) => ({key, point: idOf(point), ...keys.get(key)!}));
		await knex.raw(
			`INSERT INTO user_identifiers (datamart_id, key, user_point_id, kind, compartment_id, sealed, created_ms)
			SELECT ?, decode(key, 'hex'), point, kind, nullif(compartment, '')::integer, decode(sealed, 'hex'), created
			FROM unnest(?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[])
				AS n (key, point, kind, compartment, sealed, created)`,
			[
				datamartId,
				entries.map(entry => entry.key),
				entries.map(entry => entry.point),
				entries.map(entry => entry.identifier.kind),
				entries.map(entry => String(entry.identifier.compartmentId ?? '')),
				entries.map(({identifier}) => this.#seal(identifier).toString('hex')),
				entries.map(entry => entry.receivedMs),
			],
		);
	}

	/** Every path ends at the survivor: what was merged into a loser before moves on with it. */
	async #writeMerges(
		knex: Knex,
		datamartId: number,
		{merged}: Assignment,
		idOf: (point: number) => number,
		now: number,
	): Promise<void> {
		if (merged.size === 0) return;
		const pairs: [number[], number[]] = [[...merged.keys()], [...merged.values()].map(idOf)];
		const from = 'FROM unnest(?::bigint[], ?::bigint[]) AS p (loser, survivor)';
		await knex.raw(
			`UPDATE user_identifiers SET user_point_id = p.survivor ${from} WHERE user_point_id = p.loser`,
			pairs,
		);
		await knex.raw(
			`WITH moved AS (
				UPDATE user_points SET merged_into = p.survivor, identifiers = 0 ${from}
				WHERE user_points.id = p.loser OR user_points.merged_into = p.loser
				RETURNING user_points.id, p.survivor
			)
			INSERT INTO user_point_merges (datamart_id, user_point_id, into_user_point_id, merged_ms)
			SELECT ?, id, survivor, ? FROM moved`,
			[...pairs, datamartId, now],
		);
	}
}
