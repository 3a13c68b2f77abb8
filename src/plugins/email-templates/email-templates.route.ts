import {ok} from '../../http/envelope.ts';
import {okPage, pageOf, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import type {CatalogueServices} from '../catalogue/plugins.ts';
import {propertyChangeRoutes} from '../instances/instances.route.ts';
import {InOrganisationQuery} from '../instances/instances.schema.ts';
import {type InstanceServices, instanceProperties} from '../instances/instances.ts';
import {PropertiesQuery, PropertyOnWire, propertyToWire} from '../properties/properties.schema.ts';
import {
	EmailTemplateBody,
	EmailTemplateChangeBody,
	EmailTemplateOnWire,
	EmailTemplatesQuery,
	emailTemplateToWire,
} from './email-templates.schema.ts';
import {
	changeEmailTemplate,
	createEmailTemplate,
	type EmailTemplateServices,
	getEmailTemplate,
	listEmailTemplates,
} from './email-templates.ts';

type Services = CatalogueServices & InstanceServices & EmailTemplateServices;
type Asked = Pick<RouteRequest<unknown, unknown>, 'principal' | 'params'>;

const TEMPLATES = '/v1/email_templates';
const CREATIVES = '/v1/creatives';
const PARAM = 'emailTemplateId';

/** Email templates, which plugin workers and lists know as creatives. */
export function emailTemplateRoutes(services: Services): Route[] {
	const contextOf = ({principal}: Asked) => ({...services, principal});
	const idOf = ({params}: Asked) => parseId(params[PARAM] ?? '');
	return [
		route({
			method: 'GET',
			path: TEMPLATES,
			aliases: [CREATIVES],
			summary: 'Email templates',
			action: 'plugin_instances:read',
			query: EmailTemplatesQuery,
			answer: {page: EmailTemplateOnWire},
			errors: ['organisation_not_found'],
			async handle(request) {
				const {organisation_id: organisationId, archived, keywords} = request.query;
				const paging = toPaging(request.query);
				const filters = {organisationId, archived, keywords};
				const page = await listEmailTemplates(contextOf(request), filters, paging);
				return okPage({...page, items: page.items.map(emailTemplateToWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path: TEMPLATES,
			summary: "Make an email template on a renderer plugin's version",
			action: 'plugin_instances:write',
			audit: 'email_template_created',
			body: EmailTemplateBody,
			query: InOrganisationQuery,
			answer: EmailTemplateOnWire,
			async handle(request) {
				const organisationId = request.body.organisationId ?? request.query.organisation_id;
				const template = await createEmailTemplate(contextOf(request), {...request.body, organisationId});
				return ok(emailTemplateToWire(template));
			},
		}),
		route({
			method: 'PUT',
			path: `${TEMPLATES}/:${PARAM}`,
			summary: 'Change an email template, or archive it',
			action: 'plugin_instances:write',
			audit: 'email_template_changed',
			body: EmailTemplateChangeBody,
			answer: EmailTemplateOnWire,
			errors: ['email_template_not_found'],
			handle: async request =>
				ok(emailTemplateToWire(await changeEmailTemplate(contextOf(request), idOf(request), request.body))),
		}),
		...readRoutes(services, TEMPLATES, 'plugin_instances:read'),
		// `force-reload` may be asked for: what is read here is never an older state.
		...readRoutes(services, CREATIVES, 'plugin_instances:fetch'),
		...propertyChangeRoutes(services, {
			path: `${TEMPLATES}/:${PARAM}/renderer_properties/technical_name=:technicalName`,
			of: "an email template's renderer",
			missing: 'email_template_not_found',
			instanceOf: async request =>
				(await getEmailTemplate(contextOf(request), 'plugin_instances:write', idOf(request))).renderer,
		}),
	];
}

function readRoutes(
	services: Services,
	path: string,
	action: 'plugin_instances:read' | 'plugin_instances:fetch',
): Route[] {
	const templateOf = ({principal, params}: Asked) =>
		getEmailTemplate({...services, principal}, action, parseId(params[PARAM] ?? ''));
	return [
		route({
			method: 'GET',
			path: `${path}/:${PARAM}`,
			summary: "One email template, by its id or its renderer instance's",
			action,
			answer: EmailTemplateOnWire,
			errors: ['email_template_not_found'],
			handle: async request => ok(emailTemplateToWire(await templateOf(request))),
		}),
		route({
			method: 'GET',
			path: `${path}/:${PARAM}/renderer_properties`,
			summary: "Properties of an email template's renderer",
			action,
			query: PropertiesQuery,
			answer: {page: PropertyOnWire},
			errors: ['email_template_not_found'],
			async handle(request) {
				const paging = toPaging(request.query);
				const {renderer} = await templateOf(request);
				const properties = await instanceProperties(services, renderer);
				return okPage(pageOf(properties.map(propertyToWire), paging), paging);
			},
		}),
	];
}
