import {isDeepStrictEqual} from 'node:util';
import {DomainError, invalidField, notFound} from '../../errors.ts';
import {assertMayAct, assertTheirs, isStranger, organisationsFor} from '../../identity/policy.ts';
import {parseId} from '../../lib/ids.ts';
import type {Page, Paging} from '../../lib/page.ts';
import {
	type CatalogueContext,
	organisationAndAbove,
	type PluginType,
	pluginTypeMissing,
} from '../catalogue/plugins.ts';
import type {FindPreset} from '../instances/version-for.ts';
import type {LayoutStore} from '../layouts/layouts.store.ts';
import {assertLive} from '../layouts/layouts.ts';
import {
	assignmentsFor,
	type PluginProperty,
	type PropertyAssignment,
	type PropertyRequest,
} from '../properties/properties.ts';
import {getVersion, type PluginVersion, type VersionPath} from '../versions/versions.ts';
import type {PresetChangeRequest, PresetRequest} from './presets.schema.ts';
import type {PresetQuery, PresetStore} from './presets.store.ts';

/** Values of a version's properties that instances of an organisation are made with, fixed. */
export interface Preset {
	readonly id: number;
	readonly organisationId: number;
	readonly pluginId: number;
	readonly pluginVersionId: number;
	readonly pluginType: PluginType;
	readonly name: string;
	readonly description: string | null;
	readonly properties: readonly PropertyAssignment[];
	/** For good: new instances are made without it, those there are keep its values. */
	readonly archived: boolean;
	readonly creationTs: number;
}

export interface PresetServices {
	readonly presets: PresetStore;
	readonly layouts: Pick<LayoutStore, 'find'>;
}

export type PresetContext = CatalogueContext & PresetServices;

/** Those an organisation may use: its own and those of organisations above it. Error: `organisation_not_found`. */
export function listPresets(
	{principal, directory, presets}: PresetContext,
	{
		organisationId,
		...query
	}: Omit<PresetQuery, 'organisationIds'> & {readonly organisationId?: number | undefined},
	paging: Paging,
): Promise<Page<Preset>> {
	if (organisationId !== undefined) {
		assertTheirs(principal, 'plugin_presets:read', organisationId, directory, 'organisation_not_found');
	}
	const theirs =
		organisationId === undefined
			? organisationsFor(principal, 'plugin_presets:read', directory).map(({id}) => id)
			: [organisationId];
	const organisationIds = [...new Set(theirs.flatMap(id => organisationAndAbove(directory, id)))];
	return presets.list({...query, organisationIds}, paging);
}

/**
 * For an organisation that may use the plugin, by an administrator of it (specification, "Presets"). Errors: those of
 * `getVersion`, `role_insufficient`, `field_invalid`, `plugin_version_archived`, `plugin_layout_missing`.
 */
export async function createPreset(
	context: PresetContext,
	path: VersionPath,
	{pluginType, properties, ...request}: PresetRequest,
): Promise<Preset> {
	const version = await getVersion(context, 'plugins:read', path);
	assertMayPreset(context, version, request.organisationId);
	if (pluginType === undefined) throw pluginTypeMissing();
	if (pluginType !== version.pluginType) {
		throw invalidField('/plugin_type', `is ${version.pluginType} of this plugin`);
	}
	assertLive(version);
	const values = presettable(await context.versions.propertiesOf(version.id), properties);
	if (pluginType === 'AUDIENCE_SEGMENT_EXTERNAL_FEED' && !(await context.layouts.find(version.id))) {
		const message = 'A feed needs a layout: store properties_layout of the plugin version first';
		throw new DomainError('plugin_layout_missing', message);
	}
	return context.presets.create({...request, pluginVersionId: version.id, properties: values});
}

function assertMayPreset(
	{principal, directory}: PresetContext,
	version: PluginVersion,
	organisationId: number,
): void {
	if (isStranger(principal, organisationId, directory)) {
		throw invalidField('/organisation_id', 'is no organisation');
	}
	assertMayAct(principal, 'plugin_presets:write', organisationId, directory);
	if (organisationAndAbove(directory, organisationId).includes(version.organisationId)) return;
	throw invalidField('/organisation_id', 'may not use this plugin');
}

/** What the plugin set itself no preset sets anew. */
function presettable(
	declared: readonly PluginProperty[],
	requests: readonly PropertyRequest[],
): readonly PropertyAssignment[] {
	const values = assignmentsFor(declared, requests, '/properties');
	const isOpen = new Map(declared.map(({technicalName, writable}) => [technicalName, writable]));
	for (const [index, {technicalName}] of values.entries()) {
		if (isOpen.get(technicalName)) continue;
		throw invalidField(`/properties/${index}/technical_name`, 'cannot be changed: the plugin set it');
	}
	return values;
}

/** Of the version of the path. Errors: those of `getVersion`, `preset_not_found`, `role_insufficient`. */
export async function getPreset(
	context: PresetContext,
	action: 'plugin_presets:read' | 'plugin_presets:write',
	path: VersionPath,
): Promise<Preset> {
	const version = await getVersion(context, 'plugins:read', path);
	const id = parseId(path.presetId ?? '');
	const preset = id === undefined ? undefined : await context.presets.find(id);
	if (preset?.pluginVersionId !== version.id) throw notFound('preset_not_found');
	if (!isUsable(context, preset)) throw notFound('preset_not_found');
	if (action === 'plugin_presets:write') {
		assertMayAct(context.principal, action, preset.organisationId, context.directory);
	}
	return preset;
}

/** Those of an organisation are for all below it too, as its plugins are. */
function isUsable({principal, directory}: PresetContext, {organisationId}: Preset): boolean {
	return organisationsFor(principal, 'plugin_presets:read', directory).some(({id}) =>
		directory.isWithin(id, organisationId),
	);
}

/** Errors: those of `getPreset`, `preset_archived` for one that is to come back, `field_invalid` for new values. */
export async function changePreset(
	context: PresetContext,
	path: VersionPath,
	{properties, archived, ...change}: PresetChangeRequest,
): Promise<Preset> {
	const preset = await getPreset(context, 'plugin_presets:write', path);
	if (preset.archived && archived === false) {
		throw new DomainError('preset_archived', 'An archived preset stays archived');
	}
	// A client may send all it holds of the preset back.
	if (properties !== undefined) {
		const values = assignmentsFor(
			await context.versions.propertiesOf(preset.pluginVersionId),
			properties,
			'/properties',
		);
		if (!isDeepStrictEqual(values, preset.properties)) {
			throw invalidField('/properties', 'cannot be changed: make another preset');
		}
	}
	const changed = await context.presets.update(preset.id, {...change, ...(archived && {archived})});
	if (!changed) throw notFound('preset_not_found');
	return changed;
}

/** What an instance made by `preset_id` takes over. */
export function presetValues(presets: Pick<PresetStore, 'find'>): FindPreset {
	return presetId => presets.find(presetId);
}
