import type {Route} from '../http/route.ts';
import {accessTokenRoutes} from './access-tokens/access-tokens.route.ts';
import type {AccessTokens} from './access-tokens/access-tokens.ts';
import {connectedUserRoutes} from './connected-user/connected-user.route.ts';
import {refreshTokenRoutes} from './refresh-tokens/refresh-tokens.route.ts';
import type {RefreshTokens} from './refresh-tokens/refresh-tokens.ts';
import {userRoleRoutes} from './users/user-roles.route.ts';
import {userRoutes} from './users/users.route.ts';
import type {UserServices} from './users/users.ts';

export interface IdentityServices extends UserServices {
	readonly accessTokens: AccessTokens;
	readonly refreshTokens: RefreshTokens;
}

export function identityRoutes(services: IdentityServices): Route[] {
	return [
		...accessTokenRoutes(services),
		...refreshTokenRoutes(services),
		...connectedUserRoutes(services),
		...userRoutes(services),
		...userRoleRoutes(services),
	];
}
