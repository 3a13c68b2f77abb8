import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {absentWhenNull, FlagQuery, IdField, NameField} from '../fields.schema.ts';
import type {Organisation} from '../tenants.ts';

/** Body of `POST /v1/organisations` (field guide, "Authentication, users"). `type` is the customer type. */
export const OrganisationRequest = z
	.object({
		name: NameField,
		technical_name: absentWhenNull(
			z.string().regex(/^[a-z0-9_-]{1,128}$/, 'must be lower case letters, digits, dashes or underscores'),
		),
		market_id: absentWhenNull(IdField),
		community_id: absentWhenNull(IdField),
		administrator_id: absentWhenNull(IdField),
		type: absentWhenNull(z.string().min(1).max(64)),
	})
	.transform(body => ({
		name: body.name,
		technicalName: body.technical_name ?? null,
		marketId: body.market_id ?? null,
		communityId: body.community_id,
		administratorId: body.administrator_id ?? null,
		customerType: body.type ?? 'ENTERPRISE',
	}));
export type OrganisationRequest = z.output<typeof OrganisationRequest>;

export const OrganisationsQuery = z.looseObject({
	...PagingQuery.shape,
	community_id: IdField.optional(),
	administrator_id: IdField.optional(),
	keywords: z.string().optional(),
	archived: FlagQuery.optional(),
});

export const OrganisationOnWire = z.object({
	id: z.string(),
	name: z.string(),
	technical_name: z.string().nullable(),
	market_id: z.string().nullable(),
	community_id: z.string(),
	administrator_id: z.string().nullable(),
	customer_type: z.string(),
	archived: z.boolean(),
	created_by: z.string().nullable(),
	created_ts: z.number(),
	last_modified_by: z.string().nullable(),
	last_modified_ts: z.number(),
});

export function organisationToWire(organisation: Organisation): z.output<typeof OrganisationOnWire> {
	const text = (id: number | null) => (id === null ? null : String(id));
	return {
		id: String(organisation.id),
		name: organisation.name,
		technical_name: organisation.technicalName,
		market_id: text(organisation.marketId),
		community_id: String(organisation.communityId),
		administrator_id: text(organisation.administratorId),
		customer_type: organisation.customerType,
		archived: organisation.archived,
		created_by: text(organisation.createdBy),
		created_ts: organisation.createdTs,
		last_modified_by: text(organisation.lastModifiedBy),
		last_modified_ts: organisation.lastModifiedTs,
	};
}
