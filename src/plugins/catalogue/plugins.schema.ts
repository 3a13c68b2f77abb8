import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {absentWhenNull, FlagQuery, IdField} from '../../tenants/fields.schema.ts';
import {PLUGIN_TYPES, type Plugin} from './plugins.ts';

/** Patterns of group ids are conventions, and not enforced (decisions.md, "Plugins"). */
export const PluginNameField = z.string().regex(/^\S{1,255}$/, 'must be 1 to 255 letters without blanks');

/** Body of POST. A missing type is told in words that clients know (`createPlugin`). */
export const PluginRequest = z
	.object({
		plugin_type: absentWhenNull(z.enum(PLUGIN_TYPES)),
		organisation_id: IdField,
		group_id: PluginNameField,
		artifact_id: PluginNameField,
	})
	.transform(body => ({
		pluginType: body.plugin_type,
		organisationId: body.organisation_id,
		groupId: body.group_id,
		artifactId: body.artifact_id,
	}));
export type PluginRequest = z.output<typeof PluginRequest>;

/** Body of PUT: what is absent stays. */
export const PluginChangeRequest = z
	.object({current_version_id: absentWhenNull(IdField), archived: absentWhenNull(z.boolean())})
	.transform(body => ({
		...(body.current_version_id !== undefined && {currentVersionId: body.current_version_id}),
		...(body.archived !== undefined && {archived: body.archived}),
	}));
export type PluginChangeRequest = z.output<typeof PluginChangeRequest>;

export const PluginsQuery = z.looseObject({
	...PagingQuery.shape,
	plugin_type: z.enum(PLUGIN_TYPES).optional(),
	group_id: z.string().optional(),
	artifact_id: z.string().optional(),
	organisation_id: IdField.optional(),
	keywords: z.string().optional(),
	archived: FlagQuery.optional(),
});

export const PluginOnWire = z.object({
	id: z.string(),
	organisation_id: z.string(),
	plugin_type: z.enum(PLUGIN_TYPES),
	group_id: z.string(),
	artifact_id: z.string(),
	current_version_id: z.string().nullable(),
	archived: z.boolean(),
	creation_date: z.number(),
});

export function pluginToWire(plugin: Plugin): z.output<typeof PluginOnWire> {
	return {
		id: String(plugin.id),
		organisation_id: String(plugin.organisationId),
		plugin_type: plugin.pluginType,
		group_id: plugin.groupId,
		artifact_id: plugin.artifactId,
		current_version_id: plugin.currentVersionId === null ? null : String(plugin.currentVersionId),
		archived: plugin.archived,
		creation_date: plugin.creationTs,
	};
}
