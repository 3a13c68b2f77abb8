import {z} from 'zod';
import type {DatamartSchema} from './datamart-schemas.ts';

export const DatamartSchemaAnswer = z.object({
	id: z.string(),
	datamart_id: z.string(),
	status: z.literal('LIVE'),
	creation_date: z.number(),
	last_modified_date: z.number(),
	publication_date: z.number(),
	suspension_date: z.null(),
});

export function datamartSchemaToWire(schema: DatamartSchema): z.input<typeof DatamartSchemaAnswer> {
	return {
		id: String(schema.id),
		datamart_id: String(schema.datamartId),
		status: 'LIVE',
		creation_date: schema.creationTs,
		last_modified_date: schema.lastModifiedTs,
		publication_date: schema.lastModifiedTs,
		suspension_date: null,
	};
}
