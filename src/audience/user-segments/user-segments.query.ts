import {z} from 'zod';
import {defineQuery} from '../../warehouse/define-query.ts';

const MembershipRow = z
	.object({
		user_point_id: z.coerce.number(),
		segment_id: z.string(),
		created_ms: z.coerce.number(),
		modified_ms: z.coerce.number(),
		// The largest UInt64 is no safe integer: it stands for no end.
		expires_ms: z.union([z.string(), z.number()]).transform(text => {
			const value = Number(text);
			return Number.isSafeInteger(value) ? value : undefined;
		}),
		data_bag: z.string(),
	})
	.transform(row => ({
		userPointId: row.user_point_id,
		segmentId: row.segment_id,
		createdMs: row.created_ms,
		modifiedMs: row.modified_ms,
		expiresMs: row.expires_ms,
		dataBag: row.data_bag,
	}));

/** One row as written; `expiresMs` 0 is a membership that was left, undefined one without an end. */
export type MembershipRow = z.output<typeof MembershipRow>;

export const membershipRows = defineQuery({
	name: 'userSegments.memberships',
	lane: 'light',
	sql: 'audience/user-segments.sql',
	params: z.object({datamartId: z.number(), userPointIds: z.array(z.number())}),
	row: MembershipRow,
});
