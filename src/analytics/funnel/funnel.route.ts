import {ok} from '../../http/envelope.ts';
import {type Route, route} from '../../http/route.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {FunnelRequest} from './funnel.schema.ts';
import {funnelReport} from './funnel.ts';

/** `POST .../user_analytics_funnel`, and the name the field calls it by (field guide, section 0, point 1). */
export function funnelRoutes({warehouse, directory}: {warehouse: Warehouse; directory: TenantView}): Route[] {
	return [
		route({
			method: 'POST',
			path: '/v1/datamarts/:datamartId/user_analytics_funnel',
			aliases: ['/v1/datamarts/:datamartId/user_activities_funnel'],
			summary: 'How far user points get through a list of steps',
			action: 'analytics:read',
			body: FunnelRequest,
			async handle({datamart, body, signal}) {
				const labelOf = (dimension: string, value: string) => {
					if (dimension.toUpperCase() !== 'CHANNEL_ID') return undefined;
					const channel = directory.channel(Number(value));
					return channel?.datamartId === datamart.id ? channel.name : undefined;
				};
				return ok(await funnelReport({datamart, warehouse, labelOf, read: {signal}}, body));
			},
		}),
	];
}
