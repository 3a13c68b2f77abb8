import {ok} from '../../http/envelope.ts';
import {okPage, pageOf, toPaging} from '../../http/paging.ts';
import {type Route, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import type {CatalogueServices} from '../catalogue/plugins.ts';
import {PropertiesQuery, PropertyOnWire, propertyToWire} from '../properties/properties.schema.ts';
import {
	VersionChangeRequest,
	VersionOnWire,
	VersionRequest,
	VersionsQuery,
	versionToWire,
} from './versions.schema.ts';
import {changeVersion, createVersion, getVersion, listVersions, propertiesOf} from './versions.ts';

const VERSIONS = '/v1/plugins/:pluginId/versions';
const VERSION = `${VERSIONS}/:versionId`;

export function versionRoutes(services: CatalogueServices): Route[] {
	return [
		route({
			method: 'GET',
			path: VERSIONS,
			summary: 'Versions of a plugin',
			action: 'plugins:read',
			query: VersionsQuery,
			answer: {page: VersionOnWire},
			errors: ['plugin_not_found'],
			async handle({principal, params, query}) {
				const paging = toPaging(query);
				const pluginId = parseId(params.pluginId ?? '');
				const filters = {archived: query.archived};
				const page = await listVersions({...services, principal}, pluginId, filters, paging);
				return okPage({...page, items: page.items.map(versionToWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path: VERSIONS,
			summary: 'Register a version with its properties; it becomes the current one',
			action: 'plugins:write',
			audit: 'plugin_version_created',
			body: VersionRequest,
			answer: VersionOnWire,
			errors: ['plugin_not_found', 'version_id_taken'],
			async handle({principal, params, body}) {
				const pluginId = parseId(params.pluginId ?? '');
				return ok(versionToWire(await createVersion({...services, principal}, pluginId, body)));
			},
		}),
		route({
			method: 'GET',
			path: VERSION,
			summary: 'One version of a plugin',
			action: 'plugins:read',
			answer: VersionOnWire,
			errors: ['plugin_not_found', 'plugin_version_not_found'],
			handle: async ({principal, params}) =>
				ok(versionToWire(await getVersion({...services, principal}, 'plugins:read', params))),
		}),
		route({
			method: 'PUT',
			path: VERSION,
			summary: 'Archive a version, or change its limit and labels',
			action: 'plugins:write',
			audit: 'plugin_version_changed',
			body: VersionChangeRequest,
			answer: VersionOnWire,
			errors: ['plugin_not_found', 'plugin_version_not_found'],
			handle: async ({principal, params, body}) =>
				ok(versionToWire(await changeVersion({...services, principal}, params, body))),
		}),
		route({
			method: 'GET',
			path: `${VERSION}/properties`,
			summary: 'Properties that a version declares',
			action: 'plugins:read',
			query: PropertiesQuery,
			answer: {page: PropertyOnWire},
			errors: ['plugin_not_found', 'plugin_version_not_found'],
			async handle({principal, params, query}) {
				const paging = toPaging(query);
				const properties = await propertiesOf({...services, principal}, params);
				return okPage(pageOf(properties.map(propertyToWire), paging), paging);
			},
		}),
	];
}
