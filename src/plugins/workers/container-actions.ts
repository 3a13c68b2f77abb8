import type {VersionPath} from '../versions/versions.ts';
import type {CallWorker, WorkerCall} from '../worker-client/worker-client.ts';
import {getWorker, toPluginWorker, type WorkerContext, type WorkerState} from './workers.ts';

/** What can be asked of a plugin worker that Millrace does not run itself (field guide, section 2: its own routes). */
export type ContainerAction =
	| {readonly action: 'CHECK'}
	| {readonly action: 'GET_METADATA'}
	| {readonly action: 'GET_LOG_LEVEL'}
	| {readonly action: 'SET_LOG_LEVEL'; readonly args: {readonly level: string}};

export interface ContainerActed {
	readonly state: WorkerState;
	/** What the plugin worker answered; null where it answers nothing. */
	readonly result: unknown;
}

/**
 * `CHECK` greets it, and tells whether it is there; the others are its own answers. Errors: `plugin_worker_failed`, those
 * of `getWorker`.
 */
export async function actOnContainer(
	context: WorkerContext & {readonly callWorker: CallWorker},
	path: VersionPath,
	asked: ContainerAction,
): Promise<ContainerActed> {
	const state = await getWorker(context, path);
	const worker = toPluginWorker(state.worker, context.secrets);
	if (asked.action === 'CHECK') {
		return {state: {...state, reachable: await context.greetings.greet(worker)}, result: null};
	}
	// No part of what `max_qps` counts, and no reason to leave a worker alone: an administrator looks.
	const call = {worker: {...worker, maxQps: null}, evenResting: true, ...requestOf(asked)};
	const answer = await context.callWorker(call);
	return {state, result: asked.action === 'SET_LOG_LEVEL' || answer.text === '' ? null : answer.json()};
}

function requestOf(
	asked: Exclude<ContainerAction, {action: 'CHECK'}>,
): Pick<WorkerCall, 'path' | 'method' | 'body'> {
	if (asked.action === 'GET_METADATA') return {method: 'GET', path: '/v1/metadata'};
	if (asked.action === 'GET_LOG_LEVEL') return {method: 'GET', path: '/v1/log_level'};
	return {method: 'PUT', path: '/v1/log_level', body: {level: asked.args.level}};
}
