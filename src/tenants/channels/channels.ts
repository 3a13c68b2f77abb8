import {invalidField, notFound} from '../../errors.ts';
import {assertTheirs} from '../../identity/policy.ts';
import type {TenantContext} from '../context.ts';
import type {Channel, Datamart} from '../tenants.ts';
import type {ChannelRequest} from './channels.schema.ts';
import type {ChannelChange, ChannelKey} from './channels.store.ts';

type Context = Pick<TenantContext, 'directory' | 'channels'>;

/** Its token opens tracking on this instance once it resolves. */
export async function createChannel(
	{directory, channels}: Context,
	datamart: Datamart,
	{organisationId, ...request}: ChannelRequest,
): Promise<Channel> {
	if (organisationId !== undefined && organisationId !== datamart.organisationId) {
		throw invalidField('/organisation_id', 'is not the organisation of the datamart');
	}
	const channel = await channels.create({...request, datamartId: datamart.id});
	await directory.refresh();
	return channel;
}

export async function getChannel(
	{principal, directory, channels}: TenantContext,
	id: number | undefined,
): Promise<Channel> {
	const channel = id === undefined ? undefined : await channels.find(id);
	if (!channel) throw notFound('channel_not_found');
	assertTheirs(principal, 'channels:read', channel.organisationId, directory, 'channel_not_found');
	return channel;
}

export async function updateChannel(
	{directory, channels}: Context,
	key: ChannelKey,
	change: ChannelChange,
): Promise<Channel> {
	const channel = await channels.update(key, change);
	if (!channel) throw notFound('channel_not_found');
	await directory.refresh();
	return channel;
}

/** Its token stops working; its activities stay and go on counting. */
export async function removeChannel({directory, channels}: Context, key: ChannelKey): Promise<void> {
	if (!(await channels.remove(key))) throw notFound('channel_not_found');
	await directory.refresh();
}
