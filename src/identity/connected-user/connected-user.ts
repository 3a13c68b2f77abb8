import {DomainError, notFound} from '../../errors.ts';
import type {Datamart, Organisation, TenantView} from '../../tenants/directory.ts';
import {roleFor} from '../policy.ts';
import type {Principal, Role, UserPrincipal} from '../principal.ts';
import type {UserStore} from '../users/users.store.ts';
import type {User} from '../users/users.ts';

/** An organisation as its user sees it. */
export interface Workspace {
	readonly organisation: Organisation;
	/** Whether it administers other organisations. */
	readonly administrator: boolean;
	readonly role: Role;
	readonly datamarts: readonly Datamart[];
}

export interface ConnectedUser {
	readonly user: User;
	/** Index into `workspaces`: the user's own organisation, else the first. */
	readonly defaultWorkspace: number;
	readonly workspaces: readonly Workspace[];
}

/** Who asks, with one workspace per organisation they may see, those below and of their community included. */
export async function connectedUser(
	{users, directory}: {readonly users: Pick<UserStore, 'find'>; readonly directory: TenantView},
	principal: Principal,
): Promise<ConnectedUser> {
	if (principal.kind !== 'user' || principal.credential === 'signature') {
		throw new DomainError('role_insufficient', 'This credential names no user');
	}
	const user = await users.find(principal.userId);
	if (!user) throw notFound('user_not_found');
	const workspaces = workspacesOf(principal, directory, directory.organisations());
	const own = workspaces.findIndex(({organisation}) => organisation.id === user.organisationId);
	return {user, defaultWorkspace: Math.max(own, 0), workspaces};
}

/** One organisation as the caller sees it. Error: `organisation_not_found`. */
export function workspaceOf(principal: Principal, directory: TenantView, organisationId: number): Workspace {
	const organisation = directory.organisation(organisationId);
	const [workspace] =
		organisation && principal.kind === 'user' ? workspacesOf(principal, directory, [organisation]) : [];
	if (!workspace) throw notFound('organisation_not_found');
	return workspace;
}

function workspacesOf(
	principal: UserPrincipal,
	directory: TenantView,
	organisations: readonly Organisation[],
): Workspace[] {
	const administrators = new Set(directory.organisations().map(({administratorId}) => administratorId));
	return organisations.flatMap(organisation => {
		const role = roleFor(principal, organisation.id, directory);
		if (!role) return [];
		const datamarts = directory.datamartsOf(organisation.id);
		return [{organisation, administrator: administrators.has(organisation.id), role, datamarts}];
	});
}
