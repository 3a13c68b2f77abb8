import {ok} from '../../http/envelope.ts';
import {okPage, toPaging} from '../../http/paging.ts';
import {type Route, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import {
	PluginChangeRequest,
	PluginOnWire,
	PluginRequest,
	PluginsQuery,
	pluginToWire,
} from './plugins.schema.ts';
import {
	type CatalogueServices,
	changePlugin,
	createPlugin,
	getPlugin,
	getPluginOfVersion,
	listPlugins,
} from './plugins.ts';

export function pluginRoutes(services: CatalogueServices): Route[] {
	return [
		route({
			method: 'GET',
			path: '/v1/plugins',
			summary: 'Plugins that the organisation may use: its own and those of organisations above it',
			action: 'plugins:read',
			query: PluginsQuery,
			answer: {page: PluginOnWire},
			errors: ['organisation_not_found'],
			async handle({principal, query}) {
				const paging = toPaging(query);
				const filters = {
					pluginType: query.plugin_type,
					groupId: query.group_id,
					artifactId: query.artifact_id,
					organisationId: query.organisation_id,
					keywords: query.keywords,
					archived: query.archived,
				};
				const page = await listPlugins({...services, principal}, filters, paging);
				return okPage({...page, items: page.items.map(pluginToWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path: '/v1/plugins',
			summary: 'Register a plugin by its type, group and artifact',
			action: 'plugins:write',
			audit: 'plugin_created',
			body: PluginRequest,
			answer: PluginOnWire,
			errors: ['plugin_taken'],
			handle: async ({principal, body}) =>
				ok(pluginToWire(await createPlugin({...services, principal}, body))),
		}),
		route({
			method: 'GET',
			path: '/v1/plugins/:pluginId',
			summary: 'One plugin',
			action: 'plugins:read',
			answer: PluginOnWire,
			errors: ['plugin_not_found'],
			handle: async ({principal, params}) =>
				ok(
					pluginToWire(
						await getPlugin({...services, principal}, 'plugins:read', parseId(params.pluginId ?? '')),
					),
				),
		}),
		route({
			method: 'PUT',
			path: '/v1/plugins/:pluginId',
			summary: 'Archive a plugin, or say which version new instances take',
			action: 'plugins:write',
			audit: 'plugin_changed',
			body: PluginChangeRequest,
			answer: PluginOnWire,
			errors: ['plugin_not_found'],
			handle: async ({principal, params, body}) =>
				ok(pluginToWire(await changePlugin({...services, principal}, parseId(params.pluginId ?? ''), body))),
		}),
		route({
			method: 'GET',
			path: '/v1/plugins/version/:versionId',
			summary: 'The plugin of a version',
			action: 'plugins:read',
			answer: PluginOnWire,
			errors: ['plugin_not_found'],
			handle: async ({principal, params}) =>
				ok(pluginToWire(await getPluginOfVersion({...services, principal}, parseId(params.versionId ?? '')))),
		}),
	];
}
