import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {absentWhenNull, IdField} from '../../tenants/fields.schema.ts';
import {ROLES} from '../principal.ts';
import type {User, UserRole} from './users.ts';

const Name = z.string().trim().max(255);
const Email = z
	.string()
	.trim()
	.max(320)
	.regex(/^\S+@\S+$/, 'must be an e-mail address');

/** By length alone: rules about signs make passwords worse. Counted as people see it, in characters. */
const Password = z
	.string()
	.refine(text => [...text].length >= 8, 'must have at least 8 characters')
	.refine(text => [...text].length <= 256, 'must have at most 256 characters');

/** Body of `POST /v1/users` (field guide, "Authentication, users"). */
export const UserRequest = z
	.object({
		first_name: absentWhenNull(Name),
		last_name: absentWhenNull(Name),
		email: Email,
		locale: absentWhenNull(z.string().max(35)),
		password: absentWhenNull(Password),
		organisation_id: absentWhenNull(IdField),
	})
	.transform(body => ({
		firstName: body.first_name ?? '',
		lastName: body.last_name ?? '',
		email: body.email,
		locale: body.locale ?? null,
		password: body.password,
		organisationId: body.organisation_id,
	}));
export type UserRequest = z.output<typeof UserRequest>;

/** Body of PUT: what is absent or null stays; a console may send the whole user back. */
export const UserChangeRequest = z
	.object({
		first_name: absentWhenNull(Name),
		last_name: absentWhenNull(Name),
		email: absentWhenNull(Email),
		locale: absentWhenNull(z.string().max(35)),
		password: absentWhenNull(Password),
		current_password: absentWhenNull(z.string().max(1024)),
		organisation_id: absentWhenNull(IdField),
	})
	.transform(body => ({
		...(body.first_name !== undefined && {firstName: body.first_name}),
		...(body.last_name !== undefined && {lastName: body.last_name}),
		...(body.email !== undefined && {email: body.email}),
		...(body.locale !== undefined && {locale: body.locale}),
		...(body.password !== undefined && {password: body.password}),
		...(body.current_password !== undefined && {currentPassword: body.current_password}),
		...(body.organisation_id !== undefined && {organisationId: body.organisation_id}),
	}));
export type UserChangeRequest = z.output<typeof UserChangeRequest>;

export const UserRoleRequest = z
	.object({organisation_id: IdField, role: z.enum(ROLES)})
	.transform(body => ({organisationId: body.organisation_id, role: body.role}));

export const UsersQuery = z.looseObject({
	...PagingQuery.shape,
	organisation_id: IdField.optional(),
	keywords: z.string().optional(),
});

export const OrganisationQuery = z.looseObject({organisation_id: IdField.optional()});

export const UserOnWire = z.object({
	id: z.string(),
	first_name: z.string(),
	last_name: z.string(),
	email: z.string(),
	locale: z.string().nullable(),
	organisation_id: z.string(),
	community_id: z.string(),
	last_password_update: z.number().nullable(),
	creation_date: z.number(),
});

export function userToWire(user: User): z.output<typeof UserOnWire> {
	return {
		id: String(user.id),
		first_name: user.firstName,
		last_name: user.lastName,
		email: user.email,
		locale: user.locale,
		organisation_id: String(user.organisationId),
		community_id: String(user.communityId),
		last_password_update: user.lastPasswordUpdateTs,
		creation_date: user.createdTs,
	};
}

export const UserRoleOnWire = z.object({
	id: z.string(),
	role: z.enum(ROLES),
	creation_date: z.number(),
	organisation_id: z.string(),
});

export function userRoleToWire(role: UserRole): z.output<typeof UserRoleOnWire> {
	return {
		id: String(role.id),
		role: role.role,
		creation_date: role.creationTs,
		organisation_id: String(role.organisationId),
	};
}

/** A user of a community's list. */
export const UserWithRolesOnWire = UserOnWire.extend({user_roles: z.array(UserRoleOnWire)});
