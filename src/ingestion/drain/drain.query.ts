import {z} from 'zod';
import {defineQuery} from '../../warehouse/define-query.ts';

/** Rows of a batch that a table already has. */
export const positionsOfBatch = defineQuery({
	name: 'drain.positionsOfBatch',
	lane: 'light',
	sql: 'ingestion/positions-of-batch.sql',
	params: z.object({batchId: z.number(), instances: z.array(z.number())}),
	row: z.object({position: z.string()}),
	slots: ({table}: {table: string; batchId: number; instances: readonly number[]}) => ({table}),
	toParams: ({batchId, instances}) => ({batchId, instances: [...instances]}),
});

/** The newest merge the warehouse has learnt. */
export const lastMerge = defineQuery({
	name: 'drain.lastMerge',
	lane: 'light',
	sql: 'ingestion/last-merge.sql',
	params: z.object({}),
	row: z.object({sequence: z.coerce.number()}),
	slots: (_input: Record<string, never>) => ({}),
	toParams: () => ({}),
});
