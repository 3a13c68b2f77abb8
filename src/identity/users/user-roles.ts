import {DomainError, invalidField, notFound} from '../../errors.ts';
import type {TenantView} from '../../tenants/directory.ts';
import {administersCommunity, assertMayAct, isStranger, RANK, roleFor} from '../policy.ts';
import type {Principal, Role, RoleGrant} from '../principal.ts';
import type {User, UserContext, UserRole} from './users.ts';

/** Nobody gives, takes or overrides more than they hold: throws `role_insufficient`. */
export function assertHoldsAll(
	principal: Principal,
	grants: readonly RoleGrant[],
	directory: TenantView,
): void {
	if (principal.kind === 'user' && grants.every(grant => holds(principal, grant, directory))) return;
	throw new DomainError('role_insufficient', 'This takes a role that is at least as high as theirs');
}

function holds(principal: Principal & {kind: 'user'}, grant: RoleGrant, directory: TenantView): boolean {
	if (RANK[grant.role] >= RANK.COMMUNITY_ADMIN) return administersCommunity(principal, grant.communityId);
	const own = roleFor(principal, grant.organisationId, directory);
	return own !== undefined && RANK[own] >= RANK[grant.role];
}

/** In place of the role they had in that organisation. The organisation is one of the user's community. */
export async function grantRole(
	context: UserContext,
	user: User,
	{organisationId, role}: {readonly organisationId: number; readonly role: Role},
): Promise<UserRole> {
	const {principal, directory, roles, forgetPrincipals} = context;
	const organisation = directory.organisation(organisationId);
	const isTheirs = organisation?.communityId === user.communityId;
	if (!organisation || !isTheirs || isStranger(principal, organisationId, directory)) {
		throw invalidField('/organisation_id', 'is no organisation of this user’s community');
	}
	assertMayAct(principal, 'users:write', organisationId, directory);
	const {communityId} = organisation;
	const former = (await roles.grantsOf(user.id))?.roles.filter(
		grant => grant.organisationId === organisationId,
	);
	assertHoldsAll(principal, [{organisationId, communityId, role}, ...(former ?? [])], directory);
	const granted = await roles.grant({userId: user.id, organisationId, role});
	forgetPrincipals();
	return granted;
}

/** By the role's id or its organisation. Errors: `user_role_not_found`, `role_insufficient`, `administrator_last`. */
export async function revokeRole(
	context: UserContext,
	user: User,
	key: {readonly id: number | undefined} | {readonly organisationId: number | undefined},
): Promise<UserRole> {
	const {principal, directory, roles, forgetPrincipals} = context;
	const found = (await roles.rolesOf([user.id])).find(role =>
		'id' in key ? role.id === key.id : role.organisationId === key.organisationId,
	);
	const organisation = found && directory.organisation(found.organisationId);
	if (!found || !organisation) throw notFound('user_role_not_found');
	const {organisationId, role} = found;
	assertMayAct(principal, 'users:write', organisationId, directory);
	assertHoldsAll(principal, [{organisationId, communityId: organisation.communityId, role}], directory);
	if (!(await roles.revoke({userId: user.id, organisationId}))) throw notFound('user_role_not_found');
	forgetPrincipals();
	return found;
}
