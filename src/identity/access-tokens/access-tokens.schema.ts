import {z} from 'zod';
import type {AccessToken} from './access-tokens.ts';

/** Body of the login. Bounded, so that a huge password costs nothing to refuse. */
export const LoginRequest = z.object({
	email: z.string().trim().min(1, 'must not be empty').max(320),
	password: z.string().min(1, 'must not be empty').max(1024),
});
export type LoginRequest = z.output<typeof LoginRequest>;

export function accessTokenToWire({value, expiresInSeconds}: AccessToken) {
	return {access_token: value, expires_in: expiresInSeconds, refresh_token: null};
}
