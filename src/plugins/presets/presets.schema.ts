import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {absentWhenNull, FlagQuery, IdField, NameField} from '../../tenants/fields.schema.ts';
import {PLUGIN_TYPES} from '../catalogue/plugins.ts';
import {PropertyBody} from '../properties/properties.schema.ts';
import type {Preset} from './presets.ts';

const MAX_PROPERTIES = 500;
const Description = z.string().max(10_000);
/** What else of a property comes along means nothing: a preset's have three fields. */
const Properties = z.array(PropertyBody).max(MAX_PROPERTIES);

/** Body of POST. A missing type is told in words that clients know (`createPreset`). */
export const PresetRequest = z
	.object({
		organisation_id: IdField,
		name: NameField,
		description: absentWhenNull(Description),
		plugin_type: absentWhenNull(z.enum(PLUGIN_TYPES)),
		properties: absentWhenNull(Properties),
	})
	.transform(body => ({
		organisationId: body.organisation_id,
		name: body.name,
		description: body.description ?? null,
		pluginType: body.plugin_type,
		properties: body.properties ?? [],
	}));
export type PresetRequest = z.output<typeof PresetRequest>;

/** Body of PUT: what is absent stays. Values never change: instances made earlier would differ from those made later. */
export const PresetChangeRequest = z
	.object({
		name: absentWhenNull(NameField),
		description: Description.nullish(),
		archived: absentWhenNull(z.boolean()),
		properties: absentWhenNull(Properties),
	})
	.transform(body => ({
		...(body.name !== undefined && {name: body.name}),
		...(body.description !== undefined && {description: body.description}),
		...(body.archived !== undefined && {archived: body.archived}),
		...(body.properties !== undefined && {properties: body.properties}),
	}));
export type PresetChangeRequest = z.output<typeof PresetChangeRequest>;

export const PresetsQuery = z.looseObject({
	...PagingQuery.shape,
	organisation_id: IdField.optional(),
	plugin_type: z.enum(PLUGIN_TYPES).optional(),
	keywords: z.string().optional(),
	archived: FlagQuery.default(false),
});

export const PresetOnWire = z.object({
	id: z.string(),
	organisation_id: z.string(),
	plugin_id: z.string(),
	plugin_version_id: z.string(),
	plugin_type: z.enum(PLUGIN_TYPES),
	name: z.string(),
	description: z.string().nullable(),
	properties: z.array(
		z.object({
			technical_name: z.string(),
			property_type: z.string(),
			value: z.record(z.string(), z.unknown()),
		}),
	),
	creation_ts: z.number(),
	archived: z.boolean(),
});

export function presetToWire(preset: Preset): z.output<typeof PresetOnWire> {
	return {
		id: String(preset.id),
		organisation_id: String(preset.organisationId),
		plugin_id: String(preset.pluginId),
		plugin_version_id: String(preset.pluginVersionId),
		plugin_type: preset.pluginType,
		name: preset.name,
		description: preset.description,
		properties: preset.properties.map(({technicalName, propertyType, value}) => ({
			technical_name: technicalName,
			property_type: propertyType,
			value,
		})),
		creation_ts: preset.creationTs,
		archived: preset.archived,
	};
}
