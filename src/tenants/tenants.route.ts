import type {Route} from '../http/route.ts';
import {channelRoutes} from './channels/channels.route.ts';
import {compartmentRoutes} from './compartments/compartments.route.ts';
import type {TenantServices} from './context.ts';
import {datamartRoutes} from './datamarts/datamarts.route.ts';
import {organisationRoutes} from './organisations/organisations.route.ts';

export function tenantRoutes(services: TenantServices): Route[] {
	return [
		...organisationRoutes(services),
		...datamartRoutes(services),
		...compartmentRoutes(services),
		...channelRoutes(services),
	];
}
