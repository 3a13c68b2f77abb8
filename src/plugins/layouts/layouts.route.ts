import {ok, RawAnswer} from '../../http/envelope.ts';
import {okPage, pageOf, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import type {CatalogueServices} from '../catalogue/plugins.ts';
import {getVersion, type PluginVersion} from '../versions/versions.ts';
import {
	LayoutFileOnWire,
	LayoutListingQuery,
	LayoutOnWire,
	LayoutQuery,
	layoutFileToWire,
} from './layouts.schema.ts';
import {getLayout, getTranslation, type LayoutServices, putLayout, putTranslation} from './layouts.ts';

const LAYOUT = '/v1/plugins/:pluginId/versions/:versionId/properties_layout';
const TRANSLATION = `${LAYOUT}/localizations/locale=:locale`;
const MISSING = ['plugin_not_found', 'plugin_version_not_found'] as const;
const MAX_BYTES = 1024 * 1024;

/** The file as bytes, or in a locale as an envelope: what clients in the field read each as (field guide, section 0). */
export async function layoutAnswer(services: LayoutServices, version: PluginVersion, query: LayoutQuery) {
	const found = await getLayout(services, version, query);
	return 'bytes' in found ? new RawAnswer(found.bytes) : ok({layout: found.layout});
}

/** How forms show a version's properties, and the texts of it (specification, "Plugin layout endpoints"). */
export function layoutRoutes(services: CatalogueServices & LayoutServices): Route[] {
	type Asked = Pick<RouteRequest<unknown, unknown>, 'principal' | 'params'>;
	const versionOf = ({principal, params}: Asked, action: 'plugins:read' | 'plugins:write') =>
		getVersion({...services, principal}, action, params);
	return [
		route({
			method: 'GET',
			path: LAYOUT,
			summary: 'The layout of a version: its file, or with a locale its texts put in',
			action: 'plugins:read',
			query: LayoutQuery,
			answer: {bytesOr: LayoutOnWire},
			errors: [...MISSING, 'plugin_layout_not_found', 'plugin_translation_not_found'],
			handle: async request =>
				layoutAnswer(services, await versionOf(request, 'plugins:read'), request.query),
		}),
		route({
			method: 'PUT',
			path: LAYOUT,
			summary: 'Store the layout of a version',
			action: 'plugins:write',
			audit: 'plugin_layout_stored',
			body: 'raw',
			maxBodyBytes: MAX_BYTES,
			answer: LayoutOnWire,
			errors: [...MISSING, 'json_malformed', 'plugin_version_archived'],
			async handle(request) {
				const version = await versionOf(request, 'plugins:write');
				request.trail.organisationId = version.organisationId;
				return ok({layout: await putLayout(services, version, request.bytes)});
			},
		}),
		route({
			method: 'GET',
			path: `${LAYOUT}.listing`,
			summary: "Files of a version's layout",
			action: 'plugins:read',
			query: LayoutListingQuery,
			answer: {page: LayoutFileOnWire},
			errors: MISSING,
			async handle(request) {
				const paging = toPaging(request.query);
				const version = await versionOf(request, 'plugins:read');
				const {hasLayout, locales} = await services.layouts.listing(version.id);
				const files = [...(hasLayout ? [undefined] : []), ...locales].map(layoutFileToWire);
				return okPage(pageOf(files, paging), paging);
			},
		}),
		route({
			method: 'GET',
			path: TRANSLATION,
			summary: "The texts of a version's layout in a locale, as CSV",
			action: 'plugins:read',
			answer: 'bytes',
			errors: [...MISSING, 'plugin_translation_not_found'],
			async handle(request) {
				const version = await versionOf(request, 'plugins:read');
				return new RawAnswer(await getTranslation(services, version, request.params.locale ?? ''));
			},
		}),
		route({
			method: 'PUT',
			path: TRANSLATION,
			summary: "Store the texts of a version's layout in a locale, as CSV with the header KEY,VALUE",
			action: 'plugins:write',
			audit: 'plugin_layout_translation_stored',
			body: 'raw',
			maxBodyBytes: MAX_BYTES,
			answer: LayoutFileOnWire,
			errors: [...MISSING, 'plugin_version_archived'],
			async handle(request) {
				const version = await versionOf(request, 'plugins:write');
				const {params, bytes, trail} = request;
				const locale = await putTranslation(services, version, params.locale ?? '', bytes);
				Object.assign(trail, {
					organisationId: version.organisationId,
					resourceId: version.id,
					details: {locale},
				});
				return ok(layoutFileToWire(locale));
			},
		}),
	];
}
