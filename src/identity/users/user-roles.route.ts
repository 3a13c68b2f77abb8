import {Nothing, ok} from '../../http/envelope.ts';
import {okPage, PagingQuery, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import type {Action} from '../policy.ts';
import {grantRole, revokeRole} from './user-roles.ts';
import {OrganisationQuery, UserRoleOnWire, UserRoleRequest, userRoleToWire} from './users.schema.ts';
import {accountOf, type UserServices} from './users.ts';

const LIST = '/v1/users/:userId/user_roles';

/** Roles are given one organisation at a time. */
export function userRoleRoutes(services: UserServices): Route[] {
	const accountIn = async (
		action: Action,
		request: Pick<RouteRequest<unknown, unknown>, 'principal' | 'params'>,
	) => {
		const context = {...services, principal: request.principal};
		return {context, user: await accountOf(context, action, parseId(request.params.userId ?? ''))};
	};
	return [
		route({
			method: 'GET',
			path: LIST,
			summary: 'Roles of a user, one an organisation',
			action: 'accounts:read',
			answer: {page: UserRoleOnWire},
			query: PagingQuery,
			async handle(request) {
				const paging = toPaging(request.query);
				const {user} = await accountIn('accounts:read', request);
				const page = await services.roles.list({userId: user.id}, paging);
				return okPage({...page, items: page.items.map(userRoleToWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path: LIST,
			summary: 'Give a role in an organisation, in place of the one held there; none above one’s own',
			action: 'users:write',
			answer: UserRoleOnWire,
			errors: ['organisation_not_found', 'administrator_last'],
			audit: 'user_role_granted',
			body: UserRoleRequest,
			async handle(request) {
				const {context, user} = await accountIn('users:write', request);
				return ok(userRoleToWire(await grantRole(context, user, request.body)));
			},
		}),
		route({
			method: 'DELETE',
			path: LIST,
			summary: 'Take the role in the organisation of the query',
			action: 'users:write',
			answer: Nothing,
			errors: ['organisation_not_found', 'user_role_not_found', 'administrator_last'],
			audit: 'user_role_revoked',
			query: OrganisationQuery,
			async handle(request) {
				const {context, user} = await accountIn('users:write', request);
				const revoked = await revokeRole(context, user, {organisationId: request.query.organisation_id});
				request.trail.organisationId = revoked.organisationId;
				request.trail.details = {role: revoked.role};
				return ok({});
			},
		}),
		route({
			method: 'DELETE',
			path: `${LIST}/:userRoleId`,
			summary: 'Take a role by its id',
			action: 'users:write',
			answer: Nothing,
			errors: ['administrator_last'],
			audit: 'user_role_revoked',
			async handle(request) {
				const {context, user} = await accountIn('users:write', request);
				const id = parseId(request.params.userRoleId ?? '');
				const revoked = await revokeRole(context, user, {id});
				request.trail.organisationId = revoked.organisationId;
				request.trail.details = {role: revoked.role};
				return ok({});
			},
		}),
	];
}
