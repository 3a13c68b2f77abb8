import {invalidField, notFound} from '../../errors.ts';
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
import type {CatalogueContext, PluginType} from '../catalogue/plugins.ts';
import type {AnalyzerLinks} from '../channel-links/analyzer-links.ts';
import {
	assertDeletable,
	changeOf,
	type PluginProperty,
	type PropertyChange,
	type PropertyRequest,
	propertiesWith,
	propertyNamed,
} from '../properties/properties.ts';
import type {InstanceChange, InstanceStore} from './instances.store.ts';
import {type FindPreset, type VersionRef, versionFor} from './version-for.ts';

/** What becomes of an activity when an analyzer fails (specification, "States and transitions"). */
export const ERROR_RECOVERY_STRATEGIES = [
	'STORE_WITH_ERROR_ID',
	'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS',
	'DROP',
] as const;

export type ErrorRecoveryStrategy = (typeof ERROR_RECOVERY_STRATEGIES)[number];

/** A plugin put to use by an organisation, with what names its version. */
export interface PluginInstance {
	readonly id: number;
	readonly organisationId: number;
	readonly name: string;
	readonly pluginType: PluginType;
	readonly pluginId: number;
	readonly pluginVersionId: number;
	readonly versionValue: string;
	readonly groupId: string;
	readonly artifactId: string;
	/** Of activity analyzers alone. */
	readonly errorRecoveryStrategy: ErrorRecoveryStrategy | null;
	readonly presetId: number | null;
	readonly creationTs: number;
}

export interface InstanceServices {
	readonly instances: InstanceStore;
	readonly findPreset: FindPreset;
	readonly analyzerLinks: Pick<AnalyzerLinks, 'refresh'>;
}

export type InstanceContext = CatalogueContext & InstanceServices;

/** One to be made: by whom, of which version, with which values of its own. */
export interface InstanceRequest extends VersionRef {
	readonly organisationId: number | undefined;
	readonly name: string;
	readonly errorRecoveryStrategy?: ErrorRecoveryStrategy | undefined;
	readonly properties: readonly PropertyRequest[];
}

/** Of one organisation, or of all the caller may see. Error: `organisation_not_found`. */
export function listInstances(
	{principal, directory, instances}: InstanceContext,
	pluginType: PluginType,
	{organisationId, keywords}: {organisationId: number | undefined; keywords: string | undefined},
	paging: Paging,
): Promise<Page<PluginInstance>> {
	const organisationIds = readableOrganisations({principal, directory}, organisationId);
	return instances.list({organisationIds, pluginType, keywords}, paging);
}

/** The one that was asked for, or all the caller may see. Error: `organisation_not_found`. */
export function readableOrganisations(
	{principal, directory}: {principal: Principal; directory: TenantView},
	organisationId: number | undefined,
): number[] {
	if (organisationId === undefined) {
		return organisationsFor(principal, 'plugin_instances:read', directory).map(({id}) => id);
	}
	assertTheirs(principal, 'plugin_instances:read', organisationId, directory, 'organisation_not_found');
	return [organisationId];
}

/** Errors: `field_invalid` for a plugin, version or preset the organisation cannot use; `role_insufficient`. */
export async function createInstance(
	context: InstanceContext,
	pluginType: PluginType,
	request: InstanceRequest,
): Promise<PluginInstance> {
	const organisationId = assertOrganisation(context, request.organisationId);
	const {version, overrides} = await versionFor(context, pluginType, organisationId, request);
	return context.instances.create({
		organisationId,
		pluginType,
		pluginId: version.pluginId,
		pluginVersionId: version.id,
		name: request.name,
		errorRecoveryStrategy: request.errorRecoveryStrategy ?? null,
		presetId: request.presetId ?? null,
		overrides,
	});
}

/** Where instances are made. Errors: `field_invalid`, `role_insufficient`. */
export function assertOrganisation(
	{principal, directory}: {principal: Principal; directory: TenantView},
	organisationId: number | undefined,
): number {
	if (organisationId === undefined) throw invalidField('/organisation_id', 'is missing');
	if (isStranger(principal, organisationId, directory)) {
		throw invalidField('/organisation_id', 'is no organisation');
	}
	assertMayAct(principal, 'plugin_instances:write', organisationId, directory);
	return organisationId;
}

/** Errors: `plugin_instance_not_found`, `role_insufficient`. */
export async function getInstance(
	context: InstanceContext,
	action: Action,
	pluginType: PluginType,
	id: number | undefined,
): Promise<PluginInstance> {
	const instance = id === undefined ? undefined : await context.instances.find({id, pluginType});
	if (!instance) throw notFound('plugin_instance_not_found');
	assertServed(context, action, instance, 'plugin_instance_not_found');
	return instance;
}

/** A plugin worker sees all of its own organisation; of those below it, the instances of its own plugin. */
export function assertServed(
	{principal, directory}: {principal: Principal; directory: TenantView},
	action: Action,
	{organisationId, pluginId}: Pick<PluginInstance, 'organisationId' | 'pluginId'>,
	missing: Parameters<typeof notFound>[0],
): void {
	assertTheirs(principal, action, organisationId, directory, missing);
	if (principal.kind !== 'worker' || principal.organisationId === organisationId) return;
	if (principal.pluginId !== pluginId) throw notFound(missing);
}

/** Another version must be of the same plugin. Errors as of `getInstance`, `field_invalid`. */
export async function changeInstance(
	context: InstanceContext,
	pluginType: PluginType,
	id: number | undefined,
	{versionId, ...change}: Omit<InstanceChange, 'pluginVersionId'> & {readonly versionId?: number | undefined},
): Promise<PluginInstance> {
	const instance = await getInstance(context, 'plugin_instances:write', pluginType, id);
	if (versionId !== undefined && versionId !== instance.pluginVersionId) {
		const version = await context.versions.find(versionId);
		if (version?.pluginId !== instance.pluginId) {
			throw invalidField('/version_id', 'is no version of the plugin of this instance');
		}
	}
	const changed = await context.instances.update(instance, {...change, pluginVersionId: versionId});
	if (!changed) throw notFound('plugin_instance_not_found');
	await context.analyzerLinks.refresh();
	return changed;
}

/** Errors as of `getInstance`, `plugin_instance_in_use`. */
export async function removeInstance(
	context: InstanceContext,
	pluginType: PluginType,
	id: number | undefined,
): Promise<PluginInstance> {
	const instance = await getInstance(context, 'plugin_instances:write', pluginType, id);
	if (!(await context.instances.remove(instance))) throw notFound('plugin_instance_not_found');
	return instance;
}

type Configured = Pick<PluginInstance, 'id' | 'pluginVersionId'>;

/** The version's properties with the instance's own values in place. */
export async function instanceProperties(
	{versions, instances}: Pick<InstanceContext, 'versions' | 'instances'>,
	{id, pluginVersionId}: Configured,
): Promise<PluginProperty[]> {
	const [declared, overrides] = await Promise.all([
		versions.propertiesOf(pluginVersionId),
		instances.overridesOf(id),
	]);
	return propertiesWith(declared, overrides);
}

/** Errors: `plugin_property_not_found`, `plugin_property_fixed`, `field_invalid`. */
export async function changeProperty(
	context: InstanceContext,
	instance: Configured,
	technicalName: string,
	request: PropertyChange,
): Promise<PluginProperty> {
	const property = propertyNamed(await instanceProperties(context, instance), technicalName);
	const change = changeOf(property, request);
	if (!change) return property;
	await context.instances.override(instance.id, change);
	return propertyNamed(await instanceProperties(context, instance), technicalName);
}

/** Back to the version's value. Errors: `plugin_property_not_found`, `plugin_property_fixed`. */
export async function resetProperty(
	context: InstanceContext,
	instance: Configured,
	technicalName: string,
): Promise<PluginProperty> {
	const property = propertyNamed(await instanceProperties(context, instance), technicalName);
	if (property.origin !== 'INSTANCE') return property;
	assertDeletable(property);
	await context.instances.reset(instance.id, technicalName);
	return propertyNamed(await instanceProperties(context, instance), technicalName);
}
