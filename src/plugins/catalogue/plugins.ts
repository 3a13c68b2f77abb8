import {DomainError, invalidField, notFound} from '../../errors.ts';
import {
	type Action,
	assertMayAct,
	assertTheirs,
	isStranger,
	organisationsFor,
} from '../../identity/policy.ts';
import type {Principal} from '../../identity/principal.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {VersionStore} from '../versions/versions.store.ts';
import type {PluginChangeRequest, PluginRequest} from './plugins.schema.ts';
import type {PluginQuery, PluginStore} from './plugins.store.ts';

/** The seven kinds of plugins (specification, "Presets"). */
export const PLUGIN_TYPES = [
	'ACTIVITY_ANALYZER',
	'DISPLAY_AD_RENDERER',
	'AUDIENCE_SEGMENT_EXTERNAL_FEED',
	'EMAIL_ROUTER',
	'EMAIL_TEMPLATE_RENDERER',
	'ATTRIBUTION_PROCESSOR',
	'SCENARIO_CUSTOM_ACTION',
] as const;

export type PluginType = (typeof PLUGIN_TYPES)[number];

/** Named by its developer's group and artifact; no two of an organisation share both. */
export interface Plugin {
	readonly id: number;
	readonly organisationId: number;
	readonly pluginType: PluginType;
	readonly groupId: string;
	readonly artifactId: string;
	/** The version that new instances take where they name none; null: there is none yet. */
	readonly currentVersionId: number | null;
	readonly archived: boolean;
	readonly creationTs: number;
}

/** What the catalogue is built with, once. */
export interface CatalogueServices {
	readonly plugins: PluginStore;
	readonly versions: VersionStore;
	readonly directory: TenantView;
}

export interface CatalogueContext extends CatalogueServices {
	readonly principal: Principal;
}

/** An organisation and all above it, nearest first: their plugins are its to use. */
export function organisationAndAbove(directory: TenantView, organisationId: number): number[] {
	const ids: number[] = [];
	for (let at = directory.organisation(organisationId); at && !ids.includes(at.id); ) {
		ids.push(at.id);
		at = at.administratorId === null ? undefined : directory.organisation(at.administratorId);
	}
	return ids;
}

/** Those an organisation may use, or of all the caller may see. Error: `organisation_not_found`. */
export function listPlugins(
	{principal, directory, plugins}: CatalogueContext,
	{organisationId, ...query}: Omit<PluginQuery, 'organisationIds'> & {organisationId?: number | undefined},
	paging: Paging,
): Promise<Page<Plugin>> {
	if (organisationId !== undefined) {
		assertTheirs(principal, 'plugins:read', organisationId, directory, 'organisation_not_found');
	}
	const theirs =
		organisationId === undefined
			? organisationsFor(principal, 'plugins:read', directory).map(({id}) => id)
			: [organisationId];
	const organisationIds = [...new Set(theirs.flatMap(id => organisationAndAbove(directory, id)))];
	return plugins.list({...query, organisationIds}, paging);
}

/** Clients in the field look for these very words, and no others (field guide, section 1). */
export function pluginTypeMissing(): DomainError {
	const message = 'plugin_type must be defined';
	return new DomainError('field_invalid', message, {faults: [{pointer: '/plugin_type', message}]});
}

/** Errors: `plugin_taken`, `field_invalid`, `role_insufficient`. */
export async function createPlugin(
	{principal, directory, plugins}: CatalogueContext,
	request: PluginRequest,
): Promise<Plugin> {
	const {pluginType, organisationId} = request;
	if (pluginType === undefined) throw pluginTypeMissing();
	if (isStranger(principal, organisationId, directory)) {
		throw invalidField('/organisation_id', 'is no organisation');
	}
	assertMayAct(principal, 'plugins:write', organisationId, directory);
	return plugins.create({...request, pluginType});
}

/** One that the caller's organisation, or one above it, has. Errors: `plugin_not_found`, `role_insufficient`. */
export async function getPlugin(
	context: CatalogueContext,
	action: Action,
	id: number | undefined,
): Promise<Plugin> {
	const plugin = id === undefined ? undefined : await context.plugins.find(id);
	if (!plugin) throw notFound('plugin_not_found');
	assertUsable(context, action, plugin, 'plugin_not_found');
	return plugin;
}

/** The plugin of a version; errors as of `getPlugin`. */
export async function getPluginOfVersion(
	context: CatalogueContext,
	versionId: number | undefined,
): Promise<Plugin> {
	const plugin = versionId === undefined ? undefined : await context.plugins.findByVersion(versionId);
	if (!plugin) throw notFound('plugin_not_found');
	assertUsable(context, 'plugins:read', plugin, 'plugin_not_found');
	return plugin;
}

/** Errors: those of `getPlugin`, `field_invalid` for a version of another plugin. */
export async function changePlugin(
	context: CatalogueContext,
	id: number | undefined,
	change: PluginChangeRequest,
): Promise<Plugin> {
	const plugin = await getPlugin(context, 'plugins:write', id);
	if (change.currentVersionId !== undefined) {
		const version = await context.versions.find(change.currentVersionId);
		if (version?.pluginId !== plugin.id) throw invalidField('/current_version_id', 'is no version of it');
	}
	const changed = await context.plugins.update(plugin.id, change);
	if (!changed) throw notFound('plugin_not_found');
	return changed;
}

/** What a plugin's organisation has, those below it may read; only itself may change it. */
export function assertUsable(
	{principal, directory}: Pick<CatalogueContext, 'principal' | 'directory'>,
	action: Action,
	{organisationId}: Pick<Plugin, 'organisationId'>,
	missing: Parameters<typeof notFound>[0],
): void {
	const isOwn = !isStranger(principal, organisationId, directory);
	const isBelow = () =>
		organisationsFor(principal, 'plugins:read', directory).some(({id}) =>
			directory.isWithin(id, organisationId),
		);
	if (!isOwn && !isBelow()) throw notFound(missing);
	if (isOwn || action !== 'plugins:read') assertMayAct(principal, action, organisationId, directory);
}
