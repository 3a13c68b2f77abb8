import {ok} from '../../http/envelope.ts';
import {okPage, toPaging} from '../../http/paging.ts';
import {type Route, route} from '../../http/route.ts';
import type {CatalogueServices} from '../catalogue/plugins.ts';
import {getVersion} from '../versions/versions.ts';
import {
	PresetChangeRequest,
	PresetOnWire,
	PresetRequest,
	PresetsQuery,
	presetToWire,
} from './presets.schema.ts';
import {changePreset, createPreset, getPreset, listPresets, type PresetServices} from './presets.ts';

const PRESETS = '/v1/plugins/:pluginId/versions/:versionId/presets';
const MISSING = ['plugin_not_found', 'plugin_version_not_found'] as const;

/** Versions with values set beforehand (specification, "Presets"; field guide, section 1). */
export function presetRoutes(services: CatalogueServices & PresetServices): Route[] {
	return [
		route({
			method: 'GET',
			path: '/v1/plugins.versions.presets',
			summary: 'Presets that the organisation may use: its own and those of organisations above it',
			action: 'plugin_presets:read',
			query: PresetsQuery,
			answer: {page: PresetOnWire},
			errors: ['organisation_not_found'],
			async handle({principal, query}) {
				const paging = toPaging(query);
				const filters = {
					organisationId: query.organisation_id,
					pluginType: query.plugin_type,
					keywords: query.keywords,
					archived: query.archived,
				};
				const page = await listPresets({...services, principal}, filters, paging);
				return okPage({...page, items: page.items.map(presetToWire)}, paging);
			},
		}),
		route({
			method: 'GET',
			path: PRESETS,
			summary: 'Presets of a version that the caller may use',
			action: 'plugin_presets:read',
			query: PresetsQuery,
			answer: {page: PresetOnWire},
			errors: [...MISSING, 'organisation_not_found'],
			async handle({principal, params, query}) {
				const context = {...services, principal};
				const {id: pluginVersionId} = await getVersion(context, 'plugins:read', params);
				const paging = toPaging(query);
				const {organisation_id: organisationId, keywords, archived} = query;
				const filters = {pluginVersionId, organisationId, keywords, archived};
				const page = await listPresets(context, filters, paging);
				return okPage({...page, items: page.items.map(presetToWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path: PRESETS,
			summary: 'Make a preset: its values replace the defaults and are fixed in instances made from it',
			action: 'plugin_presets:write',
			audit: 'plugin_preset_created',
			body: PresetRequest,
			answer: PresetOnWire,
			errors: [...MISSING, 'plugin_version_archived', 'plugin_layout_missing'],
			handle: async ({principal, params, body}) =>
				ok(presetToWire(await createPreset({...services, principal}, params, body))),
		}),
		route({
			method: 'GET',
			path: `${PRESETS}/:presetId`,
			summary: 'One preset',
			action: 'plugin_presets:read',
			answer: PresetOnWire,
			errors: [...MISSING, 'preset_not_found'],
			handle: async ({principal, params}) =>
				ok(presetToWire(await getPreset({...services, principal}, 'plugin_presets:read', params))),
		}),
		route({
			method: 'PUT',
			path: `${PRESETS}/:presetId`,
			summary: 'Archive a preset for good, or rename it; its values stay',
			action: 'plugin_presets:write',
			audit: 'plugin_preset_changed',
			body: PresetChangeRequest,
			answer: PresetOnWire,
			errors: [...MISSING, 'preset_not_found', 'preset_archived'],
			handle: async ({principal, params, body}) =>
				ok(presetToWire(await changePreset({...services, principal}, params, body))),
		}),
	];
}
