import {z} from 'zod';
import type {AccessToken} from './access-tokens.ts';

/** Body of the login. Bounded, so that a huge password costs nothing to refuse. */
export const LoginRequest = z.object({
	email: z.string().trim().min(1, 'must not be empty').max(320),
	password: z.string().min(1, 'must not be empty').max(1024),
});
export type LoginRequest = z.output<typeof LoginRequest>;

/** Body of a refresh: no password is sent again. */
export const RefreshRequest = z.object({refresh_token: z.string().min(1, 'must not be empty').max(1024)});

/** Body of `POST /v1/authentication/access_tokens`, either way. */
export const AccessTokenRequest = z.unknown().transform((body, context) => {
	const isRefresh =
		typeof body === 'object' && body !== null && 'refresh_token' in body && body.refresh_token !== null;
	const result = isRefresh ? RefreshRequest.safeParse(body) : LoginRequest.safeParse(body);
	if (result.success) return result.data;
	for (const issue of result.error.issues) context.addIssue({...issue, code: 'custom'});
	return z.NEVER;
});

export const AccessTokenOnWire = z.object({
	access_token: z.string(),
	expires_in: z.int(),
	refresh_token: z.string().nullable(),
});

/** `refreshToken` is the one it was made with. */
export function accessTokenToWire(
	{value, expiresInSeconds}: AccessToken,
	refreshToken: string | null = null,
): z.output<typeof AccessTokenOnWire> {
	return {access_token: value, expires_in: expiresInSeconds, refresh_token: refreshToken};
}

export const RefreshTokenOnWire = z.object({refresh_token: z.string(), expires_in: z.int()});
