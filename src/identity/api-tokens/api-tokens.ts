import {DomainError, notFound} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import {KnownCredentials} from '../known-credentials.ts';
import {expirationOf, monthsAfter} from '../lifetimes.ts';
import type {GuardLookup} from '../lookup-throttle.ts';
import type {UserPrincipal} from '../principal.ts';
import type {UserRoleStore} from '../users/user-roles.store.ts';
import type {ApiTokenRequest} from './api-tokens.schema.ts';
import type {ApiTokenKey, ApiTokenStore, StoredApiToken} from './api-tokens.store.ts';
import {digestOf, masked, newApiToken, readApiToken, startOf} from './token-format.ts';

/** How often uses are written down. */
const NOTING_MS = 60_000;

/** A token as its holder sees it; `value` is whole only in the answer that makes it. */
export interface ApiToken {
	readonly id: number;
	readonly name: string | null;
	readonly creationTs: number;
	readonly expirationTs: number;
	readonly lastUseTs: number | null;
	readonly value: string;
}

export interface ApiTokenServices {
	readonly tokens: ApiTokenStore;
	readonly roles: Pick<UserRoleStore, 'grantsOf'>;
	readonly now?: () => number;
}

interface Known {
	readonly principal: UserPrincipal;
	readonly id: number;
	readonly expirationTs: number;
}

/**
 * Long-term API tokens (specification, "Authentication", scheme 2): a digest in PostgreSQL, the principal in memory.
 * Checking a known one costs no question; its last use is written in the background.
 */
export class ApiTokens {
	readonly #services: ApiTokenServices;
	readonly #now: () => number;
	readonly #known: KnownCredentials<Known>;
	readonly #noting: NodeJS.Timeout;
	/** Token id -> last use, since it was last written down. */
	#uses = new Map<number, number>();

	constructor(services: ApiTokenServices) {
		this.#services = services;
		this.#now = services.now ?? Date.now;
		this.#known = new KnownCredentials(token => this.#read(token), {areRandom: true});
		this.#noting = setInterval(() => {
			this.noteUses().catch(() => {});
		}, NOTING_MS).unref();
	}

	/** The answer alone has the whole value. Error: `field_invalid` for an expiration out of bounds. */
	async create(userId: number, request: ApiTokenRequest): Promise<ApiToken> {
		const creationTs = this.#now();
		const {name, lifetimeMonths, expirationDate} = request;
		const value = newApiToken();
		const expirationTs =
			lifetimeMonths === undefined
				? expirationOf(creationTs, expirationDate, '/expiration_date')
				: monthsAfter(creationTs, lifetimeMonths);
		const stored = await this.#services.tokens.create({
			digest: digestOf(value),
			start: startOf(value),
			userId,
			name: name ?? null,
			creationTs,
			expirationTs,
		});
		return {...toApiToken(stored), value};
	}

	/** Error: `api_token_not_found`, as for the next two. */
	async get(key: ApiTokenKey): Promise<ApiToken> {
		return toApiToken(found(await this.#services.tokens.find(key)));
	}

	async list(userId: number, paging: Paging): Promise<Page<ApiToken>> {
		const {items, total} = await this.#services.tokens.list({userId}, paging);
		return {items: items.map(toApiToken), total};
	}

	async rename(key: ApiTokenKey, name: string | undefined): Promise<ApiToken> {
		return toApiToken(found(await this.#services.tokens.rename(key, name ?? null)));
	}

	/** From here on it opens nothing on this instance, and within a second on the others. */
	async revoke(key: ApiTokenKey): Promise<void> {
		if (!(await this.#services.tokens.remove(key))) throw notFound('api_token_not_found');
		this.#known.forget(({id}) => id === key.id);
	}

	/**
	 * Errors: `token_unknown`, `token_expired`; `store_unavailable` for one not known yet while PostgreSQL is away; those
	 * of the guard.
	 */
	async verify(sent: string, guard?: GuardLookup): Promise<UserPrincipal> {
		const token = readApiToken(sent);
		const known = token === undefined ? undefined : await this.#known.find(token, guard);
		if (!known) throw new DomainError('token_unknown', 'The token is unknown');
		const now = this.#now();
		if (known.expirationTs <= now) throw new DomainError('token_expired', 'The API token has expired');
		this.#uses.set(known.id, now);
		return known.principal;
	}

	/** Tokens, users or roles changed: each token is read again as it comes by. */
	forgetPrincipals(): void {
		this.#known.refresh();
	}

	/** Also runs by itself every minute. */
	async noteUses(): Promise<void> {
		if (this.#uses.size === 0) return;
		const uses = this.#uses;
		this.#uses = new Map();
		try {
			await this.#services.tokens.noteUses(uses);
		} catch (error) {
			for (const [id, ts] of uses) if (!this.#uses.has(id)) this.#uses.set(id, ts);
			throw error;
		}
	}

	async close(): Promise<void> {
		clearInterval(this.#noting);
		await this.noteUses().catch(() => {});
	}

	async #read(token: string): Promise<Known | undefined> {
		const stored = await this.#services.tokens.findByDigest(digestOf(token));
		const grants = stored && (await this.#services.roles.grantsOf(stored.userId));
		if (!stored || !grants) return undefined;
		const {id, userId, expirationTs} = stored;
		const principal: UserPrincipal = {
			kind: 'user',
			userId,
			credential: 'api_token',
			credentialId: String(id),
			communityId: grants.communityId,
			roles: grants.roles,
		};
		return {principal, id, expirationTs};
	}
}

function found(stored: StoredApiToken | undefined): StoredApiToken {
	if (!stored) throw notFound('api_token_not_found');
	return stored;
}

function toApiToken({id, name, creationTs, expirationTs, lastUseTs, start}: StoredApiToken): ApiToken {
	return {id, name, creationTs, expirationTs, lastUseTs, value: masked(start)};
}
