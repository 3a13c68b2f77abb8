import type {LocalDay, LocalDayRange} from '../../lib/local-days.ts';
import {DIMENSIONS, type Dimension} from '../../query/dimensions.ts';

/** How many facts have which value, by local day (sql/clickhouse/schema/021, docs/adr/0035). */
export const VALUE_TABLE = 'dimension_values_v1';

/** So many days are summed up in a row, the most first; each begins at a multiple of itself. */
export const SPANS = [16, 4, 1] as const;

/** What a mark stands for that tells that older facts have been counted. */
export const COMPLETE = 'complete';

/** Dimensions whose values are columns of the facts: their lists are kept. */
export const LISTED: readonly Dimension[] = DIMENSIONS.filter(
	({kind}) => kind === 'single' || kind === 'multi',
);

/** The dimension whose counts tell the values of this one. */
export function listedFor({kind, column}: Dimension): Dimension | undefined {
	if (kind !== 'single' && kind !== 'multi' && kind !== 'name') return undefined;
	return LISTED.find(each => each.column === column);
}

/** The start of the span that a day lies in. */
export function spanStart(day: LocalDay, span: number): LocalDay {
	return day - (day % span);
}

/** Rows that lie next to each other in the table: spans of one length, one after the other. */
export interface SpanRun extends LocalDayRange {
	readonly span: number;
}

/** Days as the fewest spans that are nothing but them. */
export function spansOf({first, until}: LocalDayRange): SpanRun[] {
	return cut(first, until, 0);
}

function cut(first: LocalDay, until: LocalDay, level: number): SpanRun[] {
	if (first >= until) return [];
	const span = SPANS[level]!;
	const from = Math.ceil(first / span) * span;
	const to = spanStart(until, span);
	if (from >= to) return cut(first, until, level + 1);
	return [...cut(first, from, level + 1), {span, first: from, until: to}, ...cut(to, until, level + 1)];
}
