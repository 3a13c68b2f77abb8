import {Nothing, ok} from '../../http/envelope.ts';
import {okPage, PagingQuery, toPaging} from '../../http/paging.ts';
import {type Route, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import {
	UserChangeRequest,
	UserOnWire,
	UserRequest,
	UsersQuery,
	UserWithRolesOnWire,
	userRoleToWire,
	userToWire,
} from './users.schema.ts';
import {accountOf, createUser, listUsers, removeUser, type UserServices, updateUser} from './users.ts';

export function userRoutes(services: UserServices): Route[] {
	return [
		route({
			method: 'GET',
			path: '/v1/users',
			summary: 'Users of an organisation, or of all that the caller administers',
			action: 'users:read',
			answer: {page: UserOnWire},
			errors: ['organisation_not_found'],
			query: UsersQuery,
			async handle({principal, query}) {
				const paging = toPaging(query);
				const {organisation_id: organisationId, keywords} = query;
				const page = await listUsers({...services, principal}, {organisationId, keywords}, paging);
				return okPage({...page, items: page.items.map(userToWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path: '/v1/users',
			summary: 'Make a user; without a password nobody logs in until one is set',
			action: 'users:write',
			answer: UserOnWire,
			errors: ['organisation_not_found'],
			audit: 'user_created',
			query: UsersQuery,
			body: UserRequest,
			async handle({principal, query, body}) {
				const request = {...body, organisationId: body.organisationId ?? query.organisation_id};
				return ok(userToWire(await createUser({...services, principal}, request)));
			},
		}),
		...accountRoutes(services),
		route({
			method: 'GET',
			path: '/v1/communities/:communityId/users.user_roles',
			aliases: ['/v1/community/:communityId/users.user_roles'],
			summary: 'Users of a community, each with their roles',
			action: 'communities:read',
			answer: {page: UserWithRolesOnWire},
			query: PagingQuery,
			async handle({params, query}) {
				const paging = toPaging(query);
				const page = await services.users.listOfCommunity(Number(params.communityId), paging);
				const roles = await services.roles.rolesOf(page.items.map(({id}) => id));
				const items = page.items.map(user => ({
					...userToWire(user),
					user_roles: roles.filter(({userId}) => userId === user.id).map(userRoleToWire),
				}));
				return okPage({...page, items}, paging);
			},
		}),
	];
}

function accountRoutes(services: UserServices): Route[] {
	const path = '/v1/users/:userId';
	const idOf = (params: Readonly<Record<string, string>>) => parseId(params.userId ?? '');
	return [
		route({
			method: 'GET',
			path,
			summary: 'One user: oneself, or one of an organisation the caller administers',
			action: 'accounts:read',
			answer: UserOnWire,
			async handle({principal, params}) {
				return ok(userToWire(await accountOf({...services, principal}, 'accounts:read', idOf(params))));
			},
		}),
		route({
			method: 'PUT',
			path,
			summary: 'Change names, address, locale or password; one’s own password with current_password',
			action: 'accounts:write',
			answer: UserOnWire,
			errors: ['credentials_invalid', 'logins_excessive', 'access_token_required', 'organisation_not_found'],
			audit: 'user_changed',
			body: UserChangeRequest,
			async handle({principal, params, body, trail, remoteAddress}) {
				const context = {...services, principal};
				const user = await accountOf(context, 'accounts:write', idOf(params));
				trail.organisationId = user.organisationId;
				return ok(userToWire(await updateUser(context, user, body, remoteAddress)));
			},
		}),
		route({
			method: 'DELETE',
			path,
			summary: 'Remove a user with their roles and credentials; what they made stays',
			action: 'users:write',
			answer: Nothing,
			errors: ['administrator_last'],
			audit: 'user_removed',
			async handle({principal, params, trail}) {
				const context = {...services, principal};
				const user = await accountOf(context, 'users:write', idOf(params));
				await removeUser(context, user);
				trail.organisationId = user.organisationId;
				trail.details = {email: user.email};
				return ok({});
			},
		}),
	];
}
