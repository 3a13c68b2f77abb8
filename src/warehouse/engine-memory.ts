import {z} from 'zod';
import type {WarehouseQuery} from './warehouse.ts';

/** What a server holds in memory at the moment, in bytes: one row. */
export const engineMemory: WarehouseQuery<undefined, {bytes: number}> = {
	name: 'engine.memory',
	lane: 'light',
	row: z.object({bytes: z.coerce.number()}),
	build: () => ({
		text: "SELECT value AS bytes FROM system.metrics WHERE metric = 'MemoryTracking'",
		params: {},
	}),
};
