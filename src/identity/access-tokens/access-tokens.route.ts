import {ok} from '../../http/envelope.ts';
import {type Route, route} from '../../http/route.ts';
import {accessTokenToWire, LoginRequest} from './access-tokens.schema.ts';
import type {AccessTokens} from './access-tokens.ts';

export function accessTokenRoutes({accessTokens}: {readonly accessTokens: AccessTokens}): Route[] {
	return [
		route({
			method: 'POST',
			path: '/v1/authentication/access_tokens',
			summary: 'Log in: a temporary access token, good for an hour',
			action: 'public',
			body: LoginRequest,
			maxBodyBytes: 16 * 1024,
			handle: async ({body}) => ok(accessTokenToWire(await accessTokens.create(body))),
		}),
	];
}
