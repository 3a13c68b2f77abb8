import {ok} from '../../http/envelope.ts';
import {okPage, toPaging} from '../../http/paging.ts';
import {type Route, route} from '../../http/route.ts';
import type {TenantServices} from '../context.ts';
import {
	CompartmentOnWire,
	CompartmentRequest,
	CompartmentsQuery,
	compartmentToWire,
} from './compartments.schema.ts';
import {createCompartment} from './compartments.ts';

export function compartmentRoutes(services: TenantServices): Route[] {
	return [
		route({
			method: 'GET',
			path: '/v1/datamarts/:datamartId/compartments',
			aliases: ['/v1/datamarts/:datamartId/user_account_compartments'],
			summary: 'Compartments of a datamart',
			action: 'compartments:read',
			answer: {page: CompartmentOnWire},
			query: CompartmentsQuery,
			async handle({datamart, query}) {
				const paging = toPaging(query);
				const page = await services.compartments.list(
					{datamartId: datamart.id, keywords: query.keywords},
					paging,
				);
				return okPage({...page, items: page.items.map(compartmentToWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path: '/v1/datamarts/:datamartId/compartments',
			summary: 'Make a compartment',
			action: 'compartments:write',
			answer: CompartmentOnWire,
			audit: 'compartment_created',
			body: CompartmentRequest,
			handle: async ({datamart, body}) =>
				ok(compartmentToWire(await createCompartment(services, datamart.id, body))),
		}),
	];
}
