import {z} from 'zod';
import {defineQuery} from '../../warehouse/define-query.ts';

/** How many facts a datamart has, and the user points that part them. */
export const stretchesOf = defineQuery({
	name: 'funnel.stretches',
	lane: 'light',
	sql: 'analytics/funnel-stretches.sql',
	params: z.object({datamart_id: z.number()}),
	row: z.object({
		/** Of the engine, for one statement. */
		threads: z.coerce.number().int().positive(),
		facts: z.coerce.number(),
		/** Epoch ms of the earliest and the latest, about. */
		from_ms: z.coerce.number(),
		until_ms: z.coerce.number(),
		user_points: z.array(z.string()),
	}),
});

/** Words of a dimension, in no order. */
export const wordsIn = defineQuery({
	name: 'funnel.words',
	lane: 'light',
	sql: 'analytics/funnel-words.sql',
	params: z.object({
		datamart_id: z.number(),
		dimension: z.string(),
		span: z.number(),
		from_day: z.number(),
		until_day: z.number(),
		most: z.number(),
	}),
	row: z.object({value: z.string()}),
});
