import {setTimeout as delay} from 'node:timers/promises';
import type {Role} from '../../src/identity/principal.ts';
import {type Client, clientOf, login, type TestService} from './service.ts';
import {testTenants} from './tenants.ts';

export interface Stranger extends Client {
	readonly organisationId: string;
}

/** Somebody of another community, whom the service has learnt of as another instance would. */
export async function strangerTo(service: TestService, role: Role = 'COMMUNITY_ADMIN'): Promise<Stranger> {
	const tenants = await testTenants(service.database);
	const organisation = await tenants.organisation(await tenants.community());
	const {email} = await tenants.user(organisation, role);
	const client = clientOf(service.url, await login(service.url, {email, password: 'correct horse'}));
	for (let i = 0; i < 100; i++) {
		if ((await client.get(`/v1/organisations/${organisation.id}`)).status === 200) break;
		await delay(50);
	}
	return {...client, organisationId: String(organisation.id)};
}

/** Somebody with this role in the service's own organisation. */
export async function colleagueOf(service: TestService, role: Role): Promise<Client> {
	const tenants = await testTenants(service.database);
	const organisation = (await tenants.organisations.find(Number(service.organisationId)))!;
	const {email} = await tenants.user(organisation, role);
	return clientOf(service.url, await login(service.url, {email, password: 'correct horse'}));
}

/** An organisation below the service's own, and its administrator. */
export async function suborganisationOf(service: TestService): Promise<Stranger> {
	const body = {name: 'below', administrator_id: service.organisationId};
	const made = await service.post('/v1/organisations', body);
	const tenants = await testTenants(service.database);
	const organisation = (await tenants.organisations.find(Number(made.body.data.id)))!;
	const {email} = await tenants.user(organisation, 'ORGANISATION_ADMIN');
	const token = await login(service.url, {email, password: 'correct horse'});
	return {...clientOf(service.url, token), organisationId: made.body.data.id};
}
