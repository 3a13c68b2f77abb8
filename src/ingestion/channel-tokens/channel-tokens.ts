import {DomainError, invalidField} from '../../errors.ts';
import type {ChannelPrincipal, Principal} from '../../identity/principal.ts';
import type {Channel, TenantView} from '../../tenants/directory.ts';
import type {WireActivity} from '../facts/activity.ts';
import {parseKeepingNumbers, stringifyKeepingNumbers} from '../facts/activity-text.ts';

/** Who a channel's public token belongs to; undefined when it is no channel's. Answered from memory. */
export function channelPrincipal(directory: TenantView, token: string): ChannelPrincipal | undefined {
	const channel = directory.channelByToken(token);
	if (!channel) return undefined;
	return {
		kind: 'channel',
		channelId: channel.id,
		datamartId: channel.datamartId,
		organisationId: channel.organisationId,
	};
}

/** The channel for which a principal may speak alone; undefined for principals who may speak for any. */
export function channelOf(principal: Principal, directory: TenantView): Channel | undefined {
	if (principal.kind !== 'channel') return undefined;
	const channel = directory.channel(principal.channelId);
	// Removed while the request was coming in: nobody is not everybody.
	if (!channel) throw new DomainError('token_unknown', 'the channel of this token is gone');
	return channel;
}

const NAMES = ['$site_id', '$app_id'] as const;

export interface Tracked {
	readonly activity: WireActivity;
	/** The same as JSON text. */
	readonly bytes: Buffer;
}

/**
 * A checked activity sent with a channel's token belongs to that channel: one that names none gets its id, by the
 * channel's type. Errors: `field_invalid` for one that names another, since a public token speaks for its own alone.
 */
export function inChannel(channel: Channel, tracked: Tracked): Tracked {
	const {activity, bytes} = tracked;
	const id = String(channel.id);
	const named = NAMES.filter(name => activity[name] != null && activity[name] !== '');
	for (const name of named) {
		if (activity[name] !== id) throw invalidField(`/${name}`, 'is not the channel of this token');
	}
	if (named.length > 0) return tracked;
	const name = channel.type === 'SITE' ? '$site_id' : '$app_id';
	const stamped = {...activity, [name]: id};
	if (Object.hasOwn(activity, name)) {
		const exact = {...parseKeepingNumbers(bytes.toString('utf8')), [name]: id};
		return {activity: stamped, bytes: Buffer.from(stringifyKeepingNumbers(exact))};
	}
	// Put into the text, whose numbers keep all their digits so; `$type` at least stands before it.
	const text = bytes.subarray(0, bytes.lastIndexOf('}'));
	return {activity: stamped, bytes: Buffer.concat([text, Buffer.from(`,"${name}":"${id}"}`)])};
}
