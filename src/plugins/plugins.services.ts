import type {ForeignAssets} from '../files/assets/assets.ts';
import type {Route} from '../http/route.ts';
import type {WorkerCredentials} from '../identity/worker-credentials/worker-credentials.ts';
import type {Secrets} from '../lib/secrets.ts';
import type {Database} from '../postgres/database.ts';
import type {RevisionWatcher} from '../postgres/revisions.ts';
import type {Directory} from '../tenants/directory.ts';
import {pluginRoutes} from './catalogue/plugins.route.ts';
import {pluginStore} from './catalogue/plugins.store.ts';
import type {CatalogueServices} from './catalogue/plugins.ts';
import {loadAnalyzerChains} from './channel-links/analyzer-links.store.ts';
import {AnalyzerLinks} from './channel-links/analyzer-links.ts';
import {channelLinkRoutes} from './channel-links/channel-links.route.ts';
import {channelLinkStore} from './channel-links/channel-links.store.ts';
import {configurationFileRoutes} from './configuration-files/configuration-files.route.ts';
import {configurationFileStore} from './configuration-files/configuration-files.store.ts';
import {emailTemplateRoutes} from './email-templates/email-templates.route.ts';
import {emailTemplateStore} from './email-templates/email-templates.store.ts';
import {emailTestRoutes} from './emails/email-tests.route.ts';
import {instanceRoutes} from './instances/instances.route.ts';
import {instanceStore} from './instances/instances.store.ts';
import {instanceLayoutRoutes} from './layouts/instance-layouts.route.ts';
import {layoutRoutes} from './layouts/layouts.route.ts';
import {layoutStore} from './layouts/layouts.store.ts';
import {presetRoutes} from './presets/presets.route.ts';
import {presetStore} from './presets/presets.store.ts';
import {presetValues} from './presets/presets.ts';
import {versionRoutes} from './versions/versions.route.ts';
import {versionStore} from './versions/versions.store.ts';
import {Networks} from './worker-client/networks.ts';
import {createWorkerClient, type WorkerClient} from './worker-client/worker-client.ts';
import {Greetings} from './workers/greetings.ts';
import {mayBeCalledIn} from './workers/may-be-called.ts';
import {workerRoutes} from './workers/workers.route.ts';
import {workerStore} from './workers/workers.store.ts';
import {openToken, toPluginWorker} from './workers/workers.ts';

export interface PluginServicesOptions {
	readonly database: Database;
	readonly directory: Directory;
	readonly secrets: Secrets;
	readonly revisions: RevisionWatcher;
	readonly workerCredentials: WorkerCredentials;
	/** Addresses and CIDRs of plugin workers that are not public. */
	readonly allowedNetworks: readonly string[];
	readonly foreignAssets: ForeignAssets;
}

export interface Plugins {
	readonly routes: readonly Route[];
	/** Which analyzers a channel's activities go through: the hot path asks memory alone. */
	readonly analyzerLinks: AnalyzerLinks;
	/** All calls of plugin workers in this thread; its states are for other threads to share. */
	readonly workerClient: WorkerClient;
	readonly catalogue: CatalogueServices;
	close(): Promise<void>;
}

/** Strangers' code, built: what plugins there are, where their workers listen, and what is made of them. */
export async function pluginServices(options: PluginServicesOptions): Promise<Plugins> {
	const {database, directory, secrets, revisions, workerCredentials, allowedNetworks, foreignAssets} =
		options;
	const catalogue = {plugins: pluginStore(database), versions: versionStore(database), directory};
	const workers = workerStore(database);
	const workerClient = createWorkerClient({allowedNetworks});
	const analyzerLinks = await AnalyzerLinks.open(() =>
		loadAnalyzerChains(database, sealed => openToken(secrets, sealed)),
	);
	const greetings = await Greetings.open({
		workers,
		toPluginWorker: stored => toPluginWorker(stored, secrets),
		callWorker: workerClient.callWorker,
	});
	const refresh = async () => {
		await Promise.all([analyzerLinks.refresh(), greetings.refresh()]);
	};
	revisions.on('analyzers', refresh);
	// What changed while the two were loaded.
	await refresh();

	const layouts = {...catalogue, layouts: layoutStore(database), foreignAssets};
	const presets = presetStore(database);
	const findPreset = presetValues(presets);
	// What a plugin's workers reach are the organisations that use it: they are read again.
	const changing =
		<Args extends unknown[], Result>(change: (...args: Args) => Promise<Result>) =>
		async (...args: Args): Promise<Result> => {
			const result = await change(...args);
			workerCredentials.forgetPrincipals();
			return result;
		};
	const stored = instanceStore(database);
	const used = {...stored, create: changing(stored.create), remove: changing(stored.remove)};
	const instances = {...catalogue, instances: used, findPreset, analyzerLinks};
	const storedTemplates = emailTemplateStore(database);
	const templates = {...storedTemplates, create: changing(storedTemplates.create)};
	return {
		analyzerLinks,
		workerClient,
		catalogue,
		routes: [
			...pluginRoutes(catalogue),
			...versionRoutes(catalogue),
			...workerRoutes({
				...catalogue,
				workers,
				secrets,
				workerCredentials,
				analyzerLinks,
				greetings,
				mayBeCalled: mayBeCalledIn(new Networks(allowedNetworks)),
				callWorker: workerClient.callWorker,
			}),
			...instanceRoutes(instances),
			...emailTemplateRoutes({...instances, templates}),
			...emailTestRoutes({...instances, templates, workers, callWorker: workerClient.callWorker}),
			...channelLinkRoutes({...instances, links: channelLinkStore(database)}),
			...layoutRoutes(layouts),
			...instanceLayoutRoutes({...instances, ...layouts, templates}),
			...presetRoutes({...layouts, presets}),
			...configurationFileRoutes({...catalogue, files: configurationFileStore(database)}),
		],
		async close() {
			await greetings.close();
			await workerClient.close();
		},
	};
}
