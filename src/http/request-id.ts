import {randomUUID} from 'node:crypto';
import type {IncomingMessage} from 'node:http';

export const REQUEST_ID = 'X-Request-Id';

/** No blanks, no quotes, no `@`: what goes back into a header and into logs is an id and nothing else. */
const SANE = /^[\w.:+/=-]{1,128}$/;

/**
 * What this request is found by: the sender's own `X-Request-Id` where it is at most 128 letters, digits and `.:+/=_-`,
 * a new one otherwise. It is in the answer's header, in the log, and in an error's `error_id`.
 */
export function requestIdOf({headers}: IncomingMessage): string {
	const given = headers['x-request-id'];
	return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}
