import type {Route} from '../http/route.ts';
import type {TenantView} from '../tenants/directory.ts';
import {accessTokenRoutes} from './access-tokens/access-tokens.route.ts';
import type {AccessTokens} from './access-tokens/access-tokens.ts';
import {connectedUserRoutes} from './connected-user/connected-user.route.ts';
import type {UserStore} from './users/users.store.ts';

export function identityRoutes(services: {
	readonly accessTokens: AccessTokens;
	readonly users: UserStore;
	readonly directory: TenantView;
}): Route[] {
	return [...accessTokenRoutes(services), ...connectedUserRoutes(services)];
}
