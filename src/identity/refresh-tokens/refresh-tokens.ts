import {hash, randomBytes} from 'node:crypto';
import {DomainError} from '../../errors.ts';
import type {AccessToken, AccessTokens} from '../access-tokens/access-tokens.ts';
import type {RefreshTokenStore, StoredRefreshToken} from './refresh-tokens.store.ts';

export const REFRESH_TOKEN_PREFIX = 'refresh:';
const FORMAT = /^refresh:[A-Za-z0-9_-]{43}$/;
const LIFETIME_SECONDS = 30 * 24 * 3600;
const CLEANING_MS = 3_600_000;

export interface RefreshToken {
	readonly value: string;
	readonly expiresInSeconds: number;
}

export interface RefreshTokenServices {
	readonly tokens: RefreshTokenStore;
	readonly accessTokens: Pick<AccessTokens, 'create'>;
	/** A token went: those of this instance are looked at again at once. */
	readonly forgetPrincipals: () => void;
	readonly now?: () => number;
}

/**
 * Refresh tokens (field guide, "Authentication, users"): opaque, 30 days, a digest in PostgreSQL; good for any number
 * of access tokens until revoked. A new password, or the end of the user, revokes all of theirs.
 */
export class RefreshTokens {
	readonly #services: RefreshTokenServices;
	readonly #now: () => number;
	readonly #cleaning: NodeJS.Timeout;

	constructor(services: RefreshTokenServices) {
		this.#services = services;
		this.#now = services.now ?? Date.now;
		this.#cleaning = setInterval(() => {
			this.removeExpired().catch(() => {});
		}, CLEANING_MS).unref();
	}

	/** For a user whose password was seen. */
	async create(userId: number): Promise<RefreshToken> {
		const value = REFRESH_TOKEN_PREFIX + randomBytes(32).toString('base64url');
		const creationTs = this.#now();
		const expirationTs = creationTs + LIFETIME_SECONDS * 1000;
		await this.#services.tokens.create({digest: digestOf(value), userId, creationTs, expirationTs});
		return {value, expiresInSeconds: LIFETIME_SECONDS};
	}

	/** Throws `token_unknown`, `token_expired`. */
	async accessToken(value: string): Promise<{readonly token: AccessToken; readonly userId: number}> {
		const {tokens, accessTokens} = this.#services;
		const stored = FORMAT.test(value) ? await tokens.findByDigest(digestOf(value)) : undefined;
		if (!stored) throw new DomainError('token_unknown', 'The refresh token is unknown');
		if (stored.expirationTs <= this.#now()) {
			throw new DomainError('token_expired', 'The refresh token has expired');
		}
		return {token: await accessTokens.create(stored.userId, stored.id), userId: stored.userId};
	}

	/** Ends it and the access tokens made with it. One that is unknown has ended already: no error (RFC 7009). */
	async revoke(value: string): Promise<StoredRefreshToken | undefined> {
		if (!FORMAT.test(value)) return undefined;
		const removed = await this.#services.tokens.remove(digestOf(value));
		if (removed) this.#services.forgetPrincipals();
		return removed;
	}

	close(): void {
		clearInterval(this.#cleaning);
	}

	/** Also runs by itself every hour. A day after they expired, so that their holders hear `token_expired` first. */
	removeExpired(): Promise<number> {
		return this.#services.tokens.removeExpired(this.#now() - 24 * 3_600_000);
	}
}

function digestOf(token: string): string {
	return hash('sha256', token, 'hex');
}
