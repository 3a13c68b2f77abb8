import {notFound} from '../../errors.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import type {CatalogueServices, PluginType} from '../catalogue/plugins.ts';
import {type EmailTemplateServices, getEmailTemplate} from '../email-templates/email-templates.ts';
import {getInstance, type InstanceServices} from '../instances/instances.ts';
import {layoutAnswer} from './layouts.route.ts';
import {LayoutOnWire, LayoutQuery} from './layouts.schema.ts';
import type {LayoutServices} from './layouts.ts';

type Services = CatalogueServices & InstanceServices & EmailTemplateServices & LayoutServices;
type Asked = Pick<RouteRequest<unknown, unknown>, 'principal' | 'params'>;

/** Of which version the thing of a path is. */
type VersionIdOf = (asked: Asked) => Promise<number>;

/** The layout that the form of an instance is drawn by: that of its version (field guide, "Emails"). */
export function instanceLayoutRoutes(services: Services): Route[] {
	const ofInstance =
		(pluginType: PluginType, param: string): VersionIdOf =>
		async ({principal, params}) => {
			const context = {...services, principal};
			const id = parseId(params[param] ?? '');
			return (await getInstance(context, 'plugin_instances:read', pluginType, id)).pluginVersionId;
		};
	const ofTemplate: VersionIdOf = async ({principal, params}) => {
		const context = {...services, principal};
		const id = parseId(params.emailTemplateId ?? '');
		return (await getEmailTemplate(context, 'plugin_instances:read', id)).renderer.pluginVersionId;
	};
	return [
		layoutRoute(
			services,
			['/v1/email_templates/:emailTemplateId', '/v1/creatives/:emailTemplateId'],
			'email_template_not_found',
			ofTemplate,
		),
		layoutRoute(
			services,
			['/v1/activity_analyzers/:analyzerId', '/v1/visit_analyzer_models/:analyzerId'],
			'plugin_instance_not_found',
			ofInstance('ACTIVITY_ANALYZER', 'analyzerId'),
		),
		layoutRoute(
			services,
			['/v1/email_routers/:emailRouterId'],
			'plugin_instance_not_found',
			ofInstance('EMAIL_ROUTER', 'emailRouterId'),
		),
	];
}

function layoutRoute(
	services: Services,
	paths: readonly string[],
	missing: 'email_template_not_found' | 'plugin_instance_not_found',
	versionIdOf: VersionIdOf,
): Route {
	const [path = '', ...aliases] = paths.map(each => `${each}/properties_layout`);
	return route({
		method: 'GET',
		path,
		aliases,
		summary: 'The layout of its version: the file, or with a locale its texts put in',
		action: 'plugin_instances:read',
		query: LayoutQuery,
		answer: {bytesOr: LayoutOnWire},
		errors: [missing, 'plugin_layout_not_found', 'plugin_translation_not_found'],
		async handle(request) {
			const version = await services.versions.find(await versionIdOf(request));
			if (!version) throw notFound('plugin_version_not_found');
			return layoutAnswer(services, version, request.query);
		},
	});
}
