import type {ErrorCode, Refusal} from './errors.ts';
import type {Method, PathOf} from './typed.ts';

export const ACTIVITIES = '/v1/datamarts/{datamartId}/user_activities' satisfies PathOf<'POST'>;

/**
 * Asked by POST because the question is long, or doing no harm when done twice. Activities are among them since this
 * client never sends them without an `Idempotency-Key`.
 */
const HARMLESS: ReadonlySet<string> = new Set<PathOf<'POST'>>([
	ACTIVITIES,
	'/v1/authentication/access_tokens',
	'/v1/authentication/refresh_token/revoke',
	'/v1/authentication/refresh_tokens/revoke',
	'/v1/datamarts/{datamartId}/user_activities_analytics',
	'/v1/datamarts/{datamartId}/user_activities_funnel',
	'/v1/datamarts/{datamartId}/user_activities_funnel/user_points',
	'/v1/datamarts/{datamartId}/user_analytics_funnel',
	'/v1/datamarts/{datamartId}/user_analytics_funnel/user_points',
	'/v1/platform_monitoring/collections',
	'/v1/platform_monitoring/data_ingestion',
	'/v1/platform_monitoring/resources_usage',
]);

/** Whether a call may arrive twice. */
export function isRepeatable(method: Method, path: string): boolean {
	return method !== 'POST' || HARMLESS.has(path);
}

/** Too many requests, a gateway without its service or its answer, stores down or starting. */
const LATER: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** A status that says "later", and a reason for which the same call would fail again, or had better not be made again. */
const FINAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
	...(['plugin_worker_failed', 'query_timed_out', 'logins_excessive', 'credentials_excessive'] as const),
]);

/** Said before anything is done; a 503 for another reason may come after it has been. */
const UNTOUCHED: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['journal_full', 'analyzers_behind']);

/** Whether the same call may be sent again after this refusal. */
export function mayComeAgain({status, errorCode}: Refusal, repeatable: boolean): boolean {
	if (!LATER.has(status) || (errorCode && FINAL.has(errorCode))) return false;
	return repeatable || status === 429 || (errorCode !== undefined && UNTOUCHED.has(errorCode));
}

/** What Node calls a request that never left. In browsers the reason is not told, and nothing is assumed. */
const NEVER_LEFT: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

export function neverLeft(error: unknown): boolean {
	return NEVER_LEFT.has((error as {cause?: {code?: unknown}} | undefined)?.cause?.code);
}
