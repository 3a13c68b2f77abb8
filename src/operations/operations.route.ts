import Router from '@koa/router';
import type {Middleware} from 'koa';
import {routeOf} from '../http/problem.ts';
import type {Metrics} from './metrics.ts';
import type {Readiness} from './readiness.ts';

/** Health and metrics: answered from the first moment on, without credentials and without an envelope of data. */
export function operationsRoutes(readiness: Readiness, metrics: Metrics): Middleware {
	const router = new Router();
	router.get('/health/live', context => {
		context.body = {status: 'ok'};
	});
	router.get('/health/ready', context => {
		const report = readiness.report();
		context.status = report.ready ? 200 : 503;
		context.body = {status: report.ready ? 'ok' : 'error', ...report};
	});
	router.get('/metrics', async context => {
		context.type = metrics.registry.contentType;
		context.body = await metrics.registry.metrics();
	});
	return router.routes() as Middleware;
}

/** Counts and times every answered request by its route, not by its path. */
export function measureRequests(metrics: Metrics): Middleware {
	return async (context, next) => {
		const began = performance.now();
		try {
			await next();
		} finally {
			metrics.observeRequest(context.method, routeOf(context), context.status, performance.now() - began);
		}
	};
}
