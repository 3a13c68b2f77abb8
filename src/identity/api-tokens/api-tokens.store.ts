import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {selectPage} from '../../postgres/page.ts';

/** A token as it is kept: never its value. Instants are epoch milliseconds. */
export interface StoredApiToken {
	readonly id: number;
	readonly userId: number;
	readonly name: string | null;
	/** Prefix and first letters. */
	readonly start: string;
	readonly creationTs: number;
	readonly expirationTs: number;
	/** Some minutes behind; null: not used yet. */
	readonly lastUseTs: number | null;
}

export type NewApiToken = Omit<StoredApiToken, 'id' | 'lastUseTs'> & {
	/** SHA-256 of the token, hex. */
	readonly digest: string;
};

/** Named by both, as in the paths: another user's is none. */
export interface ApiTokenKey {
	readonly id: number;
	readonly userId: number;
}

export interface ApiTokenStore {
	create(token: NewApiToken): Promise<StoredApiToken>;
	findByDigest(digest: string): Promise<StoredApiToken | undefined>;
	find(key: ApiTokenKey): Promise<StoredApiToken | undefined>;
	list(query: {readonly userId: number}, paging: Paging): Promise<Page<StoredApiToken>>;
	/** Undefined when there is no such token. */
	rename(key: ApiTokenKey, name: string | null): Promise<StoredApiToken | undefined>;
	/** Whether there was one. */
	remove(key: ApiTokenKey): Promise<boolean>;
	/** Token ids and when each was last used; an earlier use never replaces a later one. */
	noteUses(uses: ReadonlyMap<number, number>): Promise<void>;
}

interface Row {
	id: number;
	user_id: number;
	name: string | null;
	token_start: string;
	creation_ts: number;
	expiration_ts: number;
	last_use_ts: number | null;
}

/** Never the digest. */
const COLUMNS = ['id', 'user_id', 'name', 'token_start', 'creation_ts', 'expiration_ts', 'last_use_ts'];

function fromRow(row: Row): StoredApiToken {
	return {
		id: row.id,
		userId: row.user_id,
		name: row.name,
		start: row.token_start,
		creationTs: row.creation_ts,
		expirationTs: row.expiration_ts,
		lastUseTs: row.last_use_ts,
	};
}

export function apiTokenStore(database: Database): ApiTokenStore {
	const oneRow = (rows: Row[]) => rows[0] && fromRow(rows[0]);
	return {
		async create({digest, userId, name, start, creationTs, expirationTs}) {
			const rows: Row[] = await database.run(sql =>
				sql('api_tokens')
					.insert({
						token_sha256: digest,
						user_id: userId,
						name,
						token_start: start,
						creation_ts: creationTs,
						expiration_ts: expirationTs,
					})
					.returning(COLUMNS),
			);
			return fromRow(rows[0]!);
		},
		findByDigest: async digest =>
			oneRow(await database.run(sql => sql('api_tokens').select(COLUMNS).where('token_sha256', digest))),
		find: async ({id, userId}) =>
			oneRow(await database.run(sql => sql('api_tokens').select(COLUMNS).where({id, user_id: userId}))),
		list: ({userId}, paging) =>
			database.run(sql =>
				selectPage(sql('api_tokens').select(COLUMNS).where('user_id', userId), 'id', paging, fromRow),
			),
		rename: async ({id, userId}, name) =>
			oneRow(
				await database.run(sql =>
					sql('api_tokens').where({id, user_id: userId}).update({name}).returning(COLUMNS),
				),
			),
		remove: async ({id, userId}) =>
			(await database.run(sql => sql('api_tokens').where({id, user_id: userId}).delete())) > 0,
		async noteUses(uses) {
			await database.run(sql =>
				sql.raw(
					`update api_tokens set last_use_ts = greatest(last_use_ts, used.ts)
					from unnest(?::bigint[], ?::bigint[]) as used (id, ts) where api_tokens.id = used.id`,
					[[...uses.keys()], [...uses.values()]],
				),
			);
		},
	};
}
