import type {IncomingHttpHeaders} from 'node:http';
import {DomainError} from '../errors.ts';
import type {GuardLookup} from '../identity/lookup-throttle.ts';
import type {Principal} from '../identity/principal.ts';

/**
 * Who a token belongs to; `guard` stands before a question about one that is not in memory.
 * Errors: `token_unknown`, `token_expired`, `store_unavailable`, those of the guard.
 */
export type VerifyToken = (token: string, guard?: GuardLookup) => Promise<Principal>;

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
