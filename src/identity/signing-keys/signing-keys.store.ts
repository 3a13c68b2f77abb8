import {invalidField} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {violatedConstraint} from '../../postgres/errors.ts';
import {selectPage} from '../../postgres/page.ts';

export type SigningScheme = 'HMAC_SHA256';

/** A key without its secret; instants are epoch milliseconds. */
export interface StoredSigningKey {
	readonly id: number;
	readonly userId: number;
	readonly scheme: SigningScheme;
	/** The name the caller chose; no two keys share one. */
	readonly keyId: string;
	readonly creationTs: number;
	readonly expirationTs: number;
}

export interface SealedSecret {
	readonly secretSealed: Buffer;
}

/** Named by both, as in the paths: another user's is none. */
export interface SigningKeyKey {
	readonly id: number;
	readonly userId: number;
}

export interface SigningKeyStore {
	/** Throws `key_id_taken` where another key has the name. */
	create(key: Omit<StoredSigningKey, 'id'> & SealedSecret): Promise<StoredSigningKey>;
	find(key: SigningKeyKey): Promise<StoredSigningKey | undefined>;
	/** For checking signatures, and nothing else. */
	findWithSecret(keyId: string): Promise<(StoredSigningKey & SealedSecret) | undefined>;
	list(query: {readonly userId: number}, paging: Paging): Promise<Page<StoredSigningKey>>;
	/** Whether there was one. Its name is free again. */
	remove(key: SigningKeyKey): Promise<boolean>;
}

interface Row {
	id: number;
	user_id: number;
	scheme: SigningScheme;
	key_id: string;
	creation_ts: number;
	expiration_ts: number;
}

const COLUMNS = ['id', 'user_id', 'scheme', 'key_id', 'creation_ts', 'expiration_ts'];

function fromRow(row: Row): StoredSigningKey {
	return {
		id: row.id,
		userId: row.user_id,
		scheme: row.scheme,
		keyId: row.key_id,
		creationTs: row.creation_ts,
		expirationTs: row.expiration_ts,
	};
}

export function signingKeyStore(database: Database): SigningKeyStore {
	return {
		async create({userId, scheme, keyId, creationTs, expirationTs, secretSealed}) {
			try {
				const rows: Row[] = await database.run(sql =>
					sql('signing_keys')
						.insert({
							user_id: userId,
							scheme,
							key_id: keyId,
							secret_sealed: secretSealed,
							creation_ts: creationTs,
							expiration_ts: expirationTs,
						})
						.returning(COLUMNS),
				);
				return fromRow(rows[0]!);
			} catch (error) {
				if (violatedConstraint(error) !== 'signing_keys_key_id') throw error;
				throw invalidField('/key_id', 'is the name of another key', 'key_id_taken');
			}
		},
		async find({id, userId}) {
			const row: Row | undefined = await database.run(sql =>
				sql('signing_keys').select(COLUMNS).where({id, user_id: userId}).first(),
			);
			return row && fromRow(row);
		},
		async findWithSecret(keyId) {
			const row: (Row & {secret_sealed: Buffer}) | undefined = await database.run(sql =>
				sql('signing_keys')
					.select([...COLUMNS, 'secret_sealed'])
					.where('key_id', keyId)
					.first(),
			);
			return row && {...fromRow(row), secretSealed: row.secret_sealed};
		},
		list: ({userId}, paging) =>
			database.run(sql =>
				selectPage(sql('signing_keys').select(COLUMNS).where('user_id', userId), 'id', paging, fromRow),
			),
		remove: async ({id, userId}) =>
			(await database.run(sql => sql('signing_keys').where({id, user_id: userId}).delete())) > 0,
	};
}
