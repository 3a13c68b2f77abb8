import {invalidField} from '../../errors.ts';
import {assertMayAct, assertTheirs, isStranger, organisationsFor} from '../../identity/policy.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {TenantContext} from '../context.ts';
import type {Datamart} from '../tenants.ts';
import type {DatamartRequest} from './datamarts.schema.ts';
import type {DatamartQuery} from './datamarts.store.ts';

/** Of one organisation, or of all the caller may see. */
export function listDatamarts(
	{principal, directory, datamarts}: TenantContext,
	{organisationId, ...query}: Omit<DatamartQuery, 'organisationIds'> & {organisationId?: number | undefined},
	paging: Paging,
): Promise<Page<Datamart>> {
	if (organisationId !== undefined) {
		assertTheirs(principal, 'datamarts:read', organisationId, directory, 'organisation_not_found');
		return datamarts.list({...query, organisationIds: [organisationId]}, paging);
	}
	const organisationIds = organisationsFor(principal, 'datamarts:read', directory).map(({id}) => id);
	return datamarts.list({...query, organisationIds}, paging);
}

/** With its default compartment, known to this instance's hot path once it resolves. */
export async function createDatamart(
	{principal, directory, datamarts}: TenantContext,
	{organisationId, ...request}: DatamartRequest,
): Promise<Datamart> {
	if (organisationId === undefined) throw invalidField('/organisation_id', 'is missing');
	if (isStranger(principal, organisationId, directory))
		throw invalidField('/organisation_id', 'is no organisation');
	assertMayAct(principal, 'datamarts:write', organisationId, directory);
	const datamart = await datamarts.create({...request, organisationId});
	await directory.refresh();
	return datamart;
}
