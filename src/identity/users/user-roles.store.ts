import type {Knex} from 'knex';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {selectPage} from '../../postgres/page.ts';
import type {Role, RoleGrant} from '../principal.ts';
import {keepingAdministrators} from './administrators.store.ts';
import type {UserRole} from './users.ts';

export type NewUserRole = Omit<UserRole, 'id' | 'creationTs'>;

export interface UserRoleStore {
	/** One role per organisation: a second one takes the place of the first. Throws `administrator_last`. */
	grant(role: NewUserRole): Promise<UserRole>;
	list(query: {readonly userId: number}, paging: Paging): Promise<Page<UserRole>>;
	/** Whether there was one. Throws `administrator_last`. */
	revoke(key: {readonly userId: number; readonly organisationId: number}): Promise<boolean>;
	/** Of several users, in order of id. */
	rolesOf(userIds: readonly number[]): Promise<UserRole[]>;
	/** Community and grants of a user, as a principal carries them; undefined when there is no such user. */
	grantsOf(userId: number): Promise<{communityId: number; roles: RoleGrant[]} | undefined>;
}

interface Row {
	id: number;
	user_id: number;
	organisation_id: number;
	role: Role;
	creation_ts: number;
}

function fromRow(row: Row): UserRole {
	return {
		id: row.id,
		userId: row.user_id,
		organisationId: row.organisation_id,
		role: row.role,
		creationTs: row.creation_ts,
	};
}

export async function insertUserRole(sql: Knex, values: NewUserRole): Promise<UserRole> {
	const rows: Row[] = await sql('user_roles')
		.insert({
			user_id: values.userId,
			organisation_id: values.organisationId,
			role: values.role,
			creation_ts: Date.now(),
		})
		.onConflict(['user_id', 'organisation_id'])
		.merge(['role'])
		.returning('*');
	return fromRow(rows[0]!);
}

async function communityOf(sql: Knex, organisationId: number): Promise<number> {
	const row = await sql('organisations').where('id', organisationId).first('community_id');
	return row?.community_id ?? 0;
}

export function userRoleStore(database: Database): UserRoleStore {
	return {
		grant: role =>
			database.transaction(async tx => {
				const communityId = await communityOf(tx, role.organisationId);
				return keepingAdministrators(tx, communityId, () => insertUserRole(tx, role));
			}),
		list: ({userId}, paging) =>
			database.run(sql =>
				selectPage(sql('user_roles').select('*').where('user_id', userId), 'id', paging, fromRow),
			),
		revoke: ({userId, organisationId}) =>
			database.transaction(async tx => {
				const communityId = await communityOf(tx, organisationId);
				const key = {user_id: userId, organisation_id: organisationId};
				return (await keepingAdministrators(tx, communityId, () => tx('user_roles').where(key).delete())) > 0;
			}),
		async rolesOf(userIds) {
			const rows: Row[] = await database.run(sql =>
				sql('user_roles')
					.whereRaw('user_id = any(?::bigint[])', [[...userIds]])
					.orderBy('id')
					.select('*'),
			);
			return rows.map(fromRow);
		},
		async grantsOf(userId) {
			// One statement, one moment: a user without roles still has a community.
			const rows: {
				community_id: number;
				role: Role | null;
				organisation_id: number;
				role_community_id: number;
			}[] = await database.run(sql =>
				sql('users')
					.leftJoin('user_roles', 'user_roles.user_id', 'users.id')
					.leftJoin('organisations', 'organisations.id', 'user_roles.organisation_id')
					.where('users.id', userId)
					.orderBy('user_roles.id')
					.select('users.community_id', 'user_roles.role', 'user_roles.organisation_id', {
						role_community_id: 'organisations.community_id',
					}),
			);
			const [first] = rows;
			if (!first) return undefined;
			const roles = rows.flatMap(row =>
				row.role === null
					? []
					: [{organisationId: row.organisation_id, communityId: row.role_community_id, role: row.role}],
			);
			return {communityId: first.community_id, roles};
		},
	};
}
