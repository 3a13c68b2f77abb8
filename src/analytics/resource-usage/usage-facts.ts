import {tsvText} from '../../lib/tsv.ts';

/** Who pays for what is used. */
export interface Payer {
	readonly communityId: number;
	readonly organisationId: number;
}

/** One thing that consumed or brought data: a row of `usage_facts_v1` (semantics.md, Resource usage). */
export interface UsageFact extends Payer {
	/** 0: no datamart in particular. */
	readonly datamartId: number;
	/** Who asked; 0: nobody, or a plugin worker. */
	readonly userId: number;
	/** Epoch ms. */
	readonly atMs: number;
	/** For what it was asked, as the client says; '' where it does not. */
	readonly source: string;
	readonly subSource: string;
	/** What was brought; '' for a query. */
	readonly collection: string;
	/** The query's name. */
	readonly resourceId: string;
	/** The query's id, or that of the batch. */
	readonly executionId: string;
	/** Rows and bytes the engine read. */
	readonly scanCost: number;
	readonly readCost: number;
	/** Bytes and records that were brought. */
	readonly writeCost: number;
	readonly count: number;
}

export const USAGE_TABLE = 'usage_facts_v1';
export const USAGE_COLUMNS = [
	'community_id',
	'organisation_id',
	'datamart_id',
	'user_id',
	'at',
	'source',
	'sub_source',
	'collection',
	'resource_id',
	'execution_id',
	'scan_cost',
	'read_cost',
	'write_cost',
	'count',
	'instance',
	'batch_id',
	'position',
] as const;

/** Which batch a fact came with, and its place in it: told apart by these, it is stored once. */
export interface UsagePlace {
	readonly instance: number;
	readonly batchId: number;
	readonly position: number;
}

/** A line of `usage_facts_v1`, in USAGE_COLUMNS' order. */
export function usageLine(fact: UsageFact, {instance, batchId, position}: UsagePlace): string {
	const ids = [fact.communityId, fact.organisationId, fact.datamartId, fact.userId].join('\t');
	const texts = [fact.source, fact.subSource, fact.collection, fact.resourceId, fact.executionId];
	const costs = [fact.scanCost, fact.readCost, fact.writeCost, fact.count].join('\t');
	const at = (fact.atMs / 1000).toFixed(3);
	return `${ids}\t${at}\t${texts.map(tsvText).join('\t')}\t${costs}\t${instance}\t${batchId}\t${position}\n`;
}

/** A query's fact as the journal carries it; its datamart and its time stand in the record's own fields. */
export type QueryUsage = Payer &
	Pick<UsageFact, 'userId' | 'source' | 'subSource' | 'resourceId' | 'executionId' | 'scanCost' | 'readCost'>;

export function encodeQueryUsage(usage: QueryUsage): Buffer {
	return Buffer.from(JSON.stringify(usage));
}

export function decodeQueryUsage(body: Buffer): QueryUsage {
	return JSON.parse(body.toString('utf8'));
}
