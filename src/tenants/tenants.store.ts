import type {Database} from '../postgres/database.ts';
import {allChannels, type ChannelStore, channelStore} from './channels/channels.store.ts';
import {type CommunityStore, communityStore} from './communities/communities.store.ts';
import {allCompartments, type CompartmentStore, compartmentStore} from './compartments/compartments.store.ts';
import {allDatamarts, type DatamartStore, datamartStore} from './datamarts/datamarts.store.ts';
import type {TenantRecords} from './directory.ts';
import {
	allOrganisations,
	type OrganisationStore,
	organisationStore,
} from './organisations/organisations.store.ts';

export interface TenantStores {
	readonly communities: CommunityStore;
	readonly organisations: OrganisationStore;
	readonly datamarts: DatamartStore;
	readonly compartments: CompartmentStore;
	readonly channels: ChannelStore;
}

export function tenantStores(database: Database): TenantStores {
	return {
		communities: communityStore(database),
		organisations: organisationStore(database),
		datamarts: datamartStore(database),
		compartments: compartmentStore(database),
		channels: channelStore(database),
	};
}

/** All tenants at one moment, for the directory. */
export function loadTenants(database: Database): Promise<TenantRecords> {
	return database.transaction(async tx => {
		await tx.raw('set transaction isolation level repeatable read read only');
		return {
			organisations: await allOrganisations(tx),
			datamarts: await allDatamarts(tx),
			compartments: await allCompartments(tx),
			channels: await allChannels(tx),
		};
	});
}
