import {
	USAGE_COLUMNS,
	USAGE_TABLE,
	type UsageFact,
	usageLine,
} from '../../src/analytics/resource-usage/usage-facts.ts';
import type {Principal, Role} from '../../src/identity/principal.ts';
import {type Organisation, type TenantView, tenantView} from '../../src/tenants/directory.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';

/** Facts as the drain writes them, one batch of instance 1. */
export async function insertUsage(
	warehouse: Warehouse,
	batchId: number,
	facts: readonly UsageFact[],
): Promise<void> {
	const lines = facts.map((fact, position) => usageLine(fact, {instance: 1, batchId, position}));
	await warehouse.write({
		table: USAGE_TABLE,
		columns: USAGE_COLUMNS,
		rows: lines.length,
		payload: Buffer.from(lines.join('')),
	});
}

/** Organisations that stand in no database: id, community, and the organisation above. */
export function organisationsOf(
	...rows: readonly (readonly [id: number, communityId: number, above?: number])[]
): TenantView {
	const organisations = rows.map(
		([id, communityId, above]): Organisation => ({
			id,
			communityId,
			administratorId: above ?? null,
			marketId: null,
			name: `organisation ${id}`,
			technicalName: null,
			customerType: 'CUSTOMER',
			archived: false,
			createdBy: null,
			createdTs: 0,
			lastModifiedBy: null,
			lastModifiedTs: 0,
		}),
	);
	return tenantView({organisations, datamarts: [], compartments: [], channels: []});
}

/** Somebody with one role. */
export function userWith(role: Role, organisationId: number, communityId: number): Principal {
	return {
		kind: 'user',
		userId: 1,
		credential: 'access_token',
		credentialId: '1',
		communityId,
		roles: [{organisationId, communityId, role}],
	};
}
