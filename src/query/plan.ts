import type {InstantRange} from '../lib/days.ts';

/** Where a question looks: nothing is asked of the facts without a datamart and a period. */
export interface QueryScope {
	readonly datamartId: number;
	readonly timeZone: string;
	readonly range: InstantRange;
	/** The moment of asking, epoch ms: segment memberships are those of now. */
	readonly nowMs: number;
	/** False only where the caller knows that the datamart has no merged user points: the look-up costs some 14 %. */
	readonly resolveMerges: boolean;
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

/** The user point a fact counts under. */
export function userPointColumn(scope: Pick<QueryScope, 'resolveMerges'>, column = 'user_point_id'): string {
	return scope.resolveMerges
		? `dictGetOrDefault('user_point_merges', 'into_user_point_id', ${column}, ${column})`
		: column;
}
