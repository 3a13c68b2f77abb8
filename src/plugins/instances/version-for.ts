import {isDeepStrictEqual} from 'node:util';
import {invalidField} from '../../errors.ts';
import {
	type CatalogueContext,
	organisationAndAbove,
	type Plugin,
	type PluginType,
} from '../catalogue/plugins.ts';
import {
	assignmentsFor,
	type Override,
	type PropertyAssignment,
	type PropertyRequest,
	propertiesWith,
} from '../properties/properties.ts';
import type {PluginVersion} from '../versions/versions.ts';

/** What an instance takes from a preset. */
export interface PresetValues {
	readonly organisationId: number;
	readonly pluginVersionId: number;
	readonly archived: boolean;
	readonly properties: readonly PropertyAssignment[];
}

/** Undefined where there is no such preset. */
export type FindPreset = (presetId: number) => Promise<PresetValues | undefined>;

/** The ways a request may name a plugin's version; what it says twice must agree. */
export interface VersionRef {
	readonly presetId?: number | undefined;
	/** The version's record. */
	readonly versionId?: number | undefined;
	/** As its developer calls it. */
	readonly versionValue?: string | undefined;
	readonly pluginId?: number | undefined;
	readonly groupId?: string | undefined;
	readonly artifactId?: string | undefined;
	/** What the body calls these fields. */
	readonly fields: Readonly<Record<'pluginId' | 'groupId' | 'artifactId' | 'versionId', string>>;
}

type Context = CatalogueContext & {readonly findPreset: FindPreset};

/**
 * The version a new instance is of, and the values it begins with: a preset's, fixed, then the request's own. The
 * plugin must be the organisation's or one of an organisation above it. Error: `field_invalid`.
 */
export async function versionFor(
	context: Context,
	pluginType: PluginType,
	organisationId: number,
	request: VersionRef & {readonly properties: readonly PropertyRequest[]},
): Promise<{version: PluginVersion; overrides: Override[]}> {
	const usable = organisationAndAbove(context.directory, organisationId);
	const preset = await usablePreset(context, usable, request.presetId);
	const version = await namedVersion(context, pluginType, usable, preset, request);
	const plugin = await context.plugins.find(version.pluginId);
	if (version.archived || plugin?.archived) throw invalidField(request.fields.versionId, 'is archived');
	const declared = await context.versions.propertiesOf(version.id);
	const overrides: Override[] = (preset?.properties ?? []).map(value => ({...value, fixed: true}));
	const begun = new Map(propertiesWith(declared, overrides).map(each => [each.technicalName, each]));
	for (const [index, assignment] of assignmentsFor(declared, request.properties, '/properties').entries()) {
		const {writable, origin, value} = begun.get(assignment.technicalName)!;
		if (writable) overrides.push({...assignment, fixed: false});
		// A form sends all it holds: what is as it was is no change.
		else if (!isDeepStrictEqual(assignment.value, value)) {
			const why = origin === 'INSTANCE' ? 'is fixed by the preset' : 'cannot be changed: the plugin set it';
			throw invalidField(`/properties/${index}/technical_name`, why);
		}
	}
	return {version, overrides};
}

async function usablePreset({findPreset}: Context, usable: readonly number[], presetId: number | undefined) {
	if (presetId === undefined) return undefined;
	const preset = await findPreset(presetId);
	if (!preset || !usable.includes(preset.organisationId)) throw invalidField('/preset_id', 'is no preset');
	if (preset.archived) throw invalidField('/preset_id', 'is archived');
	return preset;
}

async function namedVersion(
	context: Context,
	pluginType: PluginType,
	usable: readonly number[],
	preset: PresetValues | undefined,
	request: VersionRef,
): Promise<PluginVersion> {
	const {fields} = request;
	const isNamed = request.pluginId !== undefined || request.artifactId !== undefined;
	const plugin = isNamed ? await namedPlugin(context, usable, request) : undefined;
	const id = preset?.pluginVersionId ?? request.versionId ?? undefined;
	const version =
		id === undefined ? await versionOf(context, plugin, request) : await context.versions.find(id);
	const isTheirs = version && usable.includes(version.organisationId);
	if (!isTheirs || (plugin && version.pluginId !== plugin.id)) {
		throw invalidField(preset ? '/preset_id' : fields.versionId, 'is of no such plugin');
	}
	if (version.pluginType !== pluginType) {
		throw invalidField(isNamed ? fields.artifactId : fields.versionId, `is not of type ${pluginType}`);
	}
	const disagrees =
		(request.versionId !== undefined && request.versionId !== version.id) ||
		(request.versionValue !== undefined && request.versionValue !== version.versionValue);
	if (disagrees)
		throw invalidField(fields.versionId, 'is another version than the rest of the request names');
	return version;
}

/** By its id, or the nearest of this group and artifact. */
async function namedPlugin(
	{plugins}: Context,
	usable: readonly number[],
	{pluginId, groupId, artifactId, fields}: VersionRef,
): Promise<Plugin> {
	if (pluginId !== undefined) {
		const plugin = await plugins.find(pluginId);
		if (!plugin || !usable.includes(plugin.organisationId))
			throw invalidField(fields.pluginId, 'is no plugin');
		if (groupId !== undefined && groupId !== plugin.groupId) {
			throw invalidField(fields.groupId, 'is not that of the plugin');
		}
		if (artifactId !== undefined && artifactId !== plugin.artifactId) {
			throw invalidField(fields.artifactId, 'is not that of the plugin');
		}
		return plugin;
	}
	if (groupId === undefined) throw invalidField(fields.groupId, 'is missing');
	const query = {organisationIds: usable, groupId, artifactId};
	const {items} = await plugins.list(query, {firstResult: 0, maxResults: usable.length});
	const nearest = usable.flatMap(id => items.find(({organisationId}) => organisationId === id) ?? [])[0];
	if (!nearest) throw invalidField(fields.artifactId, 'is no plugin of this group');
	return nearest;
}

async function versionOf(
	{versions}: Context,
	plugin: Plugin | undefined,
	{versionValue, fields}: VersionRef,
): Promise<PluginVersion | undefined> {
	if (!plugin) throw invalidField(fields.artifactId, 'is missing, and nothing else names the plugin');
	if (versionValue !== undefined) return versions.findByValue(plugin.id, versionValue);
	if (plugin.currentVersionId === null)
		throw invalidField(fields.artifactId, 'is a plugin without a version');
	return versions.find(plugin.currentVersionId);
}
