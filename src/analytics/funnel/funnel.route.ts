import {ok} from '../../http/envelope.ts';
import {okPage} from '../../http/paging.ts';
import {type Route, route} from '../../http/route.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {FunnelRequest, FunnelWire} from './funnel.schema.ts';
import {funnelReport} from './funnel.ts';
import type {Stored} from './moment.ts';
import {SplitWords} from './split-words.ts';
import {FactStretches} from './stretches.ts';
import {pagingOf, UserPointsQuery, UserPointsRequest, UserPointWire} from './user-points.schema.ts';
import {funnelUserPointsPage} from './user-points.ts';

export interface FunnelServices {
	readonly warehouse: Warehouse;
	readonly directory: TenantView;
	readonly ingestion: Stored;
}

const REFUSALS = [
	'dimension_unknown',
	'operator_unknown',
	'expressions_missing',
	'date_range_inverted',
	'steps_missing',
	'steps_excessive',
	'query_timed_out',
	'query_memory_exceeded',
] as const;

/** `POST .../user_analytics_funnel`, and the name the field calls it by (field guide, section 0, point 1). */
export function funnelRoutes({warehouse, directory, ingestion}: FunnelServices): Route[] {
	const stretches = new FactStretches(warehouse);
	const words = new SplitWords(warehouse);
	return [
		route({
			method: 'POST',
			path: '/v1/datamarts/:datamartId/user_analytics_funnel',
			aliases: ['/v1/datamarts/:datamartId/user_activities_funnel'],
			summary: 'How far user points get through a list of steps',
			action: 'analytics:read',
			body: FunnelRequest,
			answer: FunnelWire,
			errors: [...REFUSALS, 'groups_excessive'],
			async handle({datamart, body, read}) {
				const labelOf = (dimension: string, value: string) => {
					if (dimension.toUpperCase() !== 'CHANNEL_ID') return undefined;
					const channel = directory.channel(Number(value));
					return channel?.datamartId === datamart.id ? channel.name : undefined;
				};
				return ok(await funnelReport({datamart, warehouse, stretches, words, labelOf, read}, body));
			},
		}),
		route({
			method: 'POST',
			path: '/v1/datamarts/:datamartId/user_analytics_funnel/user_points',
			aliases: ['/v1/datamarts/:datamartId/user_activities_funnel/user_points'],
			summary: 'The user points that a step of a funnel counts, or those lost at it',
			action: 'analytics:read',
			body: UserPointsRequest,
			query: UserPointsQuery,
			answer: {page: UserPointWire},
			errors: REFUSALS,
			async handle({datamart, body, query, read}) {
				const paging = pagingOf(body, query);
				const context = {datamart, warehouse, stretches, stored: ingestion, read};
				const page = await funnelUserPointsPage(context, body, paging);
				return {...okPage(page, paging), cursor: page.cursor, as_of: page.asOf};
			},
		}),
	];
}
