import Router from '@koa/router';
import type {Context, Middleware} from 'koa';
import compose from 'koa-compose';
import {DomainError} from '../errors.ts';
import {LookupThrottle} from '../identity/lookup-throttle.ts';
import {assertCredential, mayBeSigned} from '../identity/policy.ts';
import type {Principal} from '../identity/principal.ts';
import type {Signed} from '../identity/signing-keys/signing-keys.ts';
import type {Datamart} from '../tenants/directory.ts';
import {parseWith} from '../validation.ts';
import {parseJson, readBody, receiveBody, unpackBody, withoutByteOrderMark} from './body.ts';
import {BusyDoor, type Reporting} from './busy-door.ts';
import {RawAnswer} from './envelope.ts';
import {authenticate, type Door, guardOf, type MountOptions, theirs} from './gate.ts';
import {LetIn} from './let-in.ts';
import type {Charge} from './rate-limit.ts';
import {remoteAddressReader} from './remote-address.ts';
import type {Route} from './route.ts';
import {pathAsCalled} from './verify-signature.ts';

/** All routes, mounted. */
export interface Mounted {
	readonly middleware: Middleware;
	readonly routes: readonly Route[];
	/** The short way to the busiest of them. */
	busyDoor(reporting: Reporting): BusyDoor;
}

const UNCOUNTED: Charge = () => {};

/**
 * All routes behind the same door: who asks, may they, is it theirs, what shape, what happens. A router looks at each
 * of its routes, so the busiest stand in one of their own, in front.
 */
export function mount(routes: readonly Route[], given: MountOptions): Mounted {
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
	return {
		routes,
		middleware: (context, next) => {
			// Some clients escape the `=` of `locale=fr-FR`; what was signed is the path as it came.
			const asNamed = context.path.replace(/%3D/gi, '=');
			if (asNamed !== context.path) (context as {newRouterPath?: string}).newRouterPath = asNamed;
			return first(context, () => second(context, next));
		},
		busyDoor: reporting => new BusyDoor(routes, options, reporting),
	};
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
		absent.success && context.querystring === ''
			? absent.data
			: parseWith(schema, withoutNulls(context.query), 'query');
}

/** A client in the field writes what it has no value for as the word `null` (field guide, Requests). */
function withoutNulls(query: Context['query']): Context['query'] {
	return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== 'null'));
}

async function answer(route: Route, queryOf: ReadQuery, options: Door, context: Context): Promise<void> {
	const params = context.params as Record<string, string>;
	const maxBytes = route.maxBodyBytes ?? options.maxBodyBytes;
	const signing = verifySigned(route, options, context, maxBytes);
	const signed = signing && (await signing);
	const principal = signed
		? signed.principal
		: await authenticate(route, options, context.req, context.query);
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
	const known = {
		method: context.method,
		principal: principal as Principal,
		datamart: datamart as Datamart,
		params,
		query,
		body,
		bytes,
		headers: context.headers,
		mac: signed?.mac,
		setHeader,
		trail: {},
		charge: charge ?? UNCOUNTED,
	};
	const request = new LetIn(known, {req: context.req, res: context.res, door: options, maxBytes});
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
