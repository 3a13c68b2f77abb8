import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {absentWhenNull, IdField, NameField} from '../../tenants/fields.schema.ts';
import {PluginNameField} from '../catalogue/plugins.schema.ts';
import {PropertyBody} from '../properties/properties.schema.ts';
import {
	ERROR_RECOVERY_STRATEGIES,
	type ErrorRecoveryStrategy,
	type InstanceRequest,
	type PluginInstance,
} from './instances.ts';

const Strategy = z.enum(ERROR_RECOVERY_STRATEGIES);

/** The version's record id, or its developer's name for it. */
const VersionField = absentWhenNull(z.union([z.string().max(64), z.number()]));

/** What all kinds of instances are made from; each kind has its own words for the plugin. */
const COMMON = {
	name: NameField,
	organisation_id: absentWhenNull(IdField),
	group_id: absentWhenNull(PluginNameField),
	artifact_id: absentWhenNull(PluginNameField),
	version_id: VersionField,
	version_value: absentWhenNull(z.string().max(64)),
	preset_id: absentWhenNull(IdField),
	properties: absentWhenNull(z.array(PropertyBody).max(500)),
};

/** `1.0.0` is no record id: it is the version's name then. */
export function versionRef(versionId: string | number | undefined, versionValue: string | undefined) {
	const id = IdField.safeParse(versionId);
	if (versionId === undefined || id.success) return {versionId: id.data, versionValue};
	return {versionId: undefined, versionValue: versionValue ?? String(versionId)};
}

function toRequest(
	body: z.output<z.ZodObject<typeof COMMON>>,
	pluginId: number | undefined,
	pluginIdField: string,
): Omit<InstanceRequest, 'errorRecoveryStrategy'> {
	return {
		name: body.name,
		organisationId: body.organisation_id,
		groupId: body.group_id,
		artifactId: body.artifact_id,
		pluginId,
		...versionRef(body.version_id, body.version_value),
		presetId: body.preset_id,
		properties: body.properties ?? [],
		fields: {
			pluginId: `/${pluginIdField}`,
			groupId: '/group_id',
			artifactId: '/artifact_id',
			versionId: '/version_id',
		},
	};
}

/** Body of `POST /v1/visit_analyzer_models` (field guide, "Analyzer instances, channels"). */
const AnalyzerRequest = z
	.object({
		...COMMON,
		visit_analyzer_plugin_id: absentWhenNull(IdField),
		error_recovery_strategy: Strategy,
	})
	.transform(
		(body): InstanceRequest => ({
			...toRequest(body, body.visit_analyzer_plugin_id, 'visit_analyzer_plugin_id'),
			errorRecoveryStrategy: body.error_recovery_strategy,
		}),
	);

/** Body of `POST /v1/email_routers`. */
const EmailRouterRequest = z
	.object({...COMMON, email_router_plugin_id: absentWhenNull(IdField)})
	.transform(
		(body): InstanceRequest => toRequest(body, body.email_router_plugin_id, 'email_router_plugin_id'),
	);

/** Bodies of PUT: what is absent stays. What else clients hold of the record may come along. */
const CHANGES = {name: absentWhenNull(NameField), version_id: absentWhenNull(IdField)};

const AnalyzerChangeRequest = z
	.object({...CHANGES, error_recovery_strategy: absentWhenNull(Strategy)})
	.transform(body => ({
		name: body.name,
		versionId: body.version_id,
		errorRecoveryStrategy: body.error_recovery_strategy,
	}));

const EmailRouterChangeRequest = z
	.object(CHANGES)
	.transform(body => ({name: body.name, versionId: body.version_id}));

/** Many clients say the organisation in the query, whatever the body says. */
export const InOrganisationQuery = z.looseObject({organisation_id: absentWhenNull(IdField)});

export const InstancesQuery = z.looseObject({
	...PagingQuery.shape,
	organisation_id: IdField.optional(),
	keywords: z.string().optional(),
});

const ON_WIRE = {
	id: z.string(),
	name: z.string(),
	organisation_id: z.string(),
	group_id: z.string(),
	artifact_id: z.string(),
	version_id: z.string(),
	version_value: z.string(),
	preset_id: z.string().nullable(),
	creation_date: z.number(),
};

const AnalyzerOnWire = z.object({
	...ON_WIRE,
	visit_analyzer_plugin_id: z.string(),
	error_recovery_strategy: Strategy,
});

const EmailRouterOnWire = z.object({...ON_WIRE, email_router_plugin_id: z.string()});

function analyzerToWire(instance: PluginInstance): z.output<typeof AnalyzerOnWire> {
	return {
		...toWire(instance),
		visit_analyzer_plugin_id: String(instance.pluginId),
		error_recovery_strategy: instance.errorRecoveryStrategy!,
	};
}

function emailRouterToWire(instance: PluginInstance): z.output<typeof EmailRouterOnWire> {
	return {...toWire(instance), email_router_plugin_id: String(instance.pluginId)};
}

/** What one kind of instance is made from, changed by, and told as. */
export interface InstanceShapes {
	readonly body: z.ZodType<InstanceRequest>;
	readonly change: z.ZodType<{
		readonly name?: string | undefined;
		readonly versionId?: number | undefined;
		readonly errorRecoveryStrategy?: ErrorRecoveryStrategy | undefined;
	}>;
	readonly onWire: z.ZodType;
	readonly toWire: (instance: PluginInstance) => unknown;
}

export const ANALYZER: InstanceShapes = {
	body: AnalyzerRequest,
	change: AnalyzerChangeRequest,
	onWire: AnalyzerOnWire,
	toWire: analyzerToWire,
};

export const EMAIL_ROUTER: InstanceShapes = {
	body: EmailRouterRequest,
	change: EmailRouterChangeRequest,
	onWire: EmailRouterOnWire,
	toWire: emailRouterToWire,
};

function toWire(instance: PluginInstance) {
	return {
		id: String(instance.id),
		name: instance.name,
		organisation_id: String(instance.organisationId),
		group_id: instance.groupId,
		artifact_id: instance.artifactId,
		version_id: String(instance.pluginVersionId),
		version_value: instance.versionValue,
		preset_id: instance.presetId === null ? null : String(instance.presetId),
		creation_date: instance.creationTs,
	};
}
