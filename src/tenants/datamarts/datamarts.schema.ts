import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {isTimeZone} from '../../lib/time-zones.ts';
import {randomToken} from '../../lib/tokens.ts';
import {absentWhenNull, FlagQuery, IdField, NameField, TokenField} from '../fields.schema.ts';
import {DATAMART_DEFAULTS, type Datamart} from '../tenants.ts';

const Version = z.string().regex(/^v\d{6}$/, 'must look like v201901');
const Label = z.string().regex(/^[A-Z0-9_]{1,64}$/, 'must be upper case letters, digits or underscores');

/** Body of `POST /v1/datamarts`; `organisation_id` may also come in the query. */
export const DatamartRequest = z
	.object({
		name: NameField,
		organisation_id: absentWhenNull(IdField),
		time_zone: absentWhenNull(z.string().refine(isTimeZone, 'is no IANA time zone, such as Europe/Paris')),
		type: absentWhenNull(z.literal('DATAMART')),
		token: absentWhenNull(TokenField),
		datafarm: absentWhenNull(Label),
		region: absentWhenNull(Label),
		storage_model_version: absentWhenNull(Version),
		// Older ones live on, and take no deletions (bulk/document-imports).
		user_point_system_version: absentWhenNull(Version),
	})
	.transform(body => ({
		name: body.name,
		organisationId: body.organisation_id,
		token: body.token ?? randomToken(),
		timeZone: body.time_zone ?? DATAMART_DEFAULTS.timeZone,
		datafarm: body.datafarm ?? DATAMART_DEFAULTS.datafarm,
		region: body.region ?? DATAMART_DEFAULTS.region,
		storageModelVersion: body.storage_model_version ?? DATAMART_DEFAULTS.storageModelVersion,
		userPointSystemVersion: body.user_point_system_version ?? DATAMART_DEFAULTS.userPointSystemVersion,
	}));
export type DatamartRequest = z.output<typeof DatamartRequest>;

export const DatamartsQuery = z.looseObject({
	...PagingQuery.shape,
	organisation_id: IdField.optional(),
	keywords: z.string().optional(),
	archived: FlagQuery.optional(),
});

export const DatamartOnWire = z.object({
	id: z.string(),
	name: z.string(),
	organisation_id: z.string(),
	token: z.string(),
	creation_date: z.number(),
	time_zone: z.string(),
	type: z.string(),
	datafarm: z.string(),
	storage_model_version: z.string(),
	user_point_system_version: z.string(),
	region: z.string(),
	archived: z.boolean(),
	audience_segment_metrics: z.array(z.looseObject({})),
});

/** The specification's datamart, as here and in the connected user's workspaces. */
export function datamartToWire(datamart: Datamart): z.output<typeof DatamartOnWire> {
	return {
		id: String(datamart.id),
		name: datamart.name,
		organisation_id: String(datamart.organisationId),
		token: datamart.token,
		creation_date: datamart.creationTs,
		time_zone: datamart.timeZone,
		type: datamart.type,
		datafarm: datamart.datafarm,
		storage_model_version: datamart.storageModelVersion,
		user_point_system_version: datamart.userPointSystemVersion,
		region: datamart.region,
		archived: datamart.archived,
		audience_segment_metrics: [],
	};
}
