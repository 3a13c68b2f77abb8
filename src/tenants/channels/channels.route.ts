import {notFound} from '../../errors.ts';
import {Nothing, ok} from '../../http/envelope.ts';
import {okPage, toPaging} from '../../http/paging.ts';
import {type Route, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import type {TenantServices} from '../context.ts';
import type {ChannelType, Datamart} from '../tenants.ts';
import {
	ChannelChangeRequest,
	ChannelOnWire,
	ChannelRequest,
	ChannelsQuery,
	channelToWire,
} from './channels.schema.ts';
import {createChannel, getChannel, removeChannel, updateChannel} from './channels.ts';

export function channelRoutes(services: TenantServices): Route[] {
	return [
		route({
			method: 'GET',
			path: '/v1/datamarts/:datamartId/channels',
			summary: 'Channels of a datamart',
			action: 'channels:read',
			answer: {page: ChannelOnWire},
			query: ChannelsQuery,
			async handle({datamart, query}) {
				const paging = toPaging(query);
				const {organisation_id: organisationId, keywords, type} = query;
				if (organisationId !== undefined && organisationId !== datamart.organisationId) {
					return okPage({items: [], total: 0}, paging);
				}
				const page = await services.channels.list({datamartId: datamart.id, type, keywords}, paging);
				return okPage({...page, items: page.items.map(channelToWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path: '/v1/datamarts/:datamartId/channels',
			summary: 'Make a site or a mobile application',
			action: 'channels:write',
			answer: ChannelOnWire,
			audit: 'channel_created',
			body: ChannelRequest,
			handle: async ({datamart, body}) => ok(channelToWire(await createChannel(services, datamart, body))),
		}),
		route({
			method: 'GET',
			path: '/v1/channels/:channelId',
			summary: 'One channel',
			action: 'channels:read',
			answer: ChannelOnWire,
			async handle({principal, params}) {
				const id = parseId(params.channelId ?? '');
				return ok(channelToWire(await getChannel({...services, principal}, id)));
			},
		}),
		...changeRoutes(services, 'SITE', 'sites', 'siteId'),
		...changeRoutes(services, 'MOBILE_APPLICATION', 'mobile_applications', 'mobileApplicationId'),
	];
}

function changeRoutes(services: TenantServices, type: ChannelType, noun: string, param: string): Route[] {
	const path = `/v1/datamarts/:datamartId/${noun}/:${param}`;
	const keyOf = (datamart: Datamart, params: Readonly<Record<string, string>>) => {
		const id = parseId(params[param] ?? '');
		if (id === undefined) throw notFound('channel_not_found');
		return {id, datamartId: datamart.id, type};
	};
	return [
		route({
			method: 'PUT',
			path,
			summary: `Change a channel of type ${type}`,
			action: 'channels:write',
			answer: ChannelOnWire,
			audit: 'channel_changed',
			body: ChannelChangeRequest,
			handle: async ({datamart, params, body}) =>
				ok(channelToWire(await updateChannel(services, keyOf(datamart, params), body))),
		}),
		route({
			method: 'DELETE',
			path,
			summary: `Remove a channel of type ${type}; its activities stay`,
			action: 'channels:write',
			answer: Nothing,
			audit: 'channel_removed',
			async handle({datamart, params}) {
				await removeChannel(services, keyOf(datamart, params));
				return ok({});
			},
		}),
	];
}
