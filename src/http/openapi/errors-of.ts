import type {ErrorCode} from '../../errors.ts';
import {type Action, mayBeSigned, POLICY} from '../../identity/policy.ts';
import type {Route} from '../route.ts';

/** Whatever is called, on whatever route. */
const ALWAYS: readonly ErrorCode[] = ['store_unavailable', 'shutting_down', 'internal_error'];

const WITH_CREDENTIALS: readonly ErrorCode[] = [
	...(['token_missing', 'token_malformed', 'token_unknown', 'token_expired'] as const),
	...(['credentials_excessive', 'signature_not_accepted', 'role_insufficient'] as const),
	'rate_limit_exceeded',
];

const WITH_BODY: readonly ErrorCode[] = [
	...(['body_missing', 'body_too_large', 'body_unreadable', 'encoding_unsupported'] as const),
];

const WITH_SCHEMA: readonly ErrorCode[] = ['json_malformed', 'field_invalid'];

/** What a path may name in vain. */
const NAMED: Readonly<Record<string, ErrorCode>> = {
	datamartId: 'datamart_not_found',
	organisationId: 'organisation_not_found',
	communityId: 'community_not_found',
	userId: 'user_not_found',
	userRoleId: 'user_role_not_found',
	tokenId: 'api_token_not_found',
	signingKeyId: 'signing_key_not_found',
	channelId: 'channel_not_found',
	siteId: 'channel_not_found',
	mobileApplicationId: 'channel_not_found',
	deadLetterId: 'dead_letter_not_found',
	selector: 'user_point_not_found',
	compartment: 'compartment_not_found',
	queryId: 'query_not_found',
	segmentId: 'user_segment_not_found',
};

/** Of routes that put questions to the warehouse for whoever asks. */
const WITH_QUESTIONS: readonly ErrorCode[] = [
	...(['queries_excessive', 'query_cancelled', 'query_timed_out'] as const),
	...(['query_memory_exceeded', 'query_failed'] as const),
];

const ASKING: ReadonlySet<Action> = new Set<Action>([
	...(['analytics:read', 'resource_usage:read', 'activities:read', 'identifiers:read'] as const),
	...(['segments:read', 'memberships:read', 'memberships:write', 'activity_traces:read'] as const),
]);

/** What no route is there for; told once, at the root of the document. */
export const ELSEWHERE: readonly ErrorCode[] = ['route_not_found', 'method_not_allowed'];

/** What an answer never carries: the reasons of jobs that failed. */
export const TOLD_BY_JOBS: readonly ErrorCode[] = ['final_values_invalid'];

/** Every code a route may refuse with: by its shape (`mount.ts`), and by what it says of itself. */
export function errorsOf(route: Route): ErrorCode[] {
	const codes = new Set<ErrorCode>(ALWAYS);
	const add = (...more: readonly ErrorCode[]) => {
		for (const code of more) codes.add(code);
	};
	if (POLICY[route.action] !== 'public') add(...WITH_CREDENTIALS);
	if (mayBeSigned(route.action)) add('signature_invalid');
	if (route.action === 'api_tokens:manage') add('access_token_required');
	for (const [param, code] of Object.entries(NAMED)) {
		if ([route.path, ...(route.aliases ?? [])].some(path => path.includes(`:${param}`))) add(code);
	}
	// Also where the handler reads it: content types and file names are fields as well.
	if (route.body !== undefined) add(...WITH_BODY, ...WITH_SCHEMA);
	if (route.query !== undefined) add('field_invalid');
	if (ASKING.has(route.action)) add(...WITH_QUESTIONS);
	add(...(route.errors ?? []));
	return [...codes].sort();
}
