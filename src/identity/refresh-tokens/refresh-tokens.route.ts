import {Nothing, ok} from '../../http/envelope.ts';
import {type Route, route} from '../../http/route.ts';
import {LoginRequest, RefreshRequest, RefreshTokenOnWire} from '../access-tokens/access-tokens.schema.ts';
import type {Logins} from '../access-tokens/logins.ts';
import type {RefreshTokens} from './refresh-tokens.ts';

const MAX_BODY_BYTES = 16 * 1024;

export function refreshTokenRoutes(services: {
	readonly logins: Logins;
	readonly refreshTokens: RefreshTokens;
}): Route[] {
	const {logins, refreshTokens} = services;
	return [
		route({
			method: 'POST',
			path: '/v1/authentication/refresh_tokens',
			summary: 'Log in for longer: a refresh token, good for 30 days',
			action: 'public',
			answer: RefreshTokenOnWire,
			errors: ['credentials_invalid', 'logins_excessive'],
			audit: 'refresh_token_created',
			body: LoginRequest,
			maxBodyBytes: MAX_BODY_BYTES,
			async handle({body, remoteAddress, trail}) {
				trail.userId = await logins.verify(body, remoteAddress);
				const {value, expiresInSeconds} = await refreshTokens.create(trail.userId);
				return ok({refresh_token: value, expires_in: expiresInSeconds});
			},
		}),
		route({
			method: 'POST',
			path: '/v1/authentication/refresh_token/revoke',
			aliases: ['/v1/authentication/refresh_tokens/revoke'],
			summary: 'Log out: ends a refresh token and the access tokens made with it, for whoever holds it',
			action: 'public',
			answer: Nothing,
			audit: 'refresh_token_revoked',
			body: RefreshRequest,
			maxBodyBytes: MAX_BODY_BYTES,
			async handle({body, trail}) {
				const revoked = await refreshTokens.revoke(body.refresh_token);
				if (revoked) Object.assign(trail, {userId: revoked.userId, resourceId: revoked.id});
				else trail.skip = true;
				return ok({});
			},
		}),
	];
}
