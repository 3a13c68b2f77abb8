import {DomainError, notFound} from '../errors.ts';
import {parseId} from '../lib/ids.ts';
import type {TenantView} from '../tenants/directory.ts';
import {type Action, administersCommunity, assertTheirs, roleFor} from './policy.ts';
import {type Principal, ROLES, type RoleGrant} from './principal.ts';
import type {UserRoleStore} from './users/user-roles.store.ts';
import type {UserStore} from './users/users.store.ts';
import type {User} from './users/users.ts';

/** What deciding about a user's credentials needs. */
export interface HolderServices {
	readonly users: Pick<UserStore, 'find'>;
	readonly roles: Pick<UserRoleStore, 'grantsOf'>;
	readonly directory: TenantView;
}

/**
 * The user whose credentials a path names: the caller, or one of an organisation where the caller may do `action`.
 * Errors: `user_not_found`, `role_insufficient`.
 */
export async function holderOf(
	{users, directory}: HolderServices,
	principal: Principal,
	action: Action,
	userIdText: string | undefined,
): Promise<User> {
	const userId = parseId(userIdText ?? '');
	const user = userId === undefined ? undefined : await users.find(userId);
	if (!user) throw notFound('user_not_found');
	if (!isOwn(principal, user)) {
		assertTheirs(principal, action, user.organisationId, directory, 'user_not_found');
	}
	return user;
}

/** The same for a new credential: nobody makes one that may do more than they may themselves. */
export async function newHolderOf(
	services: HolderServices,
	principal: Principal,
	action: Action,
	userIdText: string | undefined,
): Promise<User> {
	const user = await holderOf(services, principal, action, userIdText);
	if (isOwn(principal, user)) return user;
	const grants = await services.roles.grantsOf(user.id);
	if (!grants) throw notFound('user_not_found');
	if (!holdsAll(principal, grants.roles, services.directory)) {
		throw new DomainError('role_insufficient', 'This user may do more than you: only they make credentials');
	}
	return user;
}

function isOwn(principal: Principal, user: User): boolean {
	return principal.kind === 'user' && principal.userId === user.id;
}

/** Whether the caller may do all that these roles allow. */
function holdsAll(principal: Principal, grants: readonly RoleGrant[], directory: TenantView): boolean {
	if (principal.kind !== 'user') return false;
	return grants.every(({role, organisationId, communityId}) => {
		if (ROLES.indexOf(role) >= ROLES.indexOf('COMMUNITY_ADMIN')) {
			return administersCommunity(principal, communityId);
		}
		const own = roleFor(principal, organisationId, directory);
		return own !== undefined && ROLES.indexOf(own) >= ROLES.indexOf(role);
	});
}
