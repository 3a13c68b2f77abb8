import {hash, randomBytes} from 'node:crypto';
import {DomainError} from '../../errors.ts';
import {KnownCredentials} from '../known-credentials.ts';
import type {GuardLookup} from '../lookup-throttle.ts';
import type {UserPrincipal} from '../principal.ts';
import type {UserRoleStore} from '../users/user-roles.store.ts';
import type {AccessTokenStore} from './access-tokens.store.ts';

/** Says at a glance what a leaked string is, and which verifier is asked. */
export const ACCESS_TOKEN_PREFIX = 'access:';
const FORMAT = /^access:[A-Za-z0-9_-]{43}$/;
const LIFETIME_SECONDS = 3600;
/** Kept so long after its hour, so that its holder hears `token_expired` rather than `token_unknown`. */
const REMEMBERED_MS = 24 * 3_600_000;
const CLEANING_MS = 10 * 60_000;

export interface AccessToken {
	readonly value: string;
	readonly expiresInSeconds: number;
}

export interface AccessTokenServices {
	readonly tokens: AccessTokenStore;
	readonly roles: Pick<UserRoleStore, 'grantsOf'>;
	readonly now?: () => number;
}

interface Known {
	readonly principal: UserPrincipal;
	readonly expirationTs: number;
}

/**
 * Temporary access tokens (specification, "Authentication", scheme 1): opaque, one hour, a digest in PostgreSQL and
 * the principal in memory. A known token costs no question, and stays good while PostgreSQL is away (ADR 0005).
 */
export class AccessTokens {
	readonly #services: AccessTokenServices;
	readonly #now: () => number;
	/** By the token itself, in memory only: hashing it again would be a part of every request's cost. */
	readonly #known = new KnownCredentials<Known>(token => this.#read(token), {
		areRandom: true,
	});
	readonly #cleaning: NodeJS.Timeout;

	constructor(services: AccessTokenServices) {
		this.#services = services;
		this.#now = services.now ?? Date.now;
		this.#cleaning = setInterval(() => {
			this.removeExpired().catch(() => {});
		}, CLEANING_MS).unref();
	}

	/** For a user whose password or refresh token was seen; it ends with that refresh token. */
	async create(userId: number, refreshTokenId?: number): Promise<AccessToken> {
		const value = ACCESS_TOKEN_PREFIX + randomBytes(32).toString('base64url');
		const creationTs = this.#now();
		await this.#services.tokens.create({
			digest: digestOf(value),
			userId,
			refreshTokenId,
			creationTs,
			expirationTs: creationTs + LIFETIME_SECONDS * 1000,
		});
		return {value, expiresInSeconds: LIFETIME_SECONDS};
	}

	/**
	 * Errors: `token_unknown`, `token_expired`; `store_unavailable` for one not known yet while PostgreSQL is away; those
	 * of the guard.
	 */
	async verify(token: string, guard?: GuardLookup): Promise<UserPrincipal> {
		const known = FORMAT.test(token) ? await this.#known.find(token, guard) : undefined;
		if (!known) throw new DomainError('token_unknown', 'The token is unknown');
		if (known.expirationTs <= this.#now())
			throw new DomainError('token_expired', 'The access token has expired');
		return known.principal;
	}

	/** Users or roles changed: principals are read again as they come by; the old ones serve while that cannot be done. */
	forgetPrincipals(): void {
		this.#known.refresh();
	}

	/** Also runs by itself every ten minutes. */
	removeExpired(): Promise<number> {
		return this.#services.tokens.removeExpired(this.#now() - REMEMBERED_MS);
	}

	close(): void {
		clearInterval(this.#cleaning);
	}

	async #read(token: string): Promise<Known | undefined> {
		const stored = await this.#services.tokens.findByDigest(digestOf(token));
		const grants = stored && (await this.#services.roles.grantsOf(stored.userId));
		if (!stored || !grants) return undefined;
		const principal: UserPrincipal = {
			kind: 'user',
			userId: stored.userId,
			credential: 'access_token',
			credentialId: String(stored.id),
			communityId: grants.communityId,
			roles: grants.roles,
		};
		return {principal, expirationTs: stored.expirationTs};
	}
}

function digestOf(token: string): string {
	return hash('sha256', token, 'hex');
}
