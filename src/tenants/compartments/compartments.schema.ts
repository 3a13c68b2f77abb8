import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {randomToken} from '../../lib/tokens.ts';
import {absentWhenNull, NameField, TokenField} from '../fields.schema.ts';
import type {Compartment} from '../tenants.ts';

export const CompartmentRequest = z
	.object({name: NameField, token: absentWhenNull(TokenField), default: absentWhenNull(z.boolean())})
	.transform(body => ({
		name: body.name,
		token: body.token ?? randomToken(),
		isDefault: body.default ?? false,
	}));
export type CompartmentRequest = z.output<typeof CompartmentRequest>;

export const CompartmentsQuery = z.looseObject({...PagingQuery.shape, keywords: z.string().optional()});

export const CompartmentOnWire = z.object({
	id: z.string(),
	compartment_id: z.string(),
	token: z.string(),
	name: z.string(),
	default: z.boolean(),
	datamart_id: z.string(),
	organisation_id: z.string(),
	archived: z.boolean(),
});

/** Both listings answer this union; `id` and `compartment_id` are the same record's (field guide, "User data"). */
export function compartmentToWire(compartment: Compartment): z.output<typeof CompartmentOnWire> {
	return {
		id: String(compartment.id),
		compartment_id: String(compartment.id),
		token: compartment.token,
		name: compartment.name,
		default: compartment.isDefault,
		datamart_id: String(compartment.datamartId),
		organisation_id: String(compartment.organisationId),
		archived: compartment.archived,
	};
}
