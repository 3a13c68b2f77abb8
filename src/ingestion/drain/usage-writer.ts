import {
	decodeQueryUsage,
	type Payer,
	USAGE_COLUMNS,
	USAGE_TABLE,
	type UsageFact,
	usageLine,
} from '../../analytics/resource-usage/usage-facts.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {isAcceptance, type JournalRecord} from '../journal/record.ts';
import {type Line, OnceWriter, textRows} from './once-writer.ts';

/** Who pays for the data of these datamarts, and maybe of others; 0 and 0 where there is no such datamart. */
export type PayersOf = (datamartIds: readonly number[]) => Promise<ReadonlyMap<number, Payer>>;

export interface UsageContext {
	readonly instance: number;
	/** Arrival of the slice's first record. */
	readonly batchId: number;
	readonly inDoubt: boolean;
}

/**
 * What a slice of the journal cost and brought, as facts of usage: written once, like the rows themselves. The facts
 * follow from the slice alone, not from what becomes of its activities, so that a second try makes the same ones.
 */
export class UsageWriter {
	readonly #once: OnceWriter;
	readonly #payersOf: PayersOf;

	constructor(warehouse: Warehouse, payersOf: PayersOf) {
		this.#once = new OnceWriter(warehouse);
		this.#payersOf = payersOf;
	}

	async write(records: readonly JournalRecord[], {instance, batchId, inDoubt}: UsageContext): Promise<void> {
		if (!inDoubt) this.#once.begin();
		const datamartIds = new Set(records.filter(isAcceptance).map(record => record.datamartId));
		const payers = datamartIds.size > 0 ? await this.#payersOf([...datamartIds]) : new Map<number, Payer>();
		const lines = usageLines(records, {instance, batchId}, id => payers.get(id)!);
		if (lines.length === 0) return;
		await this.#once.write({
			table: USAGE_TABLE,
			columns: USAGE_COLUMNS,
			rows: textRows(lines),
			token: `${USAGE_TABLE}:${instance}:${batchId}-${records.at(-1)!.arrival}`,
			batchId,
			instances: [instance],
			inDoubt,
		});
	}
}

/** A fact for each query, and one for what a datamart was brought of a collection within one second of receipt. */
export function usageLines(
	records: readonly JournalRecord[],
	place: Pick<UsageContext, 'instance' | 'batchId'>,
	payerOf: (datamartId: number) => Payer,
): Line[] {
	const lines: Line[] = [];
	const push = (fact: UsageFact, position: number) => {
		lines.push({position: String(position), text: usageLine(fact, {...place, position})});
	};
	const brought = new Map<string, Brought>();
	for (const record of records) {
		if (record.usage) push(queryFact(record), record.arrival);
		else if (isAcceptance(record)) add(brought, record);
	}
	for (const {first, bytes, count} of brought.values()) {
		const fact: UsageFact = {
			...payerOf(first.datamartId),
			datamartId: first.datamartId,
			userId: 0,
			atMs: first.receivedMs,
			source: 'INGESTION',
			subSource: '',
			collection: collectionOf(first),
			resourceId: '',
			executionId: `${place.instance}-${place.batchId}`,
			scanCost: 0,
			readCost: 0,
			writeCost: bytes,
			count,
		};
		push(fact, first.arrival);
	}
	return lines;
}

interface Brought {
	readonly first: JournalRecord;
	bytes: number;
	count: number;
}

function add(brought: Map<string, Brought>, record: JournalRecord): void {
	const second = Math.floor(record.receivedMs / 1000);
	const key = `${record.datamartId}|${second}|${collectionOf(record)}`;
	const group = brought.get(key);
	if (group) {
		group.bytes += record.body.length;
		group.count += 1;
	} else brought.set(key, {first: record, bytes: record.body.length, count: 1});
}

function collectionOf({association}: JournalRecord): string {
	return association ? 'UserIdentifiersAssociationDeclaration' : 'UserActivity';
}

function queryFact({datamartId, receivedMs, body}: JournalRecord): UsageFact {
	return {...decodeQueryUsage(body), datamartId, atMs: receivedMs, collection: '', writeCost: 0, count: 0};
}
