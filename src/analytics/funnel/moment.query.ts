import {z} from 'zod';
import {defineQuery} from '../../warehouse/define-query.ts';

/** By instance, the last batch of a datamart; of our own those alone that are not confirmed, 0 where there is none. */
export const lastBatches = defineQuery({
	name: 'funnel.batches',
	lane: 'light',
	sql: 'analytics/funnel-batches.sql',
	params: z.object({datamart_id: z.number(), own_instance: z.number(), stored_before: z.number()}),
	row: z.object({of_instance: z.coerce.number(), last_batch: z.coerce.number()}),
});

/** Sequences of the newest merges, in order. */
export const lastMerges = defineQuery({
	name: 'funnel.lastMerges',
	lane: 'light',
	sql: 'analytics/funnel-last-merges.sql',
	params: z.object({look_back: z.number()}),
	row: z.object({sequences: z.array(z.coerce.number())}),
});
