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

/** Partitions in which the values of an instance's batch have been counted. */
export const partsOfBatch = defineQuery({
	name: 'drain.partsOfBatch',
	lane: 'light',
	sql: 'ingestion/parts-of-batch.sql',
	params: z.object({instance: z.string(), batchId: z.number()}),
	row: z.object({part: z.string()}),
	toParams: (input: {instance: string; batchId: number}) => input,
});

/** Which datamarts have facts in which partitions. */
export const partsOfFacts = defineQuery({
	name: 'drain.partsOfFacts',
	lane: 'heavy',
	sql: 'ingestion/parts-of-facts.sql',
	params: z.object({}),
	row: z.object({part: z.string(), datamart_id: z.number()}),
	toParams: (_input: Record<string, never>) => ({}),
});
