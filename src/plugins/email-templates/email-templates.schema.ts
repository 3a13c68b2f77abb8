import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {absentWhenNull, FlagQuery, IdField, NameField} from '../../tenants/fields.schema.ts';
import {PluginNameField} from '../catalogue/plugins.schema.ts';
import {versionRef} from '../instances/instances.schema.ts';
import {PropertyBody} from '../properties/properties.schema.ts';
import type {EmailTemplate, EmailTemplateRequest} from './email-templates.ts';

const TYPE = 'EMAIL_TEMPLATE';
const Label = z.string().trim().max(255);

/** Body of `POST /v1/email_templates` (field guide, "Emails"). */
export const EmailTemplateBody = z
	.object({
		type: absentWhenNull(z.literal(TYPE)),
		organisation_id: absentWhenNull(IdField),
		name: NameField,
		technical_name: absentWhenNull(Label),
		subtype: absentWhenNull(Label),
		renderer_group_id: absentWhenNull(PluginNameField),
		renderer_artifact_id: absentWhenNull(PluginNameField),
		renderer_plugin_id: absentWhenNull(IdField),
		renderer_version_id: absentWhenNull(z.union([z.string().max(64), z.number()])),
		renderer_version_value: absentWhenNull(z.string().max(64)),
		editor_group_id: absentWhenNull(PluginNameField),
		editor_artifact_id: absentWhenNull(PluginNameField),
		preset_id: absentWhenNull(IdField),
		properties: absentWhenNull(z.array(PropertyBody).max(500)),
	})
	.transform(
		(body): EmailTemplateRequest => ({
			organisationId: body.organisation_id,
			name: body.name,
			technicalName: body.technical_name || null,
			subtype: body.subtype || null,
			groupId: body.renderer_group_id,
			artifactId: body.renderer_artifact_id,
			pluginId: body.renderer_plugin_id,
			...versionRef(body.renderer_version_id, body.renderer_version_value),
			editorGroupId: body.editor_group_id ?? null,
			editorArtifactId: body.editor_artifact_id ?? null,
			presetId: body.preset_id,
			properties: body.properties ?? [],
			fields: {
				pluginId: '/renderer_plugin_id',
				groupId: '/renderer_group_id',
				artifactId: '/renderer_artifact_id',
				versionId: '/renderer_version_id',
			},
		}),
	);

/** Body of PUT: what is absent stays. What else clients hold of the record may come along. */
export const EmailTemplateChangeBody = z
	.object({
		name: absentWhenNull(NameField),
		technical_name: Label.nullish(),
		subtype: Label.nullish(),
		archived: absentWhenNull(z.boolean()),
		renderer_version_id: absentWhenNull(IdField),
	})
	.transform(body => ({
		name: body.name,
		technicalName: body.technical_name === undefined ? undefined : body.technical_name || null,
		subtype: body.subtype === undefined ? undefined : body.subtype || null,
		archived: body.archived,
		rendererVersionId: body.renderer_version_id,
	}));

export const EmailTemplatesQuery = z.looseObject({
	...PagingQuery.shape,
	organisation_id: IdField.optional(),
	type: z.literal(TYPE, 'EMAIL_TEMPLATE is the only type of creatives').optional(),
	archived: FlagQuery.optional(),
	keywords: z.string().optional(),
});

/**
 * Specification, "Email template", with the renderer instance's id. An editor is no plugin here: it has a name at most.
 */
export const EmailTemplateOnWire = z.object({
	type: z.literal(TYPE),
	id: z.string(),
	organisation_id: z.string(),
	name: z.string(),
	technical_name: z.string().nullable(),
	archived: z.boolean(),
	editor_version_id: z.string().nullable(),
	editor_version_value: z.string().nullable(),
	editor_group_id: z.string().nullable(),
	editor_artifact_id: z.string().nullable(),
	editor_plugin_id: z.string().nullable(),
	renderer_version_id: z.string(),
	renderer_version_value: z.string(),
	renderer_group_id: z.string(),
	renderer_artifact_id: z.string(),
	renderer_plugin_id: z.string(),
	creation_date: z.number(),
	subtype: z.string().nullable(),
	email_renderer_id: z.string(),
	preset_id: z.string().nullable(),
});

export function emailTemplateToWire(template: EmailTemplate): z.output<typeof EmailTemplateOnWire> {
	const {renderer} = template;
	return {
		type: TYPE,
		id: String(template.id),
		organisation_id: String(template.organisationId),
		name: template.name,
		technical_name: template.technicalName,
		archived: template.archived,
		editor_version_id: null,
		editor_version_value: null,
		editor_group_id: template.editorGroupId,
		editor_artifact_id: template.editorArtifactId,
		editor_plugin_id: null,
		renderer_version_id: String(renderer.pluginVersionId),
		renderer_version_value: renderer.versionValue,
		renderer_group_id: renderer.groupId,
		renderer_artifact_id: renderer.artifactId,
		renderer_plugin_id: String(renderer.pluginId),
		creation_date: template.creationTs,
		subtype: template.subtype,
		email_renderer_id: String(renderer.id),
		preset_id: template.presetId === null ? null : String(template.presetId),
	};
}
