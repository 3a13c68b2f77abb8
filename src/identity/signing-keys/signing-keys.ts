import {createSecretKey, type KeyObject, randomBytes} from 'node:crypto';
import {DomainError, notFound} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Secrets} from '../../lib/secrets.ts';
import {KnownCredentials} from '../known-credentials.ts';
import {expirationOf} from '../lifetimes.ts';
import type {GuardLookup} from '../lookup-throttle.ts';
import type {UserPrincipal} from '../principal.ts';
import type {UserRoleStore} from '../users/user-roles.store.ts';
import {digestOf, isSame, isTimely, type Signature} from './signature.ts';
import type {SigningKeyRequest} from './signing-keys.schema.ts';
import type {SigningKeyKey, SigningKeyStore, StoredSigningKey} from './signing-keys.store.ts';

const PURPOSE = 'signing key';
const SECRET_BYTES = 16;
const OBFUSCATED = '*'.repeat(SECRET_BYTES * 2);

/** A message authentication key; `secretKey` is whole only in the answer that makes it. */
export interface SigningKey extends StoredSigningKey {
	readonly secretKey: string;
}

export interface SigningKeyServices {
	readonly keys: SigningKeyStore;
	readonly roles: Pick<UserRoleStore, 'grantsOf'>;
	readonly secrets: Secrets;
	readonly now?: () => number;
}

interface Known {
	readonly id: number;
	readonly principal: UserPrincipal;
	readonly secret: KeyObject;
	readonly expirationTs: number;
}

/** A request whose signature was right. */
export interface Signed {
	readonly principal: UserPrincipal;
	/** The same for a request that is sent again, and for no other. */
	readonly mac: string;
	/** As it came over the wire. */
	readonly body: Buffer | undefined;
}

/**
 * Message authentication keys and what they sign (specification, "Authentication", scheme 3). The secret is sealed in
 * PostgreSQL and in memory after its first use: checking a signature costs no question then (ADR 0005).
 */
export class SigningKeys {
	readonly #services: SigningKeyServices;
	readonly #now: () => number;
	readonly #known: KnownCredentials<Known>;
	/** Signatures of unknown keys are computed like all others. */
	readonly #nobodys = toKey(randomBytes(SECRET_BYTES).toString('hex'));

	constructor(services: SigningKeyServices) {
		this.#services = services;
		this.#now = services.now ?? Date.now;
		this.#known = new KnownCredentials(keyId => this.#read(keyId), {areRandom: false});
	}

	/** The answer alone has the secret: 16 random bytes, hex. Errors: `key_id_taken`, `field_invalid` (expiration). */
	async create(userId: number, {scheme, keyId, expirationTs}: SigningKeyRequest): Promise<SigningKey> {
		const creationTs = this.#now();
		const secretKey = randomBytes(SECRET_BYTES).toString('hex');
		const stored = await this.#services.keys.create({
			userId,
			scheme,
			keyId,
			secretSealed: this.#services.secrets.seal(PURPOSE, secretKey),
			creationTs,
			expirationTs: expirationOf(creationTs, expirationTs, '/expiration_ts'),
		});
		return {...stored, secretKey};
	}

	/** Error: `signing_key_not_found`. */
	async get(key: SigningKeyKey): Promise<SigningKey> {
		const stored = await this.#services.keys.find(key);
		if (!stored) throw notFound('signing_key_not_found');
		return obfuscated(stored);
	}

	async list(userId: number, paging: Paging): Promise<Page<SigningKey>> {
		const {items, total} = await this.#services.keys.list({userId}, paging);
		return {items: items.map(obfuscated), total};
	}

	/** From here on it signs nothing on this instance, and within a second on the others. */
	async revoke(key: SigningKeyKey): Promise<void> {
		if (!(await this.#services.keys.remove(key))) throw notFound('signing_key_not_found');
		this.#known.forget(({id}) => id === key.id);
	}

	/**
	 * Whose request it is. `path` as called, undecoded, without the query; `readBody` where the method has one.
	 * Error: `signature_invalid`, whatever is wrong; `store_unavailable` for a key not known yet while PostgreSQL is
	 * away; those of `readBody` and of the guard.
	 */
	async verify(
		signature: Signature,
		path: string,
		readBody: (() => Promise<Buffer>) | undefined,
		guard?: GuardLookup,
	): Promise<Signed> {
		if (!isTimely(signature, this.#now())) throw invalidSignature();
		// A known key and an unknown one take the same way from here on.
		const body = await readBody?.();
		const known = await this.#known.find(signature.keyId, guard);
		const mac = digestOf(known?.secret ?? this.#nobodys, path, signature, body);
		const isRight = isSame(mac, signature.mac);
		if (!known || !isRight || known.expirationTs <= this.#now()) throw invalidSignature();
		return {principal: known.principal, mac, body};
	}

	/** Keys, users or roles changed: each key is read again as it comes by. */
	forgetPrincipals(): void {
		this.#known.refresh();
	}

	async #read(keyId: string): Promise<Known | undefined> {
		const stored = await this.#services.keys.findWithSecret(keyId);
		const grants = stored && (await this.#services.roles.grantsOf(stored.userId));
		if (!stored || !grants) return undefined;
		const {id, userId, expirationTs, secretSealed} = stored;
		const principal: UserPrincipal = {
			kind: 'user',
			userId,
			credential: 'signature',
			credentialId: String(id),
			communityId: grants.communityId,
			roles: grants.roles,
		};
		const secret = toKey(this.#services.secrets.open(PURPOSE, secretSealed).toString('utf8'));
		return {id, principal, secret, expirationTs};
	}
}

/** The hexadecimal text itself is the key, not the bytes it stands for. */
function toKey(secretKey: string): KeyObject {
	return createSecretKey(Buffer.from(secretKey, 'utf8'));
}

function obfuscated(stored: StoredSigningKey): SigningKey {
	return {...stored, secretKey: OBFUSCATED};
}

/** One answer for a wrong path, key, time, body or digest. */
function invalidSignature(): DomainError {
	return new DomainError('signature_invalid', 'The signature is not valid');
}
