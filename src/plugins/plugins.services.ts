import type {Route} from '../http/route.ts';
import type {Secrets} from '../lib/secrets.ts';
import type {Database} from '../postgres/database.ts';
import type {RevisionWatcher} from '../postgres/revisions.ts';
import type {Directory} from '../tenants/directory.ts';
import {pluginRoutes} from './catalogue/plugins.route.ts';
import {pluginStore} from './catalogue/plugins.store.ts';
import type {CatalogueServices} from './catalogue/plugins.ts';
import {loadAnalyzerChains} from './channel-links/analyzer-links.store.ts';
import {AnalyzerLinks} from './channel-links/analyzer-links.ts';
import {versionRoutes} from './versions/versions.route.ts';
import {versionStore} from './versions/versions.store.ts';
import {openToken} from './workers/workers.ts';

export interface PluginServicesOptions {
	readonly database: Database;
	readonly directory: Directory;
	readonly secrets: Secrets;
	readonly revisions: RevisionWatcher;
}

export interface Plugins {
	readonly routes: readonly Route[];
	/** Which analyzers a channel's activities go through: the hot path asks memory alone. */
	readonly analyzerLinks: AnalyzerLinks;
	readonly catalogue: CatalogueServices;
	close(): Promise<void>;
}

/** Strangers' code, built: what plugins there are, where their workers listen, and what is made of them. */
export async function pluginServices(options: PluginServicesOptions): Promise<Plugins> {
	const {database, directory, secrets, revisions} = options;
	const catalogue = {plugins: pluginStore(database), versions: versionStore(database), directory};
	const analyzerLinks = await AnalyzerLinks.open(() =>
		loadAnalyzerChains(database, sealed => openToken(secrets, sealed)),
	);
	revisions.on('analyzers', () => analyzerLinks.refresh());
	return {
		analyzerLinks,
		catalogue,
		routes: [...pluginRoutes(catalogue), ...versionRoutes(catalogue)],
		async close() {},
	};
}
