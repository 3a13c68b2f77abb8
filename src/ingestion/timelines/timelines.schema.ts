import {z} from 'zod';

/** An activity as it was sent (field guide, section 3): whatever its sender put into it. */
export const ActivityOnWire = z.looseObject({});

/** One identifier of a user point (field guide, section 1, User data). */
export const IdentifierOnWire = z.discriminatedUnion('type', [
	z.object({type: z.literal('USER_POINT'), user_point_id: z.string()}),
	z.object({
		type: z.literal('USER_ACCOUNT'),
		user_account_id: z.string(),
		compartment_id: z.number(),
		creation_ts: z.number(),
	}),
	z.object({
		type: z.literal('USER_AGENT'),
		vector_id: z.string(),
		user_agent_id: z.string(),
		creation_ts: z.number(),
		last_activity_ts: z.number(),
		providers: z.array(z.unknown()),
		mappings: z.array(z.unknown()),
	}),
	z.object({
		type: z.literal('USER_EMAIL'),
		hash: z.string(),
		email: z.string().optional(),
		creation_ts: z.number(),
		last_activity_ts: z.number(),
		providers: z.array(z.unknown()),
	}),
]);
