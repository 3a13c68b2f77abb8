import {z} from 'zod';
import {defineQuery} from '../../warehouse/define-query.ts';

/** Values of an execution that contain a text; `path` and `keywords` may be ''. */
export const searchFinalValues = defineQuery({
	name: 'finalValues.search',
	lane: 'light',
	sql: 'audience/final-values.sql',
	params: z.object({
		datamartId: z.number(),
		executionId: z.number(),
		path: z.string(),
		keywords: z.string(),
		firstResult: z.number(),
		maxResults: z.number(),
	}),
	row: z.object({value: z.string(), total: z.coerce.number()}),
});

/** Fields of an execution that have any of these values, which are in lower case. */
export const fieldsWithValues = defineQuery({
	name: 'finalValues.fields',
	lane: 'light',
	sql: 'audience/final-value-fields.sql',
	params: z.object({datamartId: z.number(), executionId: z.number(), values: z.array(z.string())}),
	row: z.object({path: z.string(), found: z.array(z.string())}),
});

/** Fields that an execution brought values of. */
export const finalValuePaths = defineQuery({
	name: 'finalValues.paths',
	lane: 'light',
	sql: 'audience/final-value-paths.sql',
	params: z.object({datamartId: z.number(), executionId: z.number()}),
	row: z.object({path: z.string()}),
});
