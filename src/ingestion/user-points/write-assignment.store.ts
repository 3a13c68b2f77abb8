import type {Knex} from 'knex';
import type {Assignment} from './assign.ts';
import type {Identifier} from './identifiers.ts';

/** An identifier's text as it is stored. */
type Seal = (identifier: Identifier) => Buffer;

/** Writes an assignment; answers how to read its user points (negative ones got their ids). */
export async function writeAssignment(
	knex: Knex,
	datamartId: number,
	assignment: Assignment,
	keys: ReadonlyMap<string, {identifier: Identifier; receivedMs: number}>,
	seal: Seal,
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
	await writeIdentifiers(knex, datamartId, assignment, keys, {idOf, seal});
	await writeMerges(knex, datamartId, assignment, idOf, now);
	if (assignment.sizes.size > 0) {
		await knex.raw(
			`UPDATE user_points SET identifiers = s.size
			FROM unnest(?::bigint[], ?::integer[]) AS s (id, size) WHERE user_points.id = s.id`,
			[[...assignment.sizes.keys()].map(idOf), [...assignment.sizes.values()]],
		);
	}
	return idOf;
}

async function writeIdentifiers(
	knex: Knex,
	datamartId: number,
	{joined}: Assignment,
	keys: ReadonlyMap<string, {identifier: Identifier; receivedMs: number}>,
	{idOf, seal}: {readonly idOf: (point: number) => number; readonly seal: Seal},
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
			entries.map(({identifier}) => seal(identifier).toString('hex')),
			entries.map(entry => entry.receivedMs),
		],
	);
}

/** Every path ends at the survivor: what was merged into a loser before moves on with it. */
async function writeMerges(
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
