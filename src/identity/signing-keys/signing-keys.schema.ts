import {z} from 'zod';
import {absentWhenNull} from '../../tenants/fields.schema.ts';
import {KEY_ID} from './signature.ts';
import type {SigningKey} from './signing-keys.ts';

/** Epoch ms, as a number or as the text that answers carry. */
const Instant = z.union([
	z.number().int().positive(),
	z
		.string()
		.regex(/^[1-9]\d{0,14}$/, 'must be epoch milliseconds')
		.transform(Number),
]);

/** Body of POST; `expiration_ts` is 12 months from now where it is absent. */
export const SigningKeyRequest = z
	.object({
		scheme: z.literal('HMAC_SHA256'),
		key_id: z.string().regex(KEY_ID, 'must be 1 to 255 visible ASCII characters'),
		expiration_ts: absentWhenNull(Instant),
	})
	.transform(body => ({
		scheme: body.scheme,
		keyId: body.key_id,
		expirationTs: body.expiration_ts,
	}));
export type SigningKeyRequest = z.output<typeof SigningKeyRequest>;

export const SigningKeyOnWire = z.object({
	id: z.string(),
	user_id: z.string(),
	creation_ts: z.string(),
	expiration_ts: z.string(),
	key_id: z.string(),
	scheme: z.literal('HMAC_SHA256'),
	secret_key: z.string(),
});

/** Instants are strings here, unlike anywhere else (specification, Message authentication key). */
export function signingKeyToWire(key: SigningKey): z.output<typeof SigningKeyOnWire> {
	return {
		id: String(key.id),
		user_id: String(key.userId),
		creation_ts: String(key.creationTs),
		expiration_ts: String(key.expirationTs),
		key_id: key.keyId,
		scheme: key.scheme,
		secret_key: key.secretKey,
	};
}
