import type {Database} from '../../postgres/database.ts';

export interface StoredRefreshToken {
	readonly id: number;
	readonly userId: number;
	readonly expirationTs: number;
}

export interface NewRefreshToken {
	/** SHA-256 of the token, hex: the token itself is kept nowhere. */
	readonly digest: string;
	readonly userId: number;
	readonly creationTs: number;
	readonly expirationTs: number;
}

export interface RefreshTokenStore {
	create(token: NewRefreshToken): Promise<StoredRefreshToken>;
	findByDigest(digest: string): Promise<StoredRefreshToken | undefined>;
	/** With the access tokens made with it; answers what it was. */
	remove(digest: string): Promise<StoredRefreshToken | undefined>;
	/** Removes those that expired before the instant; answers how many. */
	removeExpired(beforeTs: number): Promise<number>;
}

interface Row {
	id: number;
	user_id: number;
	expiration_ts: number;
}

const COLUMNS = ['id', 'user_id', 'expiration_ts'] as const;

function fromRow(row: Row): StoredRefreshToken {
	return {id: row.id, userId: row.user_id, expirationTs: row.expiration_ts};
}

export function refreshTokenStore(database: Database): RefreshTokenStore {
	return {
		async create({digest, userId, creationTs, expirationTs}) {
			const values = {
				token_sha256: digest,
				user_id: userId,
				creation_ts: creationTs,
				expiration_ts: expirationTs,
			};
			const rows: Row[] = await database.run(sql =>
				sql('refresh_tokens')
					.insert(values)
					.returning([...COLUMNS]),
			);
			return fromRow(rows[0]!);
		},
		async findByDigest(digest) {
			const row: Row | undefined = await database.run(sql =>
				sql('refresh_tokens')
					.select([...COLUMNS])
					.where('token_sha256', digest)
					.first(),
			);
			return row && fromRow(row);
		},
		async remove(digest) {
			const rows: Row[] = await database.run(sql =>
				sql('refresh_tokens')
					.where('token_sha256', digest)
					.delete()
					.returning([...COLUMNS]),
			);
			return rows[0] && fromRow(rows[0]);
		},
		removeExpired: beforeTs =>
			database.run(async sql => {
				// A delete of nothing would have every instance read all credentials again.
				const expired = sql('refresh_tokens').where('expiration_ts', '<', beforeTs);
				return (await expired.clone().first('id')) ? expired.delete() : 0;
			}),
	};
}
