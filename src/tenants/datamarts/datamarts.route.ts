import {ok} from '../../http/envelope.ts';
import {okPage, toPaging} from '../../http/paging.ts';
import {type Route, route} from '../../http/route.ts';
import type {TenantServices} from '../context.ts';
import {DatamartOnWire, DatamartRequest, DatamartsQuery, datamartToWire} from './datamarts.schema.ts';
import {createDatamart, listDatamarts} from './datamarts.ts';

export function datamartRoutes(services: TenantServices): Route[] {
	return [
		route({
			method: 'GET',
			path: '/v1/datamarts',
			summary: 'Datamarts of an organisation, or all the caller may see',
			action: 'datamarts:read',
			answer: {page: DatamartOnWire},
			errors: ['organisation_not_found'],
			query: DatamartsQuery,
			async handle({principal, query}) {
				const {organisation_id: organisationId, keywords, archived} = query;
				const paging = toPaging(query);
				const page = await listDatamarts(
					{...services, principal},
					{organisationId, keywords, archived},
					paging,
				);
				return okPage({...page, items: page.items.map(datamartToWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path: '/v1/datamarts',
			summary: 'Make a datamart with its default compartment',
			action: 'datamarts:write',
			answer: DatamartOnWire,
			errors: ['organisation_not_found'],
			audit: 'datamart_created',
			query: DatamartsQuery,
			body: DatamartRequest,
			async handle({principal, query, body}) {
				const request = {...body, organisationId: body.organisationId ?? query.organisation_id};
				return ok(datamartToWire(await createDatamart({...services, principal}, request)));
			},
		}),
		route({
			method: 'GET',
			path: '/v1/datamarts/:datamartId',
			summary: 'One datamart',
			action: 'datamarts:read',
			answer: DatamartOnWire,
			handle: async ({datamart}) => ok(datamartToWire(datamart)),
		}),
	];
}
