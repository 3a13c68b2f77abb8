import type {Principal} from '../identity/principal.ts';
import type {ChannelStore} from './channels/channels.store.ts';
import type {CompartmentStore} from './compartments/compartments.store.ts';
import type {DatamartStore} from './datamarts/datamarts.store.ts';
import type {Directory} from './directory.ts';
import type {OrganisationStore} from './organisations/organisations.store.ts';

/** What the tenants' routes are built with, once. */
export interface TenantServices {
	readonly organisations: OrganisationStore;
	readonly datamarts: DatamartStore;
	readonly compartments: CompartmentStore;
	readonly channels: ChannelStore;
	readonly directory: Directory;
}

/** What one request brings to the domain: the services, and who asks. */
export interface TenantContext extends TenantServices {
	readonly principal: Principal;
}
