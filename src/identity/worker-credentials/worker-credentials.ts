import {timingSafeEqual} from 'node:crypto';
import {DomainError} from '../../errors.ts';
import {randomToken} from '../../lib/tokens.ts';
import {digestOf, newTypedToken} from '../api-tokens/token-format.ts';
import {KnownCredentials} from '../known-credentials.ts';
import type {GuardLookup} from '../lookup-throttle.ts';
import type {WorkerPrincipal} from '../principal.ts';
import type {StoredWorkerCredentials, WorkerCredentialStore} from './worker-credentials.store.ts';

/** Says at a glance what a leaked string is. */
const TOKEN_PREFIX = 'worker-';
const NOBODYS_DIGEST = digestOf('');

/** What a plugin worker and Millrace know each other by; the digest is all that checking needs. */
export interface NewWorkerCredentials {
	readonly workerId: string;
	readonly authenticationToken: string;
	readonly digest: string;
}

/** A worker id of 24 hexadecimal letters unless it keeps the one it has; a token with a checksum, like an API token's. */
export function newWorkerCredentials(workerId: string = randomToken()): NewWorkerCredentials {
	const authenticationToken = newTypedToken(TOKEN_PREFIX);
	return {workerId, authenticationToken, digest: digestOf(authenticationToken)};
}

/**
 * HTTP Basic credentials of plugin workers (field guide, section 2): a digest in PostgreSQL and, once asked for, in
 * memory, so that a known worker's call costs no question (ADR 0005).
 */
export class WorkerCredentials {
	readonly #known: KnownCredentials<StoredWorkerCredentials>;

	constructor({workers}: {readonly workers: WorkerCredentialStore}) {
		this.#known = new KnownCredentials(workerId => workers.find(workerId), {areRandom: true});
	}

	/** Errors: `token_unknown`; `store_unavailable` for one not known yet while PostgreSQL is away; those of the guard. */
	async verify(workerId: string, authenticationToken: string, guard?: GuardLookup): Promise<WorkerPrincipal> {
		const known = await this.#known.find(workerId, guard);
		const isRight = isSame(digestOf(authenticationToken), known?.digest ?? NOBODYS_DIGEST);
		if (!known || !isRight) throw new DomainError('token_unknown', 'The worker’s credentials are unknown');
		return {
			kind: 'worker',
			credential: 'worker',
			credentialId: known.workerId,
			pluginId: known.pluginId,
			pluginVersionId: known.pluginVersionId,
			organisationId: known.organisationId,
			servedOrganisations: known.servedOrganisations,
		};
	}

	/** Revoked or renewed on this instance: the former token opens nothing from here on. */
	forget(workerId: string): void {
		this.#known.forget(known => known.workerId === workerId);
	}

	/** Credentials, or what their plugins serve, changed somewhere: each is read again as it comes by. */
	forgetPrincipals(): void {
		this.#known.refresh();
	}
}

function isSame(one: string, other: string): boolean {
	return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
