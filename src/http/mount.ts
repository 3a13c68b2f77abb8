import Router from '@koa/router';
import type {Context, Middleware} from 'koa';
import compose from 'koa-compose';
import type {UsageMeter} from '../analytics/resource-usage/usage-meter.ts';
import type {Audit} from '../audit/audit.ts';
import {DomainError, notFound} from '../errors.ts';
import {type GuardLookup, LookupThrottle} from '../identity/lookup-throttle.ts';
import {
	administersCommunity,
	assertCredential,
	assertMayAct,
	assertMayActSomewhere,
	isStranger,
	mayBeSigned,
} from '../identity/policy.ts';
import type {Principal} from '../identity/principal.ts';
import type {Signed} from '../identity/signing-keys/signing-keys.ts';
import type {Datamart, TenantView} from '../tenants/directory.ts';
import {parseWith} from '../validation.ts';
import {basicOf, tokenOf, type VerifyToken, type VerifyWorker} from './authenticate.ts';
import {parseJson, readBody, receiveBody, unpackBody, withoutByteOrderMark} from './body.ts';
import {streamBody} from './body-stream.ts';
import {RawAnswer} from './envelope.ts';
import type {Charge, RateLimit} from './rate-limit.ts';
import {remoteAddressReader, type TrustedProxies} from './remote-address.ts';
import type {Route, RouteRequest} from './route.ts';
import {pathAsCalled, type SignedRequests} from './verify-signature.ts';

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
	/** Absent: addresses are those of the connections. */
	readonly trustedProxies?: TrustedProxies | undefined;
}

/** Options, with what is worked out of them once. */
interface Door extends MountOptions {
	readonly remoteAddressOf: (request: Context['req']) => string;
	readonly lookups: LookupThrottle;
}

const UNCOUNTED: Charge = () => {};

/**
 * All routes behind the same door: who asks, may they, is it theirs, what shape, what happens. A router looks at each
 * of its routes, so the busiest stand in one of their own, in front.
 */
export function mount(routes: readonly Route[], given: MountOptions): Middleware {
	const options: Door = {
		...given,
		remoteAddressOf: remoteAddressReader(given.trustedProxies),
		lookups: new LookupThrottle(),
	};
	const busy = routerOf(
		routes.filter(route => route.busy),
		options,
	);
	const others = routerOf(
		routes.filter(route => !route.busy),
		options,
	);
	const first = busy.routes() as Middleware;
	const second = compose([
		others.routes() as Middleware,
		others.allowedMethods({throw: false}) as Middleware,
	]);
	return (context, next) => first(context, () => second(context, next));
}

function routerOf(routes: readonly Route[], options: Door): Router {
	const router = new Router();
	for (const route of routes) {
		const queryOf = queryReader(route);
		for (const path of [route.path, ...(route.aliases ?? [])]) {
			router.register(path, [route.method.toLowerCase()], context =>
				answer(route, queryOf, options, context),
			);
		}
	}
	return router;
}

type ReadQuery = (context: Context) => unknown;

/** Most requests have no query: its defaults are worked out once. */
function queryReader({query: schema}: Route): ReadQuery {
	if (!schema) return context => context.query;
	const absent = schema.safeParse({});
	return context =>
		absent.success && context.querystring === '' ? absent.data : parseWith(schema, context.query, 'query');
}

async function answer(route: Route, queryOf: ReadQuery, options: Door, context: Context): Promise<void> {
	const params = context.params as Record<string, string>;
	const maxBytes = route.maxBodyBytes ?? options.maxBodyBytes;
	const signing = verifySigned(route, options, context, maxBytes);
	const signed = signing && (await signing);
	const principal = signed ? signed.principal : await authenticate(route, options, context);
	if (principal) assertCredential(principal, route.action);
	const datamart = principal && theirs(route, options.directory, principal, params);
	const setHeader = (name: string, value: string) => context.set(name, value);
	const charge = principal && options.rateLimit?.admit(principal, datamart?.id, setHeader);
	const isRead = route.body !== undefined && route.body !== 'stream';
	const bytes = isRead
		? withoutByteOrderMark(
				await (signed?.body
					? unpackBody(context.req, signed.body, maxBytes)
					: readBody(context.req, maxBytes)),
			)
		: Buffer.alloc(0);
	const query = queryOf(context);
	const body = typeof route.body === 'object' ? parseWith(route.body, parseJson(bytes)) : undefined;
	const request: RouteRequest<unknown, unknown> = {
		method: context.method,
		principal: principal as Principal,
		datamart: datamart as Datamart,
		params,
		query,
		body,
		bytes,
		get stream() {
			return streamBody(context.req, maxBytes);
		},
		headers: context.headers,
		mac: signed?.mac,
		// These are made when they are asked for: the busiest routes never do.
		get remoteAddress() {
			return options.remoteAddressOf(context.req);
		},
		get signal() {
			return abortedWith(context);
		},
		get read() {
			const onCost = principal && options.usage?.chargeTo({principal, datamart, headers: context.headers});
			return {signal: abortedWith(context), ...(onCost && {onCost})};
		},
		setHeader,
		trail: {},
		charge: charge ?? UNCOUNTED,
	};
	const result = await route.handle(request);
	if (route.audit && options.audit) {
		await options.audit.record({
			event: route.audit,
			method: context.method,
			principal,
			remoteAddress: request.remoteAddress,
			params,
			organisationId: datamart?.organisationId,
			body,
			answer: result,
			trail: request.trail,
		});
	}
	context.status = 200;
	if (result instanceof RawAnswer) {
		sendRaw(context, result);
	} else {
		context.body = result;
	}
}

function sendRaw(context: Context, {bytes, contentType, etag, length}: RawAnswer): void {
	if (etag !== undefined) context.etag = etag;
	context.body = bytes;
	context.type = contentType;
	if (length !== undefined) context.length = length;
	if (etag === undefined || !hasAlready(context.headers['if-none-match'], etag)) return;
	if (!Buffer.isBuffer(bytes)) bytes.destroy();
	context.status = 304;
	context.body = null;
}

/** By the tags alone: what browsers' `fetch` adds to them (`Cache-Control: no-cache`) speaks to caches in between. */
function hasAlready(tags: string | undefined, etag: string): boolean {
	return (tags ?? '').split(',').some(tag => ['*', `"${etag}"`, `W/"${etag}"`].includes(tag.trim()));
}

/**
 * Where signature headers stand in for a token. The body is part of what was signed: it is received here, as it was
 * sent, unless the route takes no signatures at all.
 */
function verifySigned(
	route: Route,
	door: Door,
	{req, headers}: Context,
	maxBytes: number,
): Promise<Signed> | undefined {
	if (route.action === 'public' || headers.authorization) return undefined;
	const signature = door.signedRequests?.signatureOf(headers);
	if (!signature) return undefined;
	if (!mayBeSigned(route.action)) {
		throw new DomainError('signature_not_accepted', 'This call cannot be signed: it needs a token');
	}
	const readWire = route.body ? () => receiveBody(req, maxBytes) : undefined;
	return door.signedRequests!.verify(signature, pathAsCalled(req), readWire, guardOf(door, req));
}

/** Whose address it was is asked only where a credential is not known yet. */
function guardOf({lookups, remoteAddressOf}: Door, request: Context['req']): GuardLookup {
	return look => lookups.guard(remoteAddressOf(request), look);
}

async function authenticate(route: Route, options: Door, context: Context): Promise<Principal | undefined> {
	if (route.action === 'public') return undefined;
	const inQuery = route.tokenInQuery && context.query.token;
	if (typeof inQuery !== 'string' || context.headers.authorization) {
		const basic = options.verifyWorker && basicOf(context.headers);
		if (basic) return options.verifyWorker!(basic, guardOf(options, context.req));
		return options.verifyToken(tokenOf(context.headers), guardOf(options, context.req));
	}
	const principal = await options.verifyToken(inQuery, guardOf(options, context.req));
	// Addresses end up in logs and histories: nothing but what is public anyway may stand there.
	if (principal.kind === 'channel') return principal;
	throw new DomainError('token_unknown', 'only a channel’s public token may stand in the address');
}

/**
 * The tenant check of every route that names a datamart or an organisation: what is not the principal's is not there
 * (404), what is theirs may still need a higher role (403).
 */
function theirs(
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

function abortedWith(context: Context): AbortSignal {
	const controller = new AbortController();
	context.res.once('close', () => {
		if (!context.res.writableFinished)
			controller.abort(new DomainError('shutting_down', 'the client went away'));
	});
	return controller.signal;
}
