import {z} from 'zod';
import {absentWhenNull, IdField} from '../../tenants/fields.schema.ts';
import type {ChannelLink} from './channel-links.ts';

/** Body of POST (field guide, "Analyzer instances, channels"). */
export const ChannelLinkRequest = z
	.object({visit_analyzer_model_id: IdField, channel_id: absentWhenNull(IdField)})
	.transform(body => ({analyzerId: body.visit_analyzer_model_id, channelId: body.channel_id}));

export const ChannelLinkOnWire = z.object({
	id: z.string(),
	channel_id: z.string(),
	visit_analyzer_model_id: z.string(),
	execution_order: z.number(),
	creation_ts: z.number(),
	created_by: z.string().nullable(),
});

export function channelLinkToWire(link: ChannelLink): z.output<typeof ChannelLinkOnWire> {
	return {
		id: String(link.id),
		channel_id: String(link.channelId),
		visit_analyzer_model_id: String(link.analyzerId),
		execution_order: link.executionOrder,
		creation_ts: link.creationTs,
		created_by: link.createdBy === null ? null : String(link.createdBy),
	};
}
