import {createHash, timingSafeEqual} from 'node:crypto';
import Router from '@koa/router';
import type {Context, Middleware} from 'koa';
import type {Logger} from 'pino';
import {DomainError} from '../errors.ts';
import {tokenOf} from '../http/authenticate.ts';
import type {Answered} from '../http/busy-door.ts';
import {routeOf} from '../http/problem.ts';
import {REQUEST_ID, requestIdOf} from '../http/request-id.ts';
import {servedTraced} from '../lib/tracer.ts';
import type {Metrics} from './metrics.ts';
import type {Readiness} from './readiness.ts';

/** `METRICS` and `METRICS_TOKEN`. */
export interface MetricsAccess {
	readonly served: boolean;
	/** Absent: whoever reaches the port may read them. */
	readonly token?: string | undefined;
}

interface Operations {
	readonly readiness: Readiness;
	readonly metrics: Metrics;
	readonly metricsAccess?: MetricsAccess | undefined;
}

/** Health and metrics: answered from the first moment on, without an envelope of data. */
export function operationsRoutes({
	readiness,
	metrics,
	metricsAccess = {served: true},
}: Operations): Middleware {
	const router = new Router();
	router.get('/health/live', context => {
		context.body = {status: 'ok'};
	});
	router.get('/health/ready', context => {
		const report = readiness.report();
		context.status = report.ready ? 200 : 503;
		context.body = {status: report.ready ? 'ok' : 'error', ...report};
	});
	if (metricsAccess.served) {
		router.get('/metrics', async context => {
			if (metricsAccess.token !== undefined) assertToken(context, metricsAccess.token);
			context.type = metrics.registry.contentType;
			context.body = await metrics.text();
		});
	}
	return router.routes() as Middleware;
}

/** Errors: `token_missing`, `token_malformed`, `token_unknown`. */
function assertToken({headers}: Context, token: string): void {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	if (!timingSafeEqual(digest(tokenOf(headers)), digest(token))) {
		throw new DomainError('token_unknown', 'this token does not open the metrics');
	}
}

/** What becomes of an answered request, whichever way it went: counted by its route, and logged where it was slow. */
export function observer({
	log,
	metrics,
	slowMs = Number.POSITIVE_INFINITY,
}: {
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly slowMs?: number;
}): (answered: Answered) => void {
	return answered => {
		metrics.observeRequest(answered);
		if (answered.ms >= slowMs) log.warn({...answered, ms: Math.round(answered.ms)}, 'a request was slow');
		else if (log.isLevelEnabled('debug')) log.debug(answered, 'answered');
	};
}

/** Gives each request its id, and tells of it when it is answered. */
export function watchRequests(observe: (answered: Answered) => void): Middleware {
	return async (context, next) => {
		await servedTraced(context.headers, () => watched(context, next, observe));
	};
}

async function watched(
	context: Context,
	next: () => Promise<unknown>,
	observe: (answered: Answered) => void,
): Promise<Answered> {
	const began = performance.now();
	const requestId = requestIdOf(context.req);
	context.state.requestId = requestId;
	context.set(REQUEST_ID, requestId);
	// What goes wrong is an answer by now (http/problem.ts).
	await next();
	const {method, status} = context;
	const queryId = context.response.get('X-Query-Id') || undefined;
	const ms = performance.now() - began;
	const answered = {requestId, method, route: routeOf(context), status, ms, queryId};
	observe(answered);
	return answered;
}
