import {DomainError, invalidField, notFound} from '../../errors.ts';
import {
	administersCommunity,
	assertMayAct,
	assertTheirs,
	isStranger,
	organisationsFor,
} from '../../identity/policy.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {TenantContext} from '../context.ts';
import type {Organisation} from '../tenants.ts';
import type {OrganisationRequest} from './organisations.schema.ts';
import type {OrganisationQuery} from './organisations.store.ts';

/** Those the caller may see, and no others. */
export function listOrganisations(
	{principal, directory, organisations}: TenantContext,
	query: Omit<OrganisationQuery, 'ids'>,
	paging: Paging,
): Promise<Page<Organisation>> {
	const ids = organisationsFor(principal, 'organisations:read', directory).map(({id}) => id);
	return organisations.list({...query, ids}, paging);
}

export async function getOrganisation(
	{principal, directory, organisations}: TenantContext,
	id: number | undefined,
): Promise<Organisation> {
	const organisation = id === undefined ? undefined : await organisations.find(id);
	if (!organisation) throw notFound('organisation_not_found');
	assertTheirs(principal, 'organisations:read', organisation.id, directory, 'organisation_not_found');
	return organisation;
}

/** Below an organisation one administers, or at the top by an administrator of the community. */
export async function createOrganisation(
	{principal, directory, organisations}: TenantContext,
	request: OrganisationRequest,
): Promise<Organisation> {
	if (principal.kind !== 'user')
		throw new DomainError('role_insufficient', 'Only a user makes organisations');
	const {administratorId} = request;
	const above = administratorId === null ? undefined : directory.organisation(administratorId);
	if (administratorId !== null && (!above || isStranger(principal, above.id, directory))) {
		throw invalidField('/administrator_id', 'is no organisation');
	}
	const communityId = above?.communityId ?? request.communityId ?? principal.communityId;
	if (above) {
		assertMayAct(principal, 'organisations:write', above.id, directory);
		if (request.communityId !== undefined && request.communityId !== communityId) {
			throw invalidField('/community_id', 'is not the community of administrator_id');
		}
	} else if (!administersCommunity(principal, communityId)) {
		throw new DomainError(
			'role_insufficient',
			'Only an administrator of the community makes a top organisation',
		);
	}
	const organisation = await organisations.create({...request, communityId, createdBy: principal.userId});
	await directory.refresh();
	return organisation;
}
