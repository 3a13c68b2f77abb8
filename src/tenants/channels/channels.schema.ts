import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {randomToken} from '../../lib/tokens.ts';
import {absentWhenNull, IdField, NameField, TokenField} from '../fields.schema.ts';
import {CHANNEL_TYPES, type Channel} from '../tenants.ts';

const Domain = z.string().trim().min(1, 'must not be empty').max(255);

/** Body of `POST /v1/datamarts/:id/channels` (field guide, "Analyzer instances, channels"). */
export const ChannelRequest = z
	.object({
		name: NameField,
		type: z.enum(CHANNEL_TYPES),
		domain: absentWhenNull(Domain),
		token: absentWhenNull(TokenField),
		enable_analytics: absentWhenNull(z.boolean()),
		enable_installation_id_aggregation: absentWhenNull(z.boolean()),
		organisation_id: absentWhenNull(IdField),
	})
	.transform(body => ({
		name: body.name,
		type: body.type,
		domain: body.domain ?? null,
		token: body.token ?? randomToken(),
		enableAnalytics: body.enable_analytics ?? false,
		enableInstallationIdAggregation: body.enable_installation_id_aggregation ?? false,
		organisationId: body.organisation_id,
	}));
export type ChannelRequest = z.output<typeof ChannelRequest>;

/** Body of PUT: what is absent stays; `domain: null` empties it. Type and token cannot change. */
export const ChannelChangeRequest = z
	.object({
		name: NameField.optional(),
		domain: Domain.nullish(),
		enable_analytics: z.boolean().optional(),
		enable_installation_id_aggregation: z.boolean().optional(),
	})
	.transform(body => ({
		...(body.name !== undefined && {name: body.name}),
		...(body.domain !== undefined && {domain: body.domain}),
		...(body.enable_analytics !== undefined && {enableAnalytics: body.enable_analytics}),
		...(body.enable_installation_id_aggregation !== undefined && {
			enableInstallationIdAggregation: body.enable_installation_id_aggregation,
		}),
	}));

export const ChannelsQuery = z.looseObject({
	...PagingQuery.shape,
	organisation_id: IdField.optional(),
	type: z.enum(CHANNEL_TYPES).optional(),
	keywords: z.string().optional(),
});

export const ChannelOnWire = z.object({
	id: z.string(),
	name: z.string(),
	type: z.enum(CHANNEL_TYPES),
	datamart_id: z.string(),
	organisation_id: z.string(),
	token: z.string(),
	domain: z.string().nullable(),
	creation_ts: z.number(),
	enable_analytics: z.boolean(),
	enable_installation_id_aggregation: z.boolean(),
});

export function channelToWire(channel: Channel): z.output<typeof ChannelOnWire> {
	return {
		id: String(channel.id),
		name: channel.name,
		type: channel.type,
		datamart_id: String(channel.datamartId),
		organisation_id: String(channel.organisationId),
		token: channel.token,
		domain: channel.domain,
		creation_ts: channel.creationTs,
		enable_analytics: channel.enableAnalytics,
		enable_installation_id_aggregation: channel.enableInstallationIdAggregation,
	};
}
