import {invalidField, notFound} from '../../errors.ts';
import {
	newWorkerCredentials,
	type WorkerCredentials,
} from '../../identity/worker-credentials/worker-credentials.ts';
import type {Secrets} from '../../lib/secrets.ts';
import type {CatalogueContext} from '../catalogue/plugins.ts';
import type {AnalyzerLinks} from '../channel-links/analyzer-links.ts';
import {getVersion, type VersionPath} from '../versions/versions.ts';
import type {Greetings} from './greetings.ts';
import type {MayBeCalled} from './may-be-called.ts';
import type {SealedCredentials, StoredWorker, WorkerStore} from './workers.store.ts';

/** Where a version's plugin worker listens and what it and Millrace know each other by. Plain data: threads take it. */
export interface PluginWorker {
	readonly pluginVersionId: number;
	/** `http://host:port` with an optional path, no slash at the end. */
	readonly url: string;
	readonly workerId: string;
	/** In the clear: never log it, never answer it. */
	readonly authenticationToken: string;
	/** Calls a second over all instances of the version; null: no limit. */
	readonly maxQps: number | null;
}

export interface WorkerServices {
	readonly workers: WorkerStore;
	readonly secrets: Secrets;
	readonly workerCredentials: Pick<WorkerCredentials, 'forget'>;
	readonly analyzerLinks: Pick<AnalyzerLinks, 'refresh'>;
	readonly greetings: Pick<Greetings, 'greet' | 'refresh'>;
	readonly mayBeCalled: MayBeCalled;
}

export type WorkerContext = CatalogueContext & WorkerServices;

/** What an administrator is told of a plugin worker. */
export interface WorkerState {
	readonly worker: StoredWorker;
	/** In the answer that makes it, and in no other. */
	readonly authenticationToken: string | null;
	readonly reachable: boolean;
	/** Of the plugin. */
	readonly organisationId: number;
}

const PURPOSE = 'plugin worker token';

/** Another address gets other credentials, and the former ones end; the same address keeps them (decisions.md). */
export async function setWorker(
	context: WorkerContext,
	path: VersionPath,
	{url}: {readonly url: URL},
): Promise<WorkerState> {
	const version = await getVersion(context, 'plugin_workers:manage', path);
	if (!(await context.mayBeCalled(url.hostname))) {
		throw invalidField('/url', 'is not in a network that plugin workers may be in');
	}
	const {authenticationToken, credentials} = newCredentials(context);
	const {worker, formerWorkerId, isNew} = await context.workers.put(version.id, textOf(url), credentials);
	await spread(context, formerWorkerId);
	const reachable = await context.greetings.greet(toPluginWorker(worker, context.secrets));
	const shown = isNew ? authenticationToken : null;
	return {worker, authenticationToken: shown, reachable, organisationId: version.organisationId};
}

/** A new token for the worker where it is; the former opens nothing any more. Error: `plugin_worker_not_found`. */
export async function rotateCredentials(context: WorkerContext, path: VersionPath): Promise<WorkerState> {
	const {worker: former, organisationId} = await getWorker(context, path);
	const {authenticationToken, credentials} = newCredentials(context, former.workerId);
	const worker = await context.workers.renew(former.pluginVersionId, credentials);
	if (!worker) throw notFound('plugin_worker_not_found');
	await spread(context, worker.workerId);
	const reachable = await context.greetings.greet(toPluginWorker(worker, context.secrets));
	return {worker, authenticationToken, reachable, organisationId};
}

/** Errors: `plugin_worker_not_found`, those of `getVersion`. */
export async function getWorker(context: WorkerContext, path: VersionPath): Promise<WorkerState> {
	const version = await getVersion(context, 'plugin_workers:manage', path);
	const worker = await context.workers.find(version.id);
	if (!worker) throw notFound('plugin_worker_not_found');
	return {
		worker,
		authenticationToken: null,
		reachable: worker.reachable,
		organisationId: version.organisationId,
	};
}

/** Its credentials end; analyzers of the version fail until there is another. */
export async function removeWorker(context: WorkerContext, path: VersionPath): Promise<WorkerState> {
	const version = await getVersion(context, 'plugin_workers:manage', path);
	const former = await context.workers.remove(version.id);
	if (!former) throw notFound('plugin_worker_not_found');
	await spread(context, former.workerId);
	return {
		worker: former,
		authenticationToken: null,
		reachable: false,
		organisationId: version.organisationId,
	};
}

function newCredentials({secrets}: WorkerServices, workerId?: string) {
	const {authenticationToken, ...made} = newWorkerCredentials(workerId);
	const credentials: SealedCredentials = {...made, tokenSealed: secrets.seal(PURPOSE, authenticationToken)};
	return {authenticationToken, credentials};
}

/** What this instance has in memory; the others see it in the revisions. */
async function spread(context: WorkerServices, revokedWorkerId: string | undefined): Promise<void> {
	if (revokedWorkerId !== undefined) context.workerCredentials.forget(revokedWorkerId);
	await Promise.all([context.analyzerLinks.refresh(), context.greetings.refresh()]);
}

/** A sealed token in the clear. */
export function openToken(secrets: Secrets, sealed: Buffer): string {
	return secrets.open(PURPOSE, sealed).toString('utf8');
}

export function toPluginWorker(stored: StoredWorker, secrets: Secrets): PluginWorker {
	return {
		pluginVersionId: stored.pluginVersionId,
		url: stored.url,
		workerId: stored.workerId,
		authenticationToken: openToken(secrets, stored.tokenSealed),
		maxQps: stored.maxQps,
	};
}

function textOf(url: URL): string {
	return (url.origin + url.pathname).replace(/\/+$/, '');
}
