import type {Database} from '../../postgres/database.ts';

export interface StoredAccessToken {
	readonly id: number;
	readonly userId: number;
	readonly expirationTs: number;
}

export interface NewAccessToken {
	/** SHA-256 of the token, hex: the token itself is kept nowhere. */
	readonly digest: string;
	readonly userId: number;
	/** The refresh token it was made with and ends with. */
	readonly refreshTokenId?: number | undefined;
	readonly creationTs: number;
	readonly expirationTs: number;
}

export interface AccessTokenStore {
	create(token: NewAccessToken): Promise<StoredAccessToken>;
	findByDigest(digest: string): Promise<StoredAccessToken | undefined>;
	/** Removes those that expired before the instant; answers how many. */
	removeExpired(beforeTs: number): Promise<number>;
}

interface Row {
	id: number;
	user_id: number;
	expiration_ts: number;
}

function fromRow(row: Row): StoredAccessToken {
	return {id: row.id, userId: row.user_id, expirationTs: row.expiration_ts};
}

export function accessTokenStore(database: Database): AccessTokenStore {
	return {
		async create({digest, userId, refreshTokenId, creationTs, expirationTs}) {
			const rows: Row[] = await database.run(sql =>
				sql('access_tokens')
					.insert({
						token_sha256: digest,
						user_id: userId,
						refresh_token_id: refreshTokenId ?? null,
						creation_ts: creationTs,
						expiration_ts: expirationTs,
					})
					.returning(['id', 'user_id', 'expiration_ts']),
			);
			return fromRow(rows[0]!);
		},
		async findByDigest(digest) {
			const row: Row | undefined = await database.run(sql =>
				sql('access_tokens').select('id', 'user_id', 'expiration_ts').where('token_sha256', digest).first(),
			);
			return row && fromRow(row);
		},
		removeExpired: beforeTs =>
			database.run(sql => sql('access_tokens').where('expiration_ts', '<', beforeTs).delete()),
	};
}
