import {buffer} from 'node:stream/consumers';
import {ok, RawAnswer} from '../../http/envelope.ts';
import {okPage, PagingQuery, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import type {CatalogueServices} from '../catalogue/plugins.ts';
import {ConfigurationFileOnWire} from './configuration-files.schema.ts';
import {
	type ConfigurationFileServices,
	configurationFileOf,
	listConfigurationFiles,
	ownConfigurationFile,
	readConfigurationFile,
	writeConfigurationFile,
} from './configuration-files.ts';

const VERSION = '/v1/plugins/:pluginId/versions/:versionId';
const FILE = `${VERSION}/configuration_file/technical_name=:technicalName`;
/** As a plugin worker asks: its version is known by its credentials. */
const OWN = '/v1/configuration/technical_name=:technicalName';
const ERRORS = ['plugin_not_found', 'plugin_version_not_found'] as const;

/** Files that a version's plugin worker reads its settings from: bytes in, bytes out. */
export function configurationFileRoutes(services: CatalogueServices & ConfigurationFileServices): Route[] {
	const contextOf = ({principal}: Pick<RouteRequest<unknown, unknown>, 'principal'>) => ({
		...services,
		principal,
	});
	return [
		route({
			method: 'GET',
			path: `${VERSION}/configuration_file.listing`,
			summary: 'Names of the configuration files of a version',
			action: 'plugins:read',
			query: PagingQuery,
			answer: {page: ConfigurationFileOnWire},
			errors: ERRORS,
			async handle(request) {
				const paging = toPaging(request.query);
				const page = await listConfigurationFiles(contextOf(request), request.params, paging);
				return okPage({...page, items: page.items.map(name => ({technical_name: name}))}, paging);
			},
		}),
		route({
			method: 'GET',
			path: FILE,
			summary: 'The bytes of a configuration file',
			action: 'plugin_workers:manage',
			answer: 'bytes',
			errors: [...ERRORS, 'configuration_file_not_found'],
			async handle(request) {
				const file = await configurationFileOf(contextOf(request), 'plugin_workers:manage', request.params);
				return new RawAnswer(await readConfigurationFile(services, file));
			},
		}),
		route({
			method: 'PUT',
			path: FILE,
			summary: 'Store a configuration file, in place of what was there',
			action: 'plugin_workers:manage',
			audit: 'configuration_file_stored',
			body: 'stream',
			answer: ConfigurationFileOnWire,
			errors: [...ERRORS, 'configuration_files_excessive'],
			async handle(request) {
				const {organisationId, ...file} = await configurationFileOf(
					contextOf(request),
					'plugin_workers:manage',
					request.params,
				);
				await writeConfigurationFile(services, file, await buffer(request.stream));
				request.trail.organisationId = organisationId;
				request.trail.details = {plugin_version_id: file.pluginVersionId};
				return ok({technical_name: file.technicalName});
			},
		}),
		route({
			method: 'GET',
			path: OWN,
			summary: "The bytes of a configuration file of the plugin worker's own version",
			action: 'own_configuration:read',
			answer: 'bytes',
			errors: ['configuration_file_not_found'],
			handle: async ({principal, params}) =>
				new RawAnswer(await readConfigurationFile(services, ownConfigurationFile(principal, params))),
		}),
		route({
			method: 'PUT',
			path: OWN,
			summary: "Store a configuration file of the plugin worker's own version",
			action: 'own_configuration:write',
			audit: 'configuration_file_stored',
			body: 'stream',
			answer: ConfigurationFileOnWire,
			errors: ['configuration_files_excessive'],
			async handle({principal, params, stream, trail}) {
				const file = ownConfigurationFile(principal, params);
				await writeConfigurationFile(services, file, await buffer(stream));
				if (principal.kind === 'worker') trail.organisationId = principal.organisationId;
				trail.details = {plugin_version_id: file.pluginVersionId};
				return ok({technical_name: file.technicalName});
			},
		}),
	];
}
