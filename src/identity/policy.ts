import {DomainError, notFound} from '../errors.ts';
import type {Organisation, TenantView} from '../tenants/directory.ts';
import type {Principal, Role, RoleGrant, UserPrincipal, WorkerPrincipal} from './principal.ts';

/**
 * The one policy table: what a route does -> the least role that may (decisions.md, "Tokens and signatures").
 * `public` asks for nobody, `authenticated` for anybody, `worker` for a plugin worker and no user.
 */
export const POLICY = {
	public: 'public',
	authenticated: 'authenticated',
	'activities:write': 'EDITOR',
	// The pixel: with a channel's token, never signed.
	'activities:track': 'EDITOR',
	'activities:read': 'READER',
	'segments:read': 'READER',
	// The field's spellings of the same: no signature opens them.
	'memberships:read': 'READER',
	'memberships:write': 'EDITOR',
	'identifiers:read': 'READER',
	'identifiers:write': 'EDITOR',
	'document_imports:read': 'READER',
	'document_imports:write': 'EDITOR',
	// Tells whether somebody was deleted.
	'deletion_receipts:verify': 'ORGANISATION_ADMIN',
	'final_values:read': 'READER',
	'final_values:write': 'EDITOR',
	'audience_features:read': 'READER',
	'audience_features:write': 'EDITOR',
	'datamart_schemas:read': 'READER',
	'datamart_schemas:write': 'ORGANISATION_ADMIN',
	'analytics:read': 'READER',
	'resource_usage:read': 'READER',
	// Of others; anybody sees and cancels their own.
	'queries:manage': 'ORGANISATION_ADMIN',
	'activity_traces:read': 'ORGANISATION_ADMIN',
	'dead_letters:read': 'EDITOR',
	'dead_letters:write': 'ORGANISATION_ADMIN',
	'organisations:read': 'READER',
	'organisations:write': 'ORGANISATION_ADMIN',
	'datamarts:read': 'READER',
	'datamarts:write': 'ORGANISATION_ADMIN',
	'channels:read': 'READER',
	'channels:write': 'EDITOR',
	'compartments:read': 'READER',
	'compartments:write': 'ORGANISATION_ADMIN',
	'data_files:read': 'READER',
	'data_files:list': 'READER',
	'data_files:write': 'EDITOR',
	'assets:read': 'READER',
	'assets:write': 'EDITOR',
	'segment_builders:read': 'READER',
	'segment_builders:write': 'EDITOR',
	'users:read': 'ORGANISATION_ADMIN',
	'users:write': 'ORGANISATION_ADMIN',
	// Of others; anybody may read and change their own account.
	'accounts:read': 'ORGANISATION_ADMIN',
	'accounts:write': 'ORGANISATION_ADMIN',
	'communities:read': 'COMMUNITY_ADMIN',
	'audit:read': 'ORGANISATION_ADMIN',
	// Of others; anybody has their own.
	'api_tokens:manage': 'ORGANISATION_ADMIN',
	'signing_keys:manage': 'ORGANISATION_ADMIN',
	'plugins:read': 'READER',
	'plugins:write': 'ORGANISATION_ADMIN',
	'plugin_presets:read': 'READER',
	'plugin_presets:write': 'ORGANISATION_ADMIN',
	// Where a version's plugin worker listens, and what it is known by.
	'plugin_workers:manage': 'ORGANISATION_ADMIN',
	'plugin_instances:read': 'READER',
	'plugin_instances:write': 'EDITOR',
	'emails:send': 'EDITOR',
	// The reads of a plugin worker: the instance it is called for.
	'plugin_instances:fetch': 'READER',
	// The files of one's own version: only a plugin worker has one.
	'own_configuration:read': 'worker',
	'own_configuration:write': 'worker',
} as const satisfies Record<string, Role | 'public' | 'authenticated' | 'worker'>;

export type Action = keyof typeof POLICY;

/** All a signature opens (specification, "Authentication", scheme 3). */
const SIGNED_ACTIONS: ReadonlySet<Action> = new Set<Action>(['activities:write', 'segments:read']);

/** What a user may always do where the path's user is themself. */
const OWN_ACTIONS: ReadonlySet<Action> = new Set<Action>([
	'accounts:read',
	'accounts:write',
	'api_tokens:manage',
	'signing_keys:manage',
]);

/** A channel's public token tracks, and nothing else. */
const CHANNEL_ACTIONS: ReadonlySet<Action> = new Set<Action>(['activities:write', 'activities:track']);

/** What a plugin worker calls (specification, "Outbound calls"; field guide, section 2), and nothing else. */
const WORKER_ACTIONS: ReadonlySet<Action> = new Set<Action>([
	'plugin_instances:fetch',
	'own_configuration:read',
	'own_configuration:write',
	'data_files:read',
	// Bounces and clicks that an email router learns of.
	'activities:write',
]);

/** What a long-term token may not do: make or see others of its kind (specification, Authentication endpoints). */
const ACCESS_TOKEN_ACTIONS: ReadonlySet<Action> = new Set<Action>(['api_tokens:manage']);

/** Whether a signature opens what routes of this action do. */
export function mayBeSigned(action: Action): boolean {
	return SIGNED_ACTIONS.has(action);
}

/** Throws `access_token_required` where the kind of credential is not enough, whoever it belongs to. */
export function assertCredential(principal: Principal, action: Action): void {
	if (!ACCESS_TOKEN_ACTIONS.has(action)) return;
	if (principal.kind === 'user' && principal.credential === 'access_token') return;
	throw new DomainError('access_token_required', `${action} needs an access token`);
}

export const RANK: Readonly<Record<Role, number>> = {
	READER: 1,
	EDITOR: 2,
	ORGANISATION_ADMIN: 3,
	COMMUNITY_ADMIN: 4,
	CUSTOMER_ADMIN: 4,
};

/** Whether a role is held for this organisation: directly, from an organisation above, or for its whole community. */
function reaches(grant: RoleGrant, organisation: Organisation, directory: TenantView): boolean {
	if (RANK[grant.role] >= RANK.COMMUNITY_ADMIN) return grant.communityId === organisation.communityId;
	return directory.isWithin(organisation.id, grant.organisationId);
}

/** Whether a plugin is put to use for an organisation, by itself or by one above that shares its instances. */
function serves(worker: WorkerPrincipal, organisationId: number, directory: TenantView): boolean {
	return (
		directory.isWithin(organisationId, worker.organisationId) &&
		worker.servedOrganisations.some(served => directory.isWithin(organisationId, served))
	);
}

/** Whether the principal may do this to what belongs to the organisation; an unknown organisation is nobody's. */
export function mayAct(
	principal: Principal,
	action: Action,
	organisationId: number,
	directory: TenantView,
): boolean {
	const least = POLICY[action];
	if (least === 'public') return true;
	if (principal.kind === 'channel') {
		return CHANNEL_ACTIONS.has(action) && principal.organisationId === organisationId;
	}
	if (principal.kind === 'worker') {
		return WORKER_ACTIONS.has(action) && serves(principal, organisationId, directory);
	}
	if (principal.credential === 'signature' && !SIGNED_ACTIONS.has(action)) return false;
	if (least === 'authenticated') return true;
	if (least === 'worker') return false;
	const organisation = directory.organisation(organisationId);
	if (!organisation) return false;
	return principal.roles.some(
		grant => RANK[grant.role] >= RANK[least] && reaches(grant, organisation, directory),
	);
}

/**
 * Whether there is any organisation the principal may do this for: what a route asks whose path names no tenant, before
 * its domain asks about the record itself. `userId` is the user in the path.
 */
export function mayActSomewhere(principal: Principal, action: Action, userId?: number): boolean {
	const least = POLICY[action];
	if (least === 'public') return true;
	if (principal.kind === 'worker') return WORKER_ACTIONS.has(action);
	if (principal.kind !== 'user' || principal.credential === 'signature' || least === 'worker') return false;
	if (least === 'authenticated' || (OWN_ACTIONS.has(action) && principal.userId === userId)) return true;
	return principal.roles.some(grant => RANK[grant.role] >= RANK[least]);
}

/** Throws `role_insufficient` where `mayActSomewhere` says no. */
export function assertMayActSomewhere(principal: Principal, action: Action, userId?: number): void {
	if (!mayActSomewhere(principal, action, userId)) throw insufficient(action);
}

function insufficient(action: Action): DomainError {
	return new DomainError('role_insufficient', `This credential may not do ${action} here`);
}

/** Throws `role_insufficient` where `mayAct` says no. */
export function assertMayAct(
	principal: Principal,
	action: Action,
	organisationId: number,
	directory: TenantView,
): void {
	if (mayAct(principal, action, organisationId, directory)) return;
	throw insufficient(action);
}

/** Whether nothing of this organisation is the principal's: for them it is not there. */
export function isStranger(principal: Principal, organisationId: number, directory: TenantView): boolean {
	if (principal.kind === 'channel') return principal.organisationId !== organisationId;
	if (principal.kind === 'worker') return !serves(principal, organisationId, directory);
	return roleFor(principal, organisationId, directory) === undefined;
}

/** For records found by id alone: 404 to strangers, 403 where the role is too low. */
export function assertTheirs(
	principal: Principal,
	action: Action,
	organisationId: number,
	directory: TenantView,
	missing: Parameters<typeof notFound>[0],
): void {
	if (isStranger(principal, organisationId, directory)) throw notFound(missing);
	assertMayAct(principal, action, organisationId, directory);
}

/** The strongest role a user has for an organisation; undefined when it is none of theirs. */
export function roleFor(
	principal: UserPrincipal,
	organisationId: number,
	directory: TenantView,
): Role | undefined {
	const organisation = directory.organisation(organisationId);
	if (!organisation) return undefined;
	return principal.roles
		.filter(grant => reaches(grant, organisation, directory))
		.sort((a, b) => RANK[b.role] - RANK[a.role])[0]?.role;
}

/** The organisations on which the principal may act so, by id: the scope of every list. */
export function organisationsFor(
	principal: Principal,
	action: Action,
	directory: TenantView,
): readonly Organisation[] {
	return directory.organisations().filter(({id}) => mayAct(principal, action, id, directory));
}

/** Whether the user administers the whole community: what making a top organisation takes. */
export function administersCommunity(principal: Principal, communityId: number): boolean {
	return (
		principal.kind === 'user' &&
		principal.credential !== 'signature' &&
		principal.roles.some(
			grant => RANK[grant.role] >= RANK.COMMUNITY_ADMIN && grant.communityId === communityId,
		)
	);
}
