import {randomBytes} from 'node:crypto';
import {DomainError, invalidField, notFound} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {Logins} from '../access-tokens/logins.ts';
import {hashPassword} from '../passwords.ts';
import {type Action, assertMayAct, assertTheirs, isStranger, organisationsFor} from '../policy.ts';
import type {Principal, Role} from '../principal.ts';
import type {UserRoleStore} from './user-roles.store.ts';
import {assertHoldsAll} from './user-roles.ts';
import type {UserChangeRequest, UserRequest} from './users.schema.ts';
import type {UserStore} from './users.store.ts';

/** A person or a technical account; instants are epoch milliseconds. */
export interface User {
	readonly id: number;
	readonly communityId: number;
	/** Where the account was made; the default workspace. */
	readonly organisationId: number;
	readonly email: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly locale: string | null;
	readonly lastPasswordUpdateTs: number;
	readonly createdTs: number;
}

export interface UserRole {
	readonly id: number;
	readonly userId: number;
	readonly organisationId: number;
	readonly role: Role;
	readonly creationTs: number;
}

/** What the routes of users are built with, once. */
export interface UserServices {
	readonly users: UserStore;
	readonly roles: UserRoleStore;
	readonly directory: TenantView;
	/** Asked for one's current password, at the pace of logins. */
	readonly logins: Logins;
	/** Users or roles changed: tokens of this instance are looked at again at once. */
	readonly forgetPrincipals: () => void;
}

export interface UserContext extends UserServices {
	readonly principal: Principal;
}

/** Of one organisation, or of all the caller administers. */
export function listUsers(
	{principal, directory, users}: UserContext,
	{organisationId, keywords}: {organisationId: number | undefined; keywords: string | undefined},
	paging: Paging,
): Promise<Page<User>> {
	if (organisationId !== undefined) {
		assertTheirs(principal, 'users:read', organisationId, directory, 'organisation_not_found');
		return users.list({organisationIds: [organisationId], keywords}, paging);
	}
	const organisationIds = organisationsFor(principal, 'users:read', directory).map(({id}) => id);
	return users.list({organisationIds, keywords}, paging);
}

/** The caller's own account, or one of an organisation they administer. Errors: `user_not_found`, `role_insufficient`. */
export async function accountOf(
	{principal, directory, users}: UserContext,
	action: Action,
	id: number | undefined,
): Promise<User> {
	const user = id === undefined ? undefined : await users.find(id);
	if (!user) throw notFound('user_not_found');
	if (!isOwn(principal, user)) {
		assertTheirs(principal, action, user.organisationId, directory, 'user_not_found');
	}
	return user;
}

/** Without a password nobody logs in until an administrator sets one. */
export async function createUser(
	{principal, directory, users}: UserContext,
	{organisationId, password, ...names}: UserRequest & {organisationId: number | undefined},
): Promise<User> {
	if (organisationId === undefined) throw invalidField('/organisation_id', 'is missing');
	const organisation = directory.organisation(organisationId);
	if (!organisation || isStranger(principal, organisationId, directory)) {
		throw invalidField('/organisation_id', 'is no organisation');
	}
	assertMayAct(principal, 'users:write', organisationId, directory);
	if (password !== undefined) assertLoggedIn(principal);
	const passwordHash = await hashPassword(password ?? randomBytes(32).toString('base64url'));
	const {communityId} = organisation;
	return users.create({...names, organisationId, communityId, passwordHash});
}

/**
 * Address and password are set with an access token only: one's own password with the current one, another's by who may
 * all they may. A new password ends all logins of the user; their API tokens stay. Errors: `field_invalid`,
 * `access_token_required`, `role_insufficient`, `logins_excessive`.
 */
export async function updateUser(
	context: UserContext,
	user: User,
	{password, currentPassword, organisationId, ...change}: UserChangeRequest,
	remoteAddress: string,
): Promise<User> {
	const {principal, users, forgetPrincipals} = context;
	if (organisationId !== undefined && organisationId !== user.organisationId) {
		throw invalidField('/organisation_id', 'cannot change: give a role in the other organisation instead');
	}
	// An address is half of a login, and a password the other: whoever sets them for another can become them.
	if (!isOwn(principal, user)) await assertMayBecome(context, user);
	const isNewAddress = change.email !== undefined && change.email !== user.email;
	if (password !== undefined || isNewAddress) assertLoggedIn(principal);
	if (password !== undefined && isOwn(principal, user)) {
		await assertKnows(context, user, currentPassword, remoteAddress);
	}
	const passwordHash = password === undefined ? {} : {passwordHash: await hashPassword(password)};
	const changed = await users.update(user.id, {...change, ...passwordHash});
	if (!changed) throw notFound('user_not_found');
	forgetPrincipals();
	return changed;
}

/** With roles and every credential; what they made stays. */
export async function removeUser(context: UserContext, user: User): Promise<void> {
	const {principal, directory, users, forgetPrincipals} = context;
	assertTheirs(principal, 'users:write', user.organisationId, directory, 'user_not_found');
	await assertMayBecome(context, user);
	if (!(await users.remove(user.id))) throw notFound('user_not_found');
	forgetPrincipals();
}

function isOwn(principal: Principal, user: User): boolean {
	return principal.kind === 'user' && principal.userId === user.id;
}

async function assertMayBecome({principal, roles, directory}: UserContext, user: User): Promise<void> {
	const grants = await roles.grantsOf(user.id);
	if (!grants) throw notFound('user_not_found');
	assertHoldsAll(principal, grants.roles, directory);
}

/** A long-lived token that leaked must not become a login. */
function assertLoggedIn(principal: Principal): void {
	if (principal.kind === 'user' && principal.credential === 'access_token') return;
	throw new DomainError('access_token_required', 'Addresses and passwords are set with an access token only');
}

async function assertKnows(
	{logins}: UserContext,
	{email}: User,
	password: string | undefined,
	remoteAddress: string,
): Promise<void> {
	try {
		if (password !== undefined) {
			await logins.verify({email, password}, remoteAddress);
			return;
		}
	} catch (error) {
		if (!(error instanceof DomainError) || error.code !== 'credentials_invalid') throw error;
	}
	throw invalidField('/current_password', 'is not the current password');
}
