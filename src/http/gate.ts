import type {IncomingMessage} from 'node:http';
import type {Questions} from '../analytics/questions/questions.ts';
import type {UsageMeter} from '../analytics/resource-usage/usage-meter.ts';
import type {Audit} from '../audit/audit.ts';
import {DomainError, notFound} from '../errors.ts';
import type {GuardLookup, LookupThrottle} from '../identity/lookup-throttle.ts';
import {administersCommunity, assertMayAct, assertMayActSomewhere, isStranger} from '../identity/policy.ts';
import type {Principal} from '../identity/principal.ts';
import type {Datamart, TenantView} from '../tenants/directory.ts';
import {basicOf, tokenOf, type VerifyToken, type VerifyWorker} from './authenticate.ts';
import type {RateLimit} from './rate-limit.ts';
import type {TrustedProxies} from './remote-address.ts';
import type {Route} from './route.ts';
import type {SignedRequests} from './verify-signature.ts';

export interface MountOptions {
	readonly directory: TenantView;
	readonly verifyToken: VerifyToken;
	/** Absent: no plugin worker is known. */
	readonly verifyWorker?: VerifyWorker | undefined;
	/** Absent: no signature opens anything. */
	readonly signedRequests?: SignedRequests | undefined;
	readonly maxBodyBytes: number;
	/** Absent: nothing is counted. */
	readonly rateLimit?: RateLimit | undefined;
	/** Absent: what routes change is written down nowhere. */
	readonly audit?: Audit | undefined;
	/** Absent: what questions cost is told to nobody. */
	readonly usage?: Pick<UsageMeter, 'chargeTo'> | undefined;
	/** Absent: questions are put at once, without bound or cache. */
	readonly questions?: Pick<Questions, 'readFor'> | undefined;
	/** Absent: addresses are those of the connections. */
	readonly trustedProxies?: TrustedProxies | undefined;
}

/** Options, with what is worked out of them once. */
export interface Door extends MountOptions {
	readonly remoteAddressOf: (request: IncomingMessage) => string;
	readonly lookups: LookupThrottle;
}

/** Whose address it was is asked only where a credential is not known yet. */
export function guardOf({lookups, remoteAddressOf}: Door, request: IncomingMessage): GuardLookup {
	return look => lookups.guard(remoteAddressOf(request), look);
}

/** Who asks, by what the request brings; nobody where a route is public. Errors: those of tokens and credentials. */
export async function authenticate(
	route: Route,
	options: Door,
	request: IncomingMessage,
	query: Readonly<Record<string, unknown>> = {},
): Promise<Principal | undefined> {
	if (route.action === 'public') return undefined;
	const {headers} = request;
	const inQuery = route.tokenInQuery && query.token;
	if (typeof inQuery !== 'string' || headers.authorization) {
		const basic = options.verifyWorker && basicOf(headers);
		if (basic) return options.verifyWorker!(basic, guardOf(options, request));
		return options.verifyToken(tokenOf(headers), guardOf(options, request));
	}
	const principal = await options.verifyToken(inQuery, guardOf(options, request));
	// Addresses end up in logs and histories: nothing but what is public anyway may stand there.
	if (principal.kind === 'channel') return principal;
	throw new DomainError('token_unknown', 'only a channel’s public token may stand in the address');
}

/**
 * The tenant check of every route that names a datamart or an organisation: what is not the principal's is not there
 * (404), what is theirs may still need a higher role (403).
 */
export function theirs(
	route: Route,
	directory: TenantView,
	principal: Principal,
	params: Readonly<Record<string, string>>,
): Datamart | undefined {
	if (params.datamartId !== undefined) {
		const datamart = directory.datamart(idOf(params.datamartId));
		const isForeign = principal.kind === 'channel' && principal.datamartId !== datamart?.id;
		if (!datamart || isForeign || isStranger(principal, datamart.organisationId, directory))
			throw notFound('datamart_not_found');
		assertMayAct(principal, route.action, datamart.organisationId, directory);
		return datamart;
	}
	if (params.organisationId !== undefined) {
		const organisationId = idOf(params.organisationId);
		if (isStranger(principal, organisationId, directory)) throw notFound('organisation_not_found');
		assertMayAct(principal, route.action, organisationId, directory);
		return undefined;
	}
	// Where the path names no tenant the domain knows whose record it is; the role is asked for all the same.
	assertMayActSomewhere(
		principal,
		route.action,
		params.userId === undefined ? undefined : idOf(params.userId),
	);
	if (params.communityId !== undefined && !administersCommunity(principal, idOf(params.communityId))) {
		throw notFound('community_not_found');
	}
	return undefined;
}

/** Ids are positive integers; anything else names nothing. */
export function idOf(text: string): number {
	return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0;
}
