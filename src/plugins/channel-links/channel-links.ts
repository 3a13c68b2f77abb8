import {invalidField, notFound} from '../../errors.ts';
import {type Action, assertTheirs} from '../../identity/policy.ts';
import type {Principal} from '../../identity/principal.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Channel, TenantView} from '../../tenants/directory.ts';
import {organisationAndAbove} from '../catalogue/plugins.ts';
import type {InstanceStore} from '../instances/instances.store.ts';
import type {AnalyzerLinks} from './analyzer-links.ts';
import type {ChannelLinkStore} from './channel-links.store.ts';

/** Analyzers of one channel (specification, "Limits"). */
export const MAX_ANALYZERS = 5;

/** An analyzer in a channel's chain; a lower order runs earlier. */
export interface ChannelLink {
	readonly id: number;
	readonly channelId: number;
	readonly analyzerId: number;
	readonly executionOrder: number;
	readonly creationTs: number;
	/** The user. */
	readonly createdBy: number | null;
}

export interface ChannelLinkServices {
	readonly links: ChannelLinkStore;
	readonly instances: Pick<InstanceStore, 'find'>;
	readonly analyzerLinks: Pick<AnalyzerLinks, 'refresh'>;
	readonly directory: TenantView;
}

export interface ChannelLinkContext extends ChannelLinkServices {
	readonly principal: Principal;
}

/** In the order they run. Error: `channel_not_found`. */
export function listLinks(
	context: ChannelLinkContext,
	channelId: number | undefined,
	paging: Paging,
): Promise<Page<ChannelLink>> {
	return context.links.list({channelId: channelOf(context, 'channels:read', channelId).id}, paging);
}

/**
 * Behind those that are there; one that is linked twice runs twice. The analyzer must be of the channel's organisation
 * or of one above it. Errors: `channel_not_found`, `channel_links_excessive`, `field_invalid`.
 */
export async function addLink(
	context: ChannelLinkContext,
	channelId: number | undefined,
	request: {readonly analyzerId: number; readonly channelId: number | undefined},
): Promise<ChannelLink> {
	const {principal, directory, instances, links, analyzerLinks} = context;
	const channel = channelOf(context, 'channels:write', channelId);
	if (request.channelId !== undefined && request.channelId !== channel.id) {
		throw invalidField('/channel_id', 'is not the channel of the path');
	}
	const analyzer = await instances.find({id: request.analyzerId, pluginType: 'ACTIVITY_ANALYZER'});
	const isTheirs =
		analyzer && organisationAndAbove(directory, channel.organisationId).includes(analyzer.organisationId);
	if (!isTheirs) throw invalidField('/visit_analyzer_model_id', 'is no activity analyzer');
	const link = await links.add(
		{
			channelId: channel.id,
			analyzerId: analyzer.id,
			createdBy: principal.kind === 'user' ? principal.userId : null,
		},
		MAX_ANALYZERS,
	);
	await analyzerLinks.refresh();
	return link;
}

/** Errors: `channel_not_found`, `channel_link_not_found`. */
export async function getLink(
	context: ChannelLinkContext,
	channelId: number | undefined,
	id: number | undefined,
): Promise<ChannelLink> {
	const channel = channelOf(context, 'channels:read', channelId);
	const link = id === undefined ? undefined : await context.links.find({id, channelId: channel.id});
	if (!link) throw notFound('channel_link_not_found');
	return link;
}

/** The others keep their order. Errors: `channel_not_found`, `channel_link_not_found`. */
export async function removeLink(
	context: ChannelLinkContext,
	channelId: number | undefined,
	id: number | undefined,
): Promise<void> {
	const channel = channelOf(context, 'channels:write', channelId);
	const removed = id !== undefined && (await context.links.remove({id, channelId: channel.id}));
	if (!removed) throw notFound('channel_link_not_found');
	await context.analyzerLinks.refresh();
}

function channelOf(
	{principal, directory}: ChannelLinkContext,
	action: Action,
	channelId: number | undefined,
): Channel {
	const channel = channelId === undefined ? undefined : directory.channel(channelId);
	if (!channel) throw notFound('channel_not_found');
	assertTheirs(principal, action, channel.organisationId, directory, 'channel_not_found');
	return channel;
}
