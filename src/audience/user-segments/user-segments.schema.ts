import {z} from 'zod';
import type {Membership} from './user-segments.ts';

/** As segments are called in filters: text, compared as it is. */
export const SegmentId = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/);

const MAX_DATA_BAG_BYTES = 16 * 1024;
/** Beyond any date; keeps the end a safe integer. */
export const LATEST_MS = 253_402_300_799_999;

/** Text or object, kept as JSON text; '' for none. */
export const DataBag = z
	.union([z.string(), z.record(z.string(), z.unknown())])
	.nullish()
	.transform(value => (value == null ? '' : JSON.stringify(value)))
	.refine(text => Buffer.byteLength(text) <= MAX_DATA_BAG_BYTES, {
		error: `must be at most ${MAX_DATA_BAG_BYTES} bytes as JSON`,
	});

/** Body of PUT, which replaces what was there: everything may be absent; `expiration_ts` in epoch ms, null for no end; `data_bag` text or object. */
export const MembershipRequest = z
	.object({
		data_bag: DataBag,
		expiration_ts: z
			.union([z.number(), z.string().regex(/^\d{1,15}$/)])
			.transform(Number)
			.pipe(z.number().int().positive().max(LATEST_MS))
			.nullish(),
	})
	.transform(body => ({
		dataBag: body.data_bag,
		expiresMs: body.expiration_ts ?? undefined,
	}));
export type MembershipRequest = z.output<typeof MembershipRequest>;

export const MembershipOnWire = z.object({
	segment_id: z.string(),
	data_bag: z.unknown(),
	creation_ts: z.number(),
	last_modified_ts: z.number(),
	expiration_ts: z.number().optional(),
});

/** As the field's clients read it (field guide, "User data"). */
export function membershipToWire({
	segmentId,
	dataBag,
	createdMs,
	modifiedMs,
	expiresMs,
}: Membership): z.output<typeof MembershipOnWire> {
	return {
		segment_id: segmentId,
		data_bag: dataBag === '' ? null : (JSON.parse(dataBag) as unknown),
		creation_ts: createdMs,
		last_modified_ts: modifiedMs,
		...(expiresMs === undefined ? {} : {expiration_ts: expiresMs}),
	};
}
