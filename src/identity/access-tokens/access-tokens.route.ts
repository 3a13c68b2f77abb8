import {ok} from '../../http/envelope.ts';
import {type Route, route} from '../../http/route.ts';
import type {RefreshTokens} from '../refresh-tokens/refresh-tokens.ts';
import {AccessTokenOnWire, AccessTokenRequest, accessTokenToWire} from './access-tokens.schema.ts';
import type {AccessTokens} from './access-tokens.ts';
import type {Logins} from './logins.ts';

export function accessTokenRoutes(services: {
	readonly accessTokens: AccessTokens;
	readonly refreshTokens: RefreshTokens;
	readonly logins: Logins;
}): Route[] {
	const {accessTokens, refreshTokens, logins} = services;
	return [
		route({
			method: 'POST',
			path: '/v1/authentication/access_tokens',
			// Some published examples call it without its first part (field guide, section 5).
			aliases: ['/v1/access_tokens'],
			summary: 'Log in with a password or a refresh token: a temporary access token, good for an hour',
			action: 'public',
			answer: AccessTokenOnWire,
			errors: ['credentials_invalid', 'logins_excessive', 'token_unknown', 'token_expired'],
			audit: 'access_token_created',
			body: AccessTokenRequest,
			maxBodyBytes: 16 * 1024,
			async handle({body, remoteAddress, trail}) {
				if ('refresh_token' in body) {
					const {token, userId} = await refreshTokens.accessToken(body.refresh_token);
					trail.userId = userId;
					return ok(accessTokenToWire(token, body.refresh_token));
				}
				trail.userId = await logins.verify(body, remoteAddress);
				return ok(accessTokenToWire(await accessTokens.create(trail.userId)));
			},
		}),
	];
}
