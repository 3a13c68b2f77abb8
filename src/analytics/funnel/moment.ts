import {setTimeout as delay} from 'node:timers/promises';
import type {Moment} from './as-of.schema.ts';
import {lastBatches, lastMerges} from './moment.query.ts';
import type {FunnelContext} from './question.ts';

/** What the accepting side knows of what is stored. */
export interface Stored {
	readonly instance: number;
	/** Batches that begin below this arrival are in the warehouse, whole. */
	readonly storedBefore: number;
	/** Resolves once the activity with this arrival is in every store. */
	whenQueryable(arrival: number): Promise<void>;
}

export interface MomentContext extends Pick<FunnelContext, 'datamart' | 'warehouse' | 'read' | 'now'> {
	readonly stored: Stored;
}

/** No transaction's merges are told this many sequences later than those of others: as the drain has it. */
const LOOK_BACK = 1000;
/** So long a batch that is being written is waited for. */
const PATIENCE_MS = 2000;

/**
 * The present moment of a datamart, such that nothing joins it later. A batch of several months becomes visible month by
 * month: one of ours that is seen is waited for until it is whole; one that hangs is left out. Of other instances' the
 * last one seen counts. Batches first, then merges: those of a batch are told before its facts.
 */
export async function presentMoment(context: MomentContext): Promise<Moment> {
	const {datamart, warehouse, stored, read} = context;
	const nowMs = context.now ?? Date.now();
	const seen = await warehouse.read(
		lastBatches,
		{datamart_id: datamart.id, own_instance: stored.instance, stored_before: stored.storedBefore},
		read,
	);
	const own = seen.rows.find(row => row.of_instance === stored.instance)?.last_batch ?? 0;
	if (own >= stored.storedBefore) await waited(stored.whenQueryable(own));
	const others = seen.rows.filter(row => row.of_instance !== stored.instance);
	const {rows} = await warehouse.read(lastMerges, {look_back: LOOK_BACK}, read);
	const told = rows[0]?.sequences ?? [];
	return {
		nowMs,
		mergeSequence: told.at(-1) ?? 0,
		mergesMissing: missingIn(told),
		batches: [
			[stored.instance, stored.storedBefore - 1],
			...others.map(row => [row.of_instance, row.last_batch] as const),
		],
	};
}

function missingIn(sequences: readonly number[]): number[] {
	const earliest = Math.max(0, (sequences.at(-1) ?? 0) - LOOK_BACK);
	return sequences.flatMap((sequence, index) => {
		const before = sequences[index - 1] ?? earliest;
		return Array.from({length: sequence - before - 1}, (_, place) => before + 1 + place);
	});
}

async function waited(queryable: Promise<void>): Promise<void> {
	const patience = new AbortController();
	const end = delay(PATIENCE_MS, undefined, {signal: patience.signal}).catch(() => {});
	await Promise.race([queryable.catch(() => {}), end]);
	patience.abort();
}
