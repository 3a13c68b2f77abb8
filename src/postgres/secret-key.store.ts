import type {Secrets} from '../lib/secrets.ts';
import type {Database} from './database.ts';

/** The configured key is not the one that this database's content is sealed with. */
export class SecretKeyError extends Error {
	override readonly name = 'SecretKeyError';
}

/** The first key a database sees is its key; throws `SecretKeyError` for any other. */
export async function assertSameKey(database: Database, secrets: Secrets): Promise<void> {
	const fingerprint = secrets.fingerprint('key of the database', 'fingerprint');
	const stored = await database.run(async sql => {
		await sql('secret_key').insert({fingerprint}).onConflict('only_one').ignore();
		return sql('secret_key').first('fingerprint');
	});
	if (fingerprint.equals(stored.fingerprint)) return;
	throw new SecretKeyError(
		'SECRET_KEY is not the key that this database was made with: identifiers and secrets in it could not be read. ' +
			'Start with the former key (or the former secret.key in the data directory).',
	);
}
