import {randomUUID} from 'node:crypto';
import {hashPassword} from '../../src/identity/passwords.ts';
import type {Role, UserPrincipal} from '../../src/identity/principal.ts';
import {type UserRoleStore, userRoleStore} from '../../src/identity/users/user-roles.store.ts';
import {type UserStore, userStore} from '../../src/identity/users/users.store.ts';
import type {User} from '../../src/identity/users/users.ts';
import type {Database} from '../../src/postgres/database.ts';
import {Directory} from '../../src/tenants/directory.ts';
import {loadTenants, type TenantStores, tenantStores} from '../../src/tenants/tenants.store.ts';
import {
	type Community,
	DATAMART_DEFAULTS,
	type Datamart,
	type Organisation,
} from '../../src/tenants/tenants.ts';

/** Everything a test about tenants talks to, on a database it was given. */
export interface TestTenants extends TenantStores {
	readonly users: UserStore;
	readonly roles: UserRoleStore;
	readonly directory: Directory;
	community(): Promise<Community>;
	organisation(community: Community, above?: Organisation): Promise<Organisation>;
	datamart(organisation: Organisation, name?: string): Promise<Datamart>;
	user(organisation: Organisation, role: Role, password?: string): Promise<User>;
}

export async function testTenants(database: Database): Promise<TestTenants> {
	const stores = tenantStores(database);
	const users = userStore(database);
	const roles = userRoleStore(database);
	return {
		...stores,
		users,
		roles,
		directory: await Directory.open(() => loadTenants(database)),
		community: () => stores.communities.create(`community ${randomUUID()}`),
		organisation: (community, above) =>
			stores.organisations.create({
				communityId: community.id,
				administratorId: above?.id ?? null,
				marketId: null,
				name: `organisation ${randomUUID()}`,
				technicalName: null,
				customerType: 'ENTERPRISE',
				createdBy: null,
			}),
		datamart: (organisation, name = 'shop') =>
			stores.datamarts.create({
				...DATAMART_DEFAULTS,
				organisationId: organisation.id,
				name,
				token: randomUUID(),
			}),
		async user(organisation, role, password = 'correct horse') {
			const user = await users.create({
				communityId: organisation.communityId,
				organisationId: organisation.id,
				email: `${randomUUID()}@example.org`,
				firstName: 'Ann',
				lastName: 'Example',
				locale: null,
				passwordHash: await hashPassword(password),
			});
			await roles.grant({userId: user.id, organisationId: organisation.id, role});
			return user;
		},
	};
}

/** A user's principal without a login. */
export function principalOf(
	organisation: Organisation,
	role: Role,
	credential: UserPrincipal['credential'] = 'access_token',
): UserPrincipal {
	const {id: organisationId, communityId} = organisation;
	return {
		kind: 'user',
		userId: 1,
		credential,
		credentialId: '1',
		communityId,
		roles: [{organisationId, communityId, role}],
	};
}
