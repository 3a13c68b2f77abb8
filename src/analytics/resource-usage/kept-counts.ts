import type {InstantRange} from '../../lib/days.ts';

/** Of a datamart, so many of a kind, from somewhen in the span that begins there (epoch ms). */
export interface KeptCount {
	readonly datamartId: number;
	readonly kind: string;
	readonly fromMs: number;
	readonly count: number;
}

/** What is counted where it is kept: of these datamarts, within these ranges, by kind and by spans from 1970 on. */
export interface SpansAsked {
	readonly datamartIds: readonly number[];
	readonly ranges: readonly InstantRange[];
	readonly spanMs: number;
	/** No more than this are answered. */
	readonly maxCounts: number;
}

export type CountKept = (asked: SpansAsked) => Promise<readonly KeptCount[]>;

/** `kept` is a query of `datamart_id`, `kind` and `ms`; answers the statement that counts its rows, and its values. */
export function countingStatement(
	kept: string,
	{datamartIds, ranges, spanMs, maxCounts}: SpansAsked,
): readonly [sql: string, values: readonly (number | readonly number[])[]] {
	const within = ranges.map(() => '(ms >= ? AND ms < ?)').join(' OR ');
	return [
		`SELECT datamart_id AS "datamartId", kind, ms - ms % ?::bigint AS "fromMs", count(*) AS count
		FROM (${kept}) AS kept
		WHERE datamart_id = ANY(?) AND (${within})
		GROUP BY 1, 2, 3 LIMIT ?`,
		[spanMs, datamartIds, ...ranges.flatMap(({fromMs, untilMs}) => [fromMs, untilMs]), maxCounts],
	];
}
