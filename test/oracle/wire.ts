/** The wire shapes the reference evaluator reads: what a client posts, as it posts it. */

/** A user activity as sent. Any key may be absent, null or of a shape nobody foresaw. */
export type WireActivity = Readonly<Record<string, unknown>>;

/** An activity with what its acceptance added. Its place in a list is its arrival: first accepted first. */
export interface AcceptedActivity {
	readonly activity: WireActivity;
	/** Time of receipt, epoch ms. */
	readonly receivedMs: number;
	/** The posting request's own User-Agent header. */
	readonly requestUserAgent?: string;
}

export interface WireFilter {
	readonly dimension_name: string;
	readonly operator: string;
	readonly expressions: readonly (string | number)[];
	readonly not?: boolean | null;
	readonly case_sensitive?: boolean | null;
}

export interface WireClause {
	readonly operator?: string;
	readonly filters?: readonly WireFilter[] | null;
}

export interface WireStep {
	readonly name: string;
	readonly filter_clause?: WireClause | null;
	/** The older spelling. */
	readonly filterClause?: WireClause | null;
	/** Days of 86,400,000 ms; absent, null or 0: no window. */
	readonly max_days_after_previous_step?: number | null;
	readonly group_by_dimensions?: readonly string[] | null;
	readonly group_by_dimension?: string | null;
}

export type WirePeriod =
	| {readonly type: 'DATES'; readonly start_date: string; readonly end_date: string}
	| {readonly type: 'WINDOW'; readonly unit: 'DAY' | 'WEEK' | 'MONTH'; readonly offset: number};

export interface WireFunnelRequest {
	readonly for: readonly WireStep[];
	readonly in: WirePeriod;
	readonly limit?: number | null;
	readonly number_of_parts_to_split_on?: number | null;
	/** `after_step` counts from 1. */
	readonly exclusions?: readonly {readonly after_step: number; readonly filter_clause: WireClause}[] | null;
	readonly holding_dimension?: string | null;
	readonly time_to_convert?: boolean | null;
	/** Above 0, at most 1. */
	readonly sample_factor?: number | null;
}

/** A JSON object, or undefined for anything else. */
export function objectOf(value: unknown): WireActivity | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as WireActivity)
		: undefined;
}

/** The objects of a JSON array; none for anything else. */
export function objectsOf(value: unknown): WireActivity[] {
	return Array.isArray(value) ? value.map(objectOf).filter(item => item !== undefined) : [];
}

/** A dimension's or identifier's text. Numbers and booleans are spelled out; null, '' and the rest are no value. */
export function textOf(value: unknown): string | undefined {
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	return typeof value === 'string' && value !== '' ? value : undefined;
}
