import {DomainError} from '../../errors.ts';
import {Nothing, ok} from '../../http/envelope.ts';
import {okPage, PagingQuery, pageOf, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import type {CatalogueServices} from '../catalogue/plugins.ts';
import type {CallWorker} from '../worker-client/worker-client.ts';
import {ContainerActionAnswer, ContainerActionRequest} from './container-actions.schema.ts';
import {actOnContainer} from './container-actions.ts';
import {
	ContainerOnWire,
	containerToWire,
	WorkerOnWire,
	WorkerRequest,
	workerToWire,
} from './workers.schema.ts';
import {
	getWorker,
	removeWorker,
	rotateCredentials,
	setWorker,
	type WorkerServices,
	type WorkerState,
} from './workers.ts';

const VERSION = '/v1/plugins/:pluginId/versions/:versionId';
const WORKER = `${VERSION}/worker`;
const ACTION = 'plugin_workers:manage';
const ERRORS = ['plugin_not_found', 'plugin_version_not_found', 'plugin_worker_not_found'] as const;

/** Where a version's plugin worker listens, and what it is known by. */
export function workerRoutes(
	services: CatalogueServices & WorkerServices & {readonly callWorker: CallWorker},
): Route[] {
	const contextOf = ({principal}: Pick<RouteRequest<unknown, unknown>, 'principal'>) => ({
		...services,
		principal,
	});
	return [
		route({
			method: 'PUT',
			path: WORKER,
			summary: 'Say where the plugin worker is; its token is shown in this answer alone',
			action: ACTION,
			audit: 'plugin_worker_changed',
			body: WorkerRequest,
			answer: WorkerOnWire,
			errors: ['plugin_not_found', 'plugin_version_not_found'],
			async handle(request) {
				const state = await setWorker(contextOf(request), request.params, request.body);
				told(request, state);
				return ok(workerToWire(state));
			},
		}),
		route({
			method: 'GET',
			path: WORKER,
			summary: 'Where the plugin worker is and whether it can be reached',
			action: ACTION,
			answer: WorkerOnWire,
			errors: ERRORS,
			handle: async request => ok(workerToWire(await getWorker(contextOf(request), request.params))),
		}),
		route({
			method: 'DELETE',
			path: WORKER,
			summary: 'Take the plugin worker away; its credentials end at once',
			action: ACTION,
			answer: Nothing,
			audit: 'plugin_worker_removed',
			errors: ERRORS,
			async handle(request) {
				told(request, await removeWorker(contextOf(request), request.params));
				return ok({});
			},
		}),
		route({
			method: 'POST',
			path: `${WORKER}/rotation`,
			summary: 'Another token for the plugin worker, shown in this answer alone; the former ends at once',
			action: ACTION,
			audit: 'plugin_worker_rotated',
			answer: WorkerOnWire,
			errors: ERRORS,
			async handle(request) {
				const state = await rotateCredentials(contextOf(request), request.params);
				told(request, state);
				return ok(workerToWire(state));
			},
		}),
		route({
			method: 'GET',
			path: `${VERSION}/containers`,
			summary: 'What a version runs in: its plugin worker, or nothing',
			action: ACTION,
			query: PagingQuery,
			answer: {page: ContainerOnWire},
			errors: ['plugin_not_found', 'plugin_version_not_found'],
			async handle(request) {
				const paging = toPaging(request.query);
				const states = await getWorker(contextOf(request), request.params).then(
					state => [state],
					error => {
						if (error instanceof DomainError && error.code === 'plugin_worker_not_found') return [];
						throw error;
					},
				);
				return okPage(pageOf(states.map(containerToWire), paging), paging);
			},
		}),
		route({
			method: 'POST',
			path: `${VERSION}/containers/action`,
			summary: 'Ask a version’s plugin worker: CHECK, GET_METADATA, GET_LOG_LEVEL, SET_LOG_LEVEL {level}',
			action: ACTION,
			audit: 'plugin_worker_asked',
			body: ContainerActionRequest,
			answer: ContainerActionAnswer,
			errors: [...ERRORS, 'plugin_worker_failed'],
			async handle(request) {
				const {params, body} = request;
				const {state, result} = await actOnContainer(contextOf(request), params, body);
				told(request, state);
				request.trail.details = {...request.trail.details, action: body.action};
				return ok({action: body.action, container: containerToWire(state), result});
			},
		}),
	];
}

function told(
	{trail}: Pick<RouteRequest<unknown, unknown>, 'trail'>,
	{worker, organisationId}: WorkerState,
): void {
	trail.organisationId = organisationId;
	trail.resourceId = worker.pluginVersionId;
	trail.details = {worker_id: worker.workerId};
}
