import type {InstantRange} from '../lib/days.ts';
import type {Bindings} from './fragment.ts';

/** Where a question looks: nothing is asked of the facts without a datamart and a period. */
export interface QueryScope {
	readonly datamartId: number;
	readonly timeZone: string;
	readonly range: InstantRange;
	/** The moment of asking, epoch ms: segment memberships are those of now. */
	readonly nowMs: number;
	/** False only where the caller knows that the datamart has no merged user points: the look-up costs some 14 %. */
	readonly resolveMerges: boolean;
	/** Absent: what is stored now. Only chains know how to look back (`chain.ts`). */
	readonly asOf?: AsOf | undefined;
	/** Absent: threads read what comes. Only chains read otherwise (`scan.ts`). */
	readonly stretches?: Stretches | undefined;
}

/** User points that part a datamart's facts into stretches of about equal size. */
export interface Stretches {
	/** Ascending, in decimal digits: the first of each stretch but the first. Where they lie is a matter of speed alone. */
	readonly borders: readonly string[];
	/** Threads that read each of them. */
	readonly threads: number;
}

/** A moment of what is stored: the same question about it has the same answer, whatever is written meanwhile. */
export interface AsOf {
	/** By instance, the last `batch_id` that counts; rows of an instance that is not named are not there yet. */
	readonly batches: readonly (readonly [instance: number, batchId: number])[];
	/** The last merge of user points that counts; 0: none. */
	readonly mergeSequence: number;
	/** Sequences below it that were not told by then. */
	readonly mergesMissing: readonly number[];
}

/** Bits of a position below its milliseconds: order among rows of one ms (sql/clickhouse/schema/001). */
export const TIE_BITS = 22;

const LARGEST_POSITION = 2n ** 64n - 1n;

/** The first position of an instant, as decimal text: positions pass 2^53. */
export function positionAt(instantMs: number): string {
	if (instantMs <= 0) return '0';
	const position = BigInt(instantMs) << BigInt(TIE_BITS);
	return String(position > LARGEST_POSITION ? LARGEST_POSITION : position);
}

/** The user point a fact counts under; as of a moment only where `mergesJoined` stands behind the table. */
export function userPointColumn(
	scope: Pick<QueryScope, 'resolveMerges' | 'asOf'>,
	column = 'user_point_id',
): string {
	if (scope.asOf) {
		return scope.asOf.mergeSequence > 0 ? `if(merged_into = 0, ${column}, merged_into)` : column;
	}
	return scope.resolveMerges
		? `dictGetOrDefault('user_point_merges', 'into_user_point_id', ${column}, ${column})`
		: column;
}

/** Merges as of a moment, to stand behind a table with `user_point_id`: the dictionary knows those of now alone. */
export function mergesJoined({asOf}: Pick<QueryScope, 'asOf'>, bindings: Bindings): string {
	if (!asOf || asOf.mergeSequence === 0) return '';
	const last = bindings.bind('UInt64', asOf.mergeSequence);
	const missing = asOf.mergesMissing.length
		? ` AND merge_sequence NOT IN ${bindings.bind('Array(UInt64)', asOf.mergesMissing)}`
		: '';
	return ` LEFT ANY JOIN (
            SELECT user_point_id AS merged_user_point, argMax(into_user_point_id, merge_sequence) AS merged_into
            FROM user_point_merge_history_v1 WHERE merge_sequence <= ${last}${missing} GROUP BY merged_user_point
        ) AS merges ON user_point_id = merged_user_point`;
}
