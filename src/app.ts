import type {RequestListener} from 'node:http';
import cors from '@koa/cors';
import Koa, {type Context, type Middleware} from 'koa';
import type {Logger} from 'pino';
import {DomainError} from './errors.ts';
import type {BusyDoor} from './http/busy-door.ts';
import {INTERFACE_HEADERS} from './http/interface-headers.ts';
import type {Mounted} from './http/mount.ts';
import {docsRoutes} from './http/openapi/docs.ts';
import {problem} from './http/problem.ts';
import type {Metrics} from './operations/metrics.ts';
import {
	type MetricsAccess,
	observer,
	operationsRoutes,
	watchRequests,
} from './operations/operations.route.ts';
import type {Readiness} from './operations/readiness.ts';

/** Of the interface: all its paths begin with /v1. */
const VERSION = '1';

export interface AppOptions {
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly readiness: Readiness;
	/** Names in the `X-<brand>-...` headers that browsers may send. */
	readonly brands: readonly string[];
	/** Whom `/metrics` answers; absent: everybody who reaches the port. */
	readonly metricsAccess?: MetricsAccess;
	/** Requests that take longer than so many ms are logged; absent: none. */
	readonly slowMs?: number;
}

/** What a server listens with. Health answers at once; the interface's routes are let in when the services stand. */
export function createApp(options: AppOptions): {
	listener: RequestListener;
	admit(mounted: Mounted): void;
} {
	const {log, metrics, readiness, brands, metricsAccess} = options;
	const observe = observer(options);
	const app = new Koa();
	let routes: Middleware | undefined;
	let busyDoor: BusyDoor | undefined;
	let docs: Middleware = (_, next) => next();
	app.silent = true;
	app.on('error', error => log.debug({error}, 'a connection ended early'));
	app.use(watchRequests(observe));
	app.use(problem(log));
	const operations = operationsRoutes({readiness, metrics, metricsAccess});
	const crossing = crossOrigin(brands);
	const admitted: Middleware = (context, next) => {
		if (!routes)
			throw new DomainError('store_unavailable', 'the service is starting', {retryAfterSeconds: 1});
		return routes(context, next);
	};
	app.use((context, next) =>
		isInterface(context)
			? fromBrowser(context)
				? crossing(context, () => admitted(context, next) as Promise<unknown>)
				: admitted(context, next)
			: operations(context, () => docs(context, next) as Promise<unknown>),
	);
	const throughKoa = app.callback();
	return {
		listener: (request, response) =>
			busyDoor ? busyDoor.enter(request, response, throughKoa) : void throughKoa(request, response),
		admit({middleware, routes: served, busyDoor: open}) {
			routes = middleware;
			docs = docsRoutes({routes: served, brand: 'Svc', version: VERSION});
			busyDoor = open({log, observe});
		},
	};
}

function isInterface(context: Context): boolean {
	if (!context.path.startsWith('/v1/')) return false;
	for (const name in INTERFACE_HEADERS) context.res.setHeader(name, INTERFACE_HEADERS[name]!);
	return true;
}

/** Only a browser says where its page came from. */
function fromBrowser(context: Context): boolean {
	return context.headers.origin !== undefined || context.method === 'OPTIONS';
}

/** Browsers may call all of it from anywhere: the credential is in a header, never in a cookie (decisions.md). */
function crossOrigin(brands: readonly string[]): Middleware {
	const branded = brands.flatMap(brand =>
		['Mac', 'Key-Id', 'Ts', 'OTQL-Source'].map(part => `X-${brand}-${part}`),
	);
	return cors({
		origin: '*',
		maxAge: 600,
		allowMethods: ['POST', 'GET', 'PUT', 'DELETE'],
		allowHeaders: [
			...['Accept', 'Content-Type', 'Origin', 'Authorization', 'X-Requested-With', 'X-Requested-By'],
			...['Idempotency-Key', 'Content-Encoding', 'If-None-Match', ...branded],
			...['X-Request-Id', 'traceparent', 'tracestate'],
		],
		exposeHeaders: [
			...['Retry-After', 'RateLimit', 'RateLimit-Policy', 'ETag'],
			...['X-Request-Id', 'X-Query-Id', 'X-Data-Version', 'Age'],
		],
	});
}
