import {ok} from '../../http/envelope.ts';
import {okPage, toPaging} from '../../http/paging.ts';
import {type Route, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import type {TenantServices} from '../context.ts';
import {
	OrganisationOnWire,
	OrganisationRequest,
	OrganisationsQuery,
	organisationToWire,
} from './organisations.schema.ts';
import {createOrganisation, getOrganisation, listOrganisations} from './organisations.ts';

export function organisationRoutes(services: TenantServices): Route[] {
	return [
		route({
			method: 'GET',
			path: '/v1/organisations',
			summary: 'Organisations the caller may see',
			action: 'organisations:read',
			answer: {page: OrganisationOnWire},
			errors: ['community_not_found', 'organisation_not_found'],
			query: OrganisationsQuery,
			async handle({principal, query}) {
				const {community_id: communityId, administrator_id: administratorId, keywords, archived} = query;
				const paging = toPaging(query);
				const filters = {communityId, administratorId, keywords, archived};
				const page = await listOrganisations({...services, principal}, filters, paging);
				return okPage({...page, items: page.items.map(organisationToWire)}, paging);
			},
		}),
		route({
			method: 'GET',
			path: '/v1/organisations/:organisationId',
			summary: 'One organisation',
			action: 'organisations:read',
			answer: OrganisationOnWire,
			async handle({principal, params}) {
				const id = parseId(params.organisationId ?? '');
				return ok(organisationToWire(await getOrganisation({...services, principal}, id)));
			},
		}),
		route({
			method: 'POST',
			path: '/v1/organisations',
			summary: 'Make an organisation, or a sub-organisation of another',
			action: 'organisations:write',
			answer: OrganisationOnWire,
			errors: ['market_unknown', 'community_not_found', 'organisation_not_found'],
			audit: 'organisation_created',
			body: OrganisationRequest,
			async handle({principal, body}) {
				return ok(organisationToWire(await createOrganisation({...services, principal}, body)));
			},
		}),
	];
}
