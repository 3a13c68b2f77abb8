import {randomToken} from '../lib/tokens.ts';
import type {Database} from '../postgres/database.ts';
import {insertChannel} from '../tenants/channels/channels.store.ts';
import {insertCommunity} from '../tenants/communities/communities.store.ts';
import {insertDatamart} from '../tenants/datamarts/datamarts.store.ts';
import {insertOrganisation} from '../tenants/organisations/organisations.store.ts';
import {DATAMART_DEFAULTS} from '../tenants/tenants.ts';
import {insertUserRole} from './users/user-roles.store.ts';
import {insertUser} from './users/users.store.ts';

/** Any constant will do as long as all instances take the same. */
const LOCK_KEY = 7_210_002;

/** All of the first tenant, in one transaction; false, and nothing written, when there is a community already. */
export function insertFirstTenant(
	database: Database,
	administrator: {readonly email: string; readonly passwordHash: string},
): Promise<boolean> {
	return database.transaction(async tx => {
		await tx.raw('select pg_advisory_xact_lock(?)', [LOCK_KEY]);
		if (await tx('communities').first('id')) return false;
		const community = await insertCommunity(tx, 'Default community');
		const organisation = await insertOrganisation(tx, {
			communityId: community.id,
			administratorId: null,
			marketId: null,
			name: 'Default organisation',
			technicalName: 'default',
			customerType: 'ENTERPRISE',
			createdBy: null,
		});
		const datamart = await insertDatamart(tx, {
			...DATAMART_DEFAULTS,
			organisationId: organisation.id,
			name: 'Default datamart',
			token: randomToken(),
		});
		for (const type of ['SITE', 'MOBILE_APPLICATION'] as const) {
			await insertChannel(tx, {
				datamartId: datamart.id,
				type,
				name: type === 'SITE' ? 'Default site' : 'Default application',
				token: randomToken(),
				domain: null,
				enableAnalytics: true,
				enableInstallationIdAggregation: false,
			});
		}
		const user = await insertUser(tx, {
			...administrator,
			communityId: community.id,
			organisationId: organisation.id,
			firstName: 'Administrator',
			lastName: '',
			locale: null,
		});
		await insertUserRole(tx, {userId: user.id, organisationId: organisation.id, role: 'COMMUNITY_ADMIN'});
		return true;
	});
}

export async function hasTenants(database: Database): Promise<boolean> {
	return (await database.run(sql => sql('communities').first('id'))) !== undefined;
}
