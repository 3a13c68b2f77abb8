import {z} from 'zod';
import {DataBag, LATEST_MS, SegmentId} from '../../audience/user-segments/user-segments.schema.ts';
import {IdentifierText} from '../../ingestion/user-activities/user-activities.schema.ts';
import {NamedIdentifier} from '../../ingestion/user-points/identifiers.schema.ts';

/** One identifier to delete (specification, "User identifier deletion commands"). */
export const DeletionLine = NamedIdentifier;

const MINUTE_MS = 60_000;

/** A person enters a segment, or leaves it; told by exactly one identifier. 0 minutes, or ms, is no end. */
export const SegmentLine = z
	.looseObject({
		operation: z.enum(['UPDATE', 'UPSERT', 'DELETE']).default('UPDATE'),
		compartment_id: z.union([z.string(), z.number()]).nullish(),
		user_account_id: IdentifierText.nullish(),
		email_hash: IdentifierText.nullish(),
		user_agent_id: IdentifierText.nullish(),
		segment_id: z.union([z.string(), z.number()]).transform(String).pipe(SegmentId),
		expiration_duration: z
			.number()
			.int()
			.min(0)
			.max(LATEST_MS / MINUTE_MS)
			.nullish(),
		expiration_ts: z.number().int().min(0).max(LATEST_MS).nullish(),
		data_bag: DataBag,
	})
	.refine(line => [line.user_account_id, line.email_hash, line.user_agent_id].filter(Boolean).length === 1, {
		error: 'needs exactly one of user_account_id, email_hash and user_agent_id',
	});
export type SegmentLine = z.output<typeof SegmentLine>;

/** From when on the person is no member, epoch ms; undefined: until they leave. */
export function expiryOf({expiration_ts: ts, expiration_duration: minutes}: SegmentLine, nowMs: number) {
	if (ts) return ts;
	return minutes ? Math.min(nowMs + minutes * MINUTE_MS, LATEST_MS) : undefined;
}
