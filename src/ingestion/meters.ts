import type {ErrorCode} from '../errors.ts';
import type {WorkerFault} from '../plugins/worker-client/worker-error.ts';
import type {Reason} from './dead-letters/dead-letters.ts';

/** What is counted along the way of an activity; whoever shows it implements this. All times are ms. */
export interface IngestionMeters {
	accepted(door: string, activities: number): void;
	refused(door: string, code: ErrorCode, activities: number): void;
	/** One group commit of the journal, on disk. */
	committed(group: {readonly records: number; readonly bytes: number; readonly ms: number}): void;
	/** One batch in every store. */
	drained(batch: {readonly activities: number; readonly bytes: number; readonly ms: number}): void;
	/** A try of a batch that failed, by the error's code. */
	drainFailed(code: string): void;
	deadLetter(reason: Reason): void;
	/** An activity that has been through its analyzers, so long after its acceptance. */
	analysed(outcome: 'stored' | 'stored_with_error' | 'dropped' | 'unanalysed', ms: number): void;
	/** One analyzer's turn: `ok`, or what was wrong. */
	workerCalled(result: WorkerFault | 'ok', ms: number): void;
	/** Traces of chains that were not written down. */
	untraced(traces: number): void;
}

const nothing = () => undefined;

/** For where nobody looks. */
export const NO_METERS: IngestionMeters = {
	accepted: nothing,
	refused: nothing,
	committed: nothing,
	drained: nothing,
	drainFailed: nothing,
	deadLetter: nothing,
	analysed: nothing,
	workerCalled: nothing,
	untraced: nothing,
};
