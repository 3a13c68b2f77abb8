import {ok} from '../../http/envelope.ts';
import {type Route, route} from '../../http/route.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {UserStore} from '../users/users.store.ts';
import {
	ConnectedUserOnWire,
	connectedUserToWire,
	WorkspaceOnWire,
	workspaceToWire,
} from './connected-user.schema.ts';
import {connectedUser, workspaceOf} from './connected-user.ts';

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
			answer: ConnectedUserOnWire,
			handle: async ({principal}) => ok(connectedUserToWire(await connectedUser(services, principal))),
		}),
		route({
			method: 'GET',
			path: '/v1/organisations/:organisationId/workspace',
			summary: 'One organisation as the caller sees it, with role and datamarts',
			action: 'organisations:read',
			answer: WorkspaceOnWire,
			async handle({principal, params}) {
				const organisationId = Number(params.organisationId);
				return ok(workspaceToWire(workspaceOf(principal, services.directory, organisationId)));
			},
		}),
	];
}
