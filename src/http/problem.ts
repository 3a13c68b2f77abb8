import type {Context, Middleware} from 'koa';
import type {Logger} from 'pino';
import {DomainError, type ErrorCode} from '../errors.ts';
import {lingerAfter} from './linger.ts';

/** The one table code -> HTTP status. Codes that end in `_not_found` are 404 and need no line. */
const STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = {
	token_missing: 401,
	token_malformed: 401,
	token_unknown: 401,
	token_expired: 401,
	signature_invalid: 401,
	signature_not_accepted: 403,
	key_id_taken: 409,
	credentials_invalid: 401,
	logins_excessive: 429,
	credentials_excessive: 429,
	rate_limit_exceeded: 429,
	role_insufficient: 403,
	access_token_required: 403,
	administrator_last: 409,
	plugin_version_archived: 409,
	preset_archived: 409,
	document_import_busy: 409,
	deletion_receipt_missing: 409,
	job_execution_ended: 409,
	dead_letter_replayed: 409,
	dead_letter_not_replayable: 409,
	plugin_taken: 409,
	version_id_taken: 409,
	plugin_property_fixed: 409,
	plugin_instance_in_use: 409,
	email_template_archived: 409,
	method_not_allowed: 405,
	body_too_large: 413,
	encoding_unsupported: 415,
	query_timed_out: 504,
	query_cancelled: 409,
	queries_excessive: 429,
	query_memory_exceeded: 422,
	query_failed: 500,
	store_unavailable: 503,
	not_yet_queryable: 503,
	journal_full: 503,
	analyzers_behind: 503,
	plugin_worker_failed: 502,
	shutting_down: 503,
	internal_error: 500,
};

/** Every other code is the sender's fault. */
export function statusOf(code: ErrorCode): number {
	return STATUSES[code] ?? (code.endsWith('_not_found') ? 404 : 400);
}

/** The route, not the path: a path may name a person. */
export function routeOf(context: Context): string {
	return String((context as {_matchedRoute?: string | RegExp})._matchedRoute ?? 'unknown');
}

/** An error answer, whoever writes it. */
export interface Problem {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: object;
}

/** Which request went wrong. */
interface Failed {
	readonly requestId: string;
	readonly route: string;
}

/** Whatever was thrown as an error answer: `{status, error, error_code, error_id, errors?}` (decisions.md). */
export function problemOf(error: unknown, log: Logger, {requestId, route}: Failed): Problem {
	const known =
		error instanceof DomainError
			? error
			: new DomainError('internal_error', 'Internal error', {cause: error});
	const status = statusOf(known.code);
	if (status >= 500) {
		log.error({requestId, code: known.code, error: known.cause ?? known, route}, known.message);
	}
	const headers: Record<string, string> = {};
	if (known.retryAfterSeconds !== undefined) headers['Retry-After'] = String(known.retryAfterSeconds);
	if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
	// Clients stop sending what nobody wants; what comes all the same is thrown away (linger.ts).
	if (status === 413 || status === 415) headers.Connection = 'close';
	const body = {
		status: 'error',
		error: known.message,
		error_code: known.code,
		error_id: requestId,
		...(known.faults.length > 0 ? {errors: known.faults} : {}),
	};
	return {status, headers, body};
}

export function problem(log: Logger): Middleware {
	return async (context, next) => {
		try {
			await next();
			if (context.status === 404 && context.body == null) {
				throw new DomainError('route_not_found', 'Resource Not Found');
			}
			if (context.status === 405 || context.status === 501) {
				throw new DomainError('method_not_allowed', `${context.method} is not served here`);
			}
		} catch (error) {
			const {status, headers, body} = problemOf(error, log, {
				requestId: context.state.requestId,
				route: routeOf(context),
			});
			context.status = status;
			context.set(headers);
			if (context.req.readableDidRead && !context.req.complete) context.set('Connection', 'close');
			if (context.response.get('Connection') === 'close' && !context.req.complete) lingerAfter(context.req);
			context.body = body;
		}
	};
}
