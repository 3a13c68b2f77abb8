import {Nothing, ok} from '../../http/envelope.ts';
import {okPage, pageOf, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import type {CatalogueServices, PluginType} from '../catalogue/plugins.ts';
import {
	PropertiesQuery,
	PropertyChangeBody,
	PropertyOnWire,
	propertyToWire,
} from '../properties/properties.schema.ts';
import {
	ANALYZER,
	EMAIL_ROUTER,
	InOrganisationQuery,
	type InstanceShapes,
	InstancesQuery,
} from './instances.schema.ts';
import {
	changeInstance,
	changeProperty,
	createInstance,
	getInstance,
	type InstanceServices,
	instanceProperties,
	listInstances,
	type PluginInstance,
	removeInstance,
	resetProperty,
} from './instances.ts';

type Services = CatalogueServices & InstanceServices;
type Asked = Pick<RouteRequest<unknown, unknown>, 'principal' | 'params'>;

/** One kind of instance as the interface speaks of it. */
interface Kind extends InstanceShapes {
	readonly pluginType: PluginType;
	readonly path: string;
	/** The path's parameter. */
	readonly param: string;
	/** In summaries: `an activity analyzer`, `activity analyzers`. */
	readonly one: string;
	readonly many: string;
	/** What of it plugin workers read (specification, "Outbound calls"). */
	readonly outbound: {readonly instance: boolean; readonly properties: boolean};
}

const ANALYZERS = {
	pluginType: 'ACTIVITY_ANALYZER',
	param: 'analyzerId',
	one: 'an activity analyzer',
	many: 'activity analyzers',
	...ANALYZER,
} as const;

const KINDS: readonly Kind[] = [
	{...ANALYZERS, path: '/v1/activity_analyzers', outbound: {instance: true, properties: true}},
	// The field's name for the same.
	{...ANALYZERS, path: '/v1/visit_analyzer_models', outbound: {instance: false, properties: false}},
	{
		pluginType: 'EMAIL_ROUTER',
		path: '/v1/email_routers',
		param: 'emailRouterId',
		one: 'an email router',
		many: 'email routers',
		...EMAIL_ROUTER,
		outbound: {instance: false, properties: true},
	},
];

/** Instances of analyzers and routers: the same for both, under the names each is known by. */
export function instanceRoutes(services: Services): Route[] {
	return KINDS.flatMap(kind => [...recordRoutes(services, kind), ...propertyRoutes(services, kind)]);
}

function recordRoutes(services: Services, kind: Kind): Route[] {
	const {pluginType, path, onWire, toWire} = kind;
	const contextOf = ({principal}: Asked) => ({...services, principal});
	const idOf = ({params}: Asked) => parseId(params[kind.param] ?? '');
	return [
		route({
			method: 'GET',
			path,
			summary: `Instances: ${kind.many}`,
			action: 'plugin_instances:read',
			query: InstancesQuery,
			answer: {page: onWire},
			errors: ['organisation_not_found'],
			async handle(request) {
				const {organisation_id: organisationId, keywords} = request.query;
				const paging = toPaging(request.query);
				const page = await listInstances(contextOf(request), pluginType, {organisationId, keywords}, paging);
				return okPage({...page, items: page.items.map(toWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path,
			summary: `Make ${kind.one} of a plugin's version, with values of its own or a preset's`,
			action: 'plugin_instances:write',
			audit: 'plugin_instance_created',
			body: kind.body,
			query: InOrganisationQuery,
			answer: onWire,
			async handle(request) {
				const {body, query} = request;
				const organisationId = body.organisationId ?? query.organisation_id;
				return ok(toWire(await createInstance(contextOf(request), pluginType, {...body, organisationId})));
			},
		}),
		route({
			method: 'GET',
			path: `${path}/:${kind.param}`,
			summary: `Read ${kind.one}`,
			action: kind.outbound.instance ? 'plugin_instances:fetch' : 'plugin_instances:read',
			answer: onWire,
			errors: ['plugin_instance_not_found'],
			handle: async request =>
				ok(
					toWire(
						await getInstance(
							contextOf(request),
							readAction(kind.outbound.instance),
							pluginType,
							idOf(request),
						),
					),
				),
		}),
		route({
			method: 'PUT',
			path: `${path}/:${kind.param}`,
			summary: `Change ${kind.one}: its name, its version, what becomes of failures`,
			action: 'plugin_instances:write',
			audit: 'plugin_instance_changed',
			body: kind.change,
			answer: onWire,
			errors: ['plugin_instance_not_found'],
			handle: async request =>
				ok(toWire(await changeInstance(contextOf(request), pluginType, idOf(request), request.body))),
		}),
		route({
			method: 'DELETE',
			path: `${path}/:${kind.param}`,
			summary: `Remove ${kind.one}`,
			action: 'plugin_instances:write',
			answer: Nothing,
			audit: 'plugin_instance_removed',
			errors: ['plugin_instance_not_found', 'plugin_instance_in_use'],
			async handle(request) {
				const removed = await removeInstance(contextOf(request), pluginType, idOf(request));
				request.trail.organisationId = removed.organisationId;
				return ok({});
			},
		}),
	];
}

function readAction(isOutbound: boolean) {
	return isOutbound ? 'plugin_instances:fetch' : 'plugin_instances:read';
}

function propertyRoutes(services: Services, kind: Kind): Route[] {
	const path = `${kind.path}/:${kind.param}/properties`;
	const instanceOf = async (
		{principal, params}: Asked,
		action: 'plugin_instances:fetch' | 'plugin_instances:read' | 'plugin_instances:write',
	) => {
		const context = {...services, principal};
		return getInstance(context, action, kind.pluginType, parseId(params[kind.param] ?? ''));
	};
	const action = readAction(kind.outbound.properties);
	return [
		route({
			method: 'GET',
			path,
			summary: `Properties of ${kind.one}: the version's, with its own values in place`,
			action,
			query: PropertiesQuery,
			answer: {page: PropertyOnWire},
			errors: ['plugin_instance_not_found'],
			async handle(request) {
				const paging = toPaging(request.query);
				const properties = await instanceProperties(services, await instanceOf(request, action));
				return okPage(pageOf(properties.map(propertyToWire), paging), paging);
			},
		}),
		...propertyChangeRoutes(services, {
			path: `${path}/technical_name=:technicalName`,
			of: kind.one,
			missing: 'plugin_instance_not_found',
			instanceOf: request => instanceOf(request, 'plugin_instances:write'),
		}),
	];
}

/** PUT and DELETE of one property of whatever is configured by them. */
export function propertyChangeRoutes(
	services: Services,
	{
		path,
		of,
		missing,
		instanceOf,
	}: {
		readonly path: string;
		readonly of: string;
		readonly missing: 'plugin_instance_not_found' | 'email_template_not_found';
		readonly instanceOf: (
			request: Asked,
		) => Promise<Pick<PluginInstance, 'id' | 'pluginVersionId' | 'organisationId'>>;
	},
): Route[] {
	const contextOf = ({principal}: Asked) => ({...services, principal});
	return [
		route({
			method: 'PUT',
			path,
			summary: `Give a property of ${of} a value of its own`,
			action: 'plugin_instances:write',
			audit: 'plugin_property_changed',
			body: PropertyChangeBody,
			answer: PropertyOnWire,
			errors: [missing, 'plugin_property_not_found', 'plugin_property_fixed'],
			async handle(request) {
				const instance = await instanceOf(request);
				const name = told(request, instance);
				return ok(propertyToWire(await changeProperty(contextOf(request), instance, name, request.body)));
			},
		}),
		route({
			method: 'DELETE',
			path,
			summary: `Give a property of ${of} its version's value again`,
			action: 'plugin_instances:write',
			audit: 'plugin_property_reset',
			answer: PropertyOnWire,
			errors: [missing, 'plugin_property_not_found', 'plugin_property_fixed'],
			async handle(request) {
				const instance = await instanceOf(request);
				const name = told(request, instance);
				return ok(propertyToWire(await resetProperty(contextOf(request), instance, name)));
			},
		}),
	];
}

/** Whose trail it stands in, and which property; answers its name. */
function told(
	{trail, params}: Pick<RouteRequest<unknown, unknown>, 'trail' | 'params'>,
	{id, organisationId}: Pick<PluginInstance, 'id' | 'organisationId'>,
): string {
	const technicalName = params.technicalName ?? '';
	trail.organisationId = organisationId;
	trail.resourceId = id;
	trail.details = {technical_name: technicalName};
	return technicalName;
}
