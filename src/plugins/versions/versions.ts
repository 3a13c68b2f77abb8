import {notFound} from '../../errors.ts';
import type {Action} from '../../identity/policy.ts';
import {parseId} from '../../lib/ids.ts';
import type {Page, Paging} from '../../lib/page.ts';
import {type CatalogueContext, getPlugin, type PluginType} from '../catalogue/plugins.ts';
import type {PluginProperty} from '../properties/properties.ts';
import type {VersionChangeRequest, VersionRequest} from './versions.schema.ts';

/** One version of a plugin, with what names the plugin. */
export interface PluginVersion {
	readonly id: number;
	readonly pluginId: number;
	readonly organisationId: number;
	readonly pluginType: PluginType;
	readonly groupId: string;
	readonly artifactId: string;
	/** As its developer calls it: `1.0.0`; `version_id` on the wire. */
	readonly versionValue: string;
	readonly maintainerId: number | null;
	readonly buildTag: string | null;
	readonly imageName: string | null;
	/** Calls a second of all its instances together; null: no limit. */
	readonly maxQps: number | null;
	readonly archived: boolean;
	readonly creationTs: number;
	/** Whether somebody said where its plugin worker is. */
	readonly hasWorker: boolean;
}

/** `:pluginId` and `:versionId` of a path, as texts. */
export type VersionPath = Readonly<Record<string, string>>;

export async function listVersions(
	context: CatalogueContext,
	pluginId: number | undefined,
	query: {readonly archived?: boolean | undefined},
	paging: Paging,
): Promise<Page<PluginVersion>> {
	const plugin = await getPlugin(context, 'plugins:read', pluginId);
	return context.versions.list({...query, pluginId: plugin.id}, paging);
}

/** It becomes the plugin's current version. Errors: `plugin_not_found`, `version_id_taken`, `role_insufficient`. */
export async function createVersion(
	context: CatalogueContext,
	pluginId: number | undefined,
	request: VersionRequest,
): Promise<PluginVersion> {
	const plugin = await getPlugin(context, 'plugins:write', pluginId);
	return context.versions.create({...request, pluginId: plugin.id});
}

/**
 * The version of a path, when the caller may do `action` with it: `plugins:read` is for the organisations below the
 * plugin's as well. Errors: `plugin_not_found`, `plugin_version_not_found`, `role_insufficient`.
 */
export async function getVersion(
	context: CatalogueContext,
	action: Action,
	path: VersionPath,
): Promise<PluginVersion> {
	const plugin = await getPlugin(context, action, parseId(path.pluginId ?? ''));
	const id = parseId(path.versionId ?? '');
	const version = id === undefined ? undefined : await context.versions.find(id);
	if (version?.pluginId !== plugin.id) throw notFound('plugin_version_not_found');
	return version;
}

/** Errors as of `getVersion`. */
export async function changeVersion(
	context: CatalogueContext,
	path: VersionPath,
	change: VersionChangeRequest,
): Promise<PluginVersion> {
	const {id} = await getVersion(context, 'plugins:write', path);
	const changed = await context.versions.update(id, change);
	if (!changed) throw notFound('plugin_version_not_found');
	return changed;
}

/** What its instances have, unless they say otherwise. Errors as of `getVersion`. */
export async function propertiesOf(
	context: CatalogueContext,
	path: VersionPath,
): Promise<readonly PluginProperty[]> {
	const {id} = await getVersion(context, 'plugins:read', path);
	return context.versions.propertiesOf(id);
}
