import {Nothing, ok} from '../../http/envelope.ts';
import {okPage, PagingQuery, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import {ChannelLinkOnWire, ChannelLinkRequest, channelLinkToWire} from './channel-links.schema.ts';
import {addLink, type ChannelLinkServices, getLink, listLinks, removeLink} from './channel-links.ts';

const LINKS = '/v1/channels/:channelId/visit_analyzer_models';
const LINK = `${LINKS}/:channelLinkId`;

/** The analyzers that a channel's activities go through, in the order they were posted. */
export function channelLinkRoutes(services: ChannelLinkServices): Route[] {
	const asked = ({principal, params}: Pick<RouteRequest<unknown, unknown>, 'principal' | 'params'>) => ({
		context: {...services, principal},
		channelId: parseId(params.channelId ?? ''),
		id: parseId(params.channelLinkId ?? ''),
	});
	/** The trail is that of the channel's organisation. */
	const tell = (
		{trail}: Pick<RouteRequest<unknown, unknown>, 'trail'>,
		channelId = 0,
		analyzerId?: number,
	) => {
		const channel = services.directory.channel(channelId);
		if (channel) trail.organisationId = channel.organisationId;
		trail.details = {channel_id: channelId, ...(analyzerId !== undefined && {analyzer_id: analyzerId})};
	};
	return [
		route({
			method: 'GET',
			path: LINKS,
			summary: "A channel's activity analyzers in the order they run",
			action: 'channels:read',
			query: PagingQuery,
			answer: {page: ChannelLinkOnWire},
			errors: ['channel_not_found'],
			async handle(request) {
				const paging = toPaging(request.query);
				const {context, channelId} = asked(request);
				const page = await listLinks(context, channelId, paging);
				return okPage({...page, items: page.items.map(channelLinkToWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path: LINKS,
			summary: 'Put an activity analyzer behind those a channel has; at most five',
			action: 'channels:write',
			audit: 'channel_analyzer_linked',
			body: ChannelLinkRequest,
			answer: ChannelLinkOnWire,
			errors: ['channel_not_found', 'channel_links_excessive'],
			async handle(request) {
				const {context, channelId} = asked(request);
				const link = await addLink(context, channelId, request.body);
				tell(request, channelId, link.analyzerId);
				return ok(channelLinkToWire(link));
			},
		}),
		route({
			method: 'GET',
			path: LINK,
			summary: 'One activity analyzer of a channel',
			action: 'channels:read',
			answer: ChannelLinkOnWire,
			errors: ['channel_not_found', 'channel_link_not_found'],
			async handle(request) {
				const {context, channelId, id} = asked(request);
				return ok(channelLinkToWire(await getLink(context, channelId, id)));
			},
		}),
		route({
			method: 'DELETE',
			path: LINK,
			summary: 'Take an activity analyzer out of a channel; the others keep their order',
			action: 'channels:write',
			answer: Nothing,
			audit: 'channel_analyzer_unlinked',
			errors: ['channel_not_found', 'channel_link_not_found'],
			async handle(request) {
				const {context, channelId, id} = asked(request);
				await removeLink(context, channelId, id);
				tell(request, channelId);
				return ok({});
			},
		}),
	];
}
