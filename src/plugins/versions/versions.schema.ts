import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {absentWhenNull, FlagQuery, IdField} from '../../tenants/fields.schema.ts';
import {PLUGIN_TYPES} from '../catalogue/plugins.ts';
import {DeclaredProperties} from '../properties/properties.schema.ts';
import type {PluginVersion} from './versions.ts';

const VersionValue = z
	.string()
	.regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, dashes or plus signs');
const Label = z.string().max(255);
const MaxQps = z.number().positive().max(1_000_000);

/** Body of POST. The properties are the version's for good: what changes is another version. */
export const VersionRequest = z
	.object({
		version_id: VersionValue,
		maintainer_id: absentWhenNull(IdField),
		max_qps: absentWhenNull(MaxQps),
		build_tag: absentWhenNull(Label),
		image_name: absentWhenNull(Label),
		plugin_properties: absentWhenNull(DeclaredProperties),
	})
	.transform(body => ({
		versionValue: body.version_id,
		maintainerId: body.maintainer_id ?? null,
		maxQps: body.max_qps ?? null,
		buildTag: body.build_tag ?? null,
		imageName: body.image_name ?? null,
		properties: body.plugin_properties ?? [],
	}));
export type VersionRequest = z.output<typeof VersionRequest>;

/** Body of PUT: what is absent stays; null empties. */
export const VersionChangeRequest = z
	.object({
		maintainer_id: IdField.nullable().optional(),
		max_qps: MaxQps.nullable().optional(),
		build_tag: Label.nullable().optional(),
		image_name: Label.nullable().optional(),
		archived: z.boolean().optional(),
	})
	.transform(body => ({
		...(body.maintainer_id !== undefined && {maintainerId: body.maintainer_id}),
		...(body.max_qps !== undefined && {maxQps: body.max_qps}),
		...(body.build_tag !== undefined && {buildTag: body.build_tag}),
		...(body.image_name !== undefined && {imageName: body.image_name}),
		...(body.archived !== undefined && {archived: body.archived}),
	}));
export type VersionChangeRequest = z.output<typeof VersionChangeRequest>;

export const VersionsQuery = z.looseObject({...PagingQuery.shape, archived: FlagQuery.optional()});

const STATUSES = ['DRAFT', 'ACTIVE', 'ARCHIVED'] as const;

export const VersionOnWire = z.object({
	id: z.string(),
	plugin_id: z.string(),
	organisation_id: z.string(),
	plugin_type: z.enum(PLUGIN_TYPES),
	group_id: z.string(),
	artifact_id: z.string(),
	version_id: z.string(),
	maintainer_id: z.string().nullable(),
	build_tag: z.string().nullable(),
	image_name: z.string().nullable(),
	max_qps: z.number().nullable(),
	status: z.enum(STATUSES),
	archived: z.boolean(),
	creation_date: z.number(),
});

export function versionToWire(version: PluginVersion): z.output<typeof VersionOnWire> {
	return {
		id: String(version.id),
		plugin_id: String(version.pluginId),
		organisation_id: String(version.organisationId),
		plugin_type: version.pluginType,
		group_id: version.groupId,
		artifact_id: version.artifactId,
		version_id: version.versionValue,
		maintainer_id: version.maintainerId === null ? null : String(version.maintainerId),
		build_tag: version.buildTag,
		image_name: version.imageName,
		max_qps: version.maxQps,
		status: statusOf(version),
		archived: version.archived,
		creation_date: version.creationTs,
	};
}

/** A draft until it has a plugin worker that could serve its instances. */
function statusOf({archived, hasWorker}: PluginVersion): (typeof STATUSES)[number] {
	if (archived) return 'ARCHIVED';
	return hasWorker ? 'ACTIVE' : 'DRAFT';
}
