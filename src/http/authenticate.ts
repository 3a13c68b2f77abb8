import type {IncomingHttpHeaders} from 'node:http';
import {DomainError} from '../errors.ts';
import type {GuardLookup} from '../identity/lookup-throttle.ts';
import type {Principal} from '../identity/principal.ts';

/**
 * Who a token belongs to; `guard` stands before a question about one that is not in memory.
 * Errors: `token_unknown`, `token_expired`, `store_unavailable`, those of the guard.
 */
export type VerifyToken = (token: string, guard?: GuardLookup) => Promise<Principal>;

/** Whose plugin worker it is; errors as of `VerifyToken`. */
export type VerifyWorker = (credentials: BasicCredentials, guard?: GuardLookup) => Promise<Principal>;

export interface BasicCredentials {
	readonly workerId: string;
	readonly authenticationToken: string;
}

/** What plugin workers send: `Basic` and the Base64 of id:token (field guide, section 2); undefined for other schemes. */
export function basicOf(headers: IncomingHttpHeaders): BasicCredentials | undefined {
	const encoded = /^basic\s+(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1];
	if (encoded === undefined) return undefined;
	const [, workerId, authenticationToken] =
		/^([^:]{1,255}):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
	if (workerId !== undefined && authenticationToken !== undefined) return {workerId, authenticationToken};
	throw new DomainError('token_malformed', 'Basic credentials are an id, a colon and a token, in Base64');
}

/** The token of the Authorization header: bare, or after `Bearer` (specification, Authentication). */
export function tokenOf(headers: IncomingHttpHeaders): string {
	const value = headers.authorization?.trim() ?? '';
	if (value === '') throw new DomainError('token_missing', 'an Authorization header is needed');
	const token = value.replace(/^bearer\s+/i, '');
	if (/\s/.test(token)) {
		throw new DomainError(
			'token_malformed',
			'the Authorization header is neither a token nor Bearer and a token',
		);
	}
	return token;
}
