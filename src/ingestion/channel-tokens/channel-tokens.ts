import {invalidField} from '../../errors.ts';
import type {ChannelPrincipal, Principal} from '../../identity/principal.ts';
import type {Channel, TenantView} from '../../tenants/directory.ts';

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
	return principal.kind === 'channel' ? directory.channel(principal.channelId) : undefined;
}

const NAMES = ['$site_id', '$app_id'] as const;

export interface Tracked {
	readonly value: unknown;
	/** The same as JSON text, where the caller brought it. */
	readonly bytes: Buffer;
}

/**
 * An activity sent with a channel's token belongs to that channel: one that names none gets its id, by the channel's
 * type. Errors: `field_invalid` for one that names another channel, since a public token speaks for its own alone.
 */
export function inChannel(channel: Channel, {value, bytes}: Tracked): Tracked {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return {value, bytes};
	const activity = value as Record<string, unknown>;
	const id = String(channel.id);
	const named = NAMES.filter(name => activity[name] != null && activity[name] !== '');
	for (const name of named) {
		if (activity[name] !== id) throw invalidField(`/${name}`, 'is not the channel of this token');
	}
	if (named.length > 0) return {value, bytes};
	const name = channel.type === 'SITE' ? '$site_id' : '$app_id';
	const stamped = {...activity, [name]: id};
	// Put into the text where that can be done: numbers keep all their digits so.
	return {
		value: stamped,
		bytes: Object.hasOwn(activity, name)
			? Buffer.from(JSON.stringify(stamped))
			: withField(bytes, `"${name}":"${id}"`),
	};
}

/** Adds a field to the text of an object that does not have it; the schema has seen to it that it has others. */
function withField(bytes: Buffer, field: string): Buffer {
	const end = bytes.lastIndexOf('}');
	const rest = bytes.subarray(0, end).toString('latin1').trimEnd();
	const separator = rest.endsWith('{') ? '' : ',';
	return Buffer.concat([bytes.subarray(0, end), Buffer.from(`${separator}${field}}`)]);
}
