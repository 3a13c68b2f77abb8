import {ok} from '../../http/envelope.ts';
import {type Route, route} from '../../http/route.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {UserStore} from '../users/users.store.ts';
import {connectedUserToWire} from './connected-user.schema.ts';
import {connectedUser} from './connected-user.ts';

export function connectedUserRoutes(services: {
	readonly users: UserStore;
	readonly directory: TenantView;
}): Route[] {
	return [
		route({
			method: 'GET',
			path: '/v1/connected_user',
			summary: 'Who asks, with their organisations and datamarts',
			action: 'authenticated',
			handle: async ({principal}) => ok(connectedUserToWire(await connectedUser(services, principal))),
		}),
	];
}
