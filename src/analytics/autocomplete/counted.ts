import type {LocalDay} from '../../lib/local-days.ts';

/** A dimension of a datamart whose counts somebody wants to be told of. */
export interface Watched {
	readonly datamartId: number;
	/** As in the catalogue. */
	readonly dimension: string;
}

/** The same for the same, and for no other. */
export function watchedKey({datamartId, dimension}: Watched): string {
	return `${datamartId} ${dimension}`;
}

/** What was added to the table of values: facts of one local day in one partition that have these values. */
export interface Counted extends Watched {
	readonly localDay: LocalDay;
	readonly part: number;
	readonly values: readonly string[];
	/** As many as values. */
	readonly facts: readonly number[];
}

/** What a batch of this instance added. It may be told again where the batch was written again. */
export interface CountedBatch {
	/** Later batches have larger ones. */
	readonly batchId: number;
	readonly counted: readonly Counted[];
}

/** Tells what is added to the table of values, which nobody else writes. */
export interface CountsFeed {
	/** As in the marks of the table. */
	readonly instance: number;
	/** These and no others. Resolves once every batch that is not in the table by then is going to be told. */
	watch(watched: readonly Watched[]): Promise<void>;
	onCounted(listener: (batch: CountedBatch) => void): void;
}
