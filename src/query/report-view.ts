import {DomainError} from '../errors.ts';
import type {Clock, DateEdge} from '../lib/date-math.ts';
import type {InstantRange} from '../lib/days.ts';
import type {Dimension, DimensionType} from './dimensions.ts';
import {TIE_BITS} from './plan.ts';

/** The one page a report has, at most. */
export const MOST_ROWS = 100;

export type Cell = string | number | null;

/** As on the wire (interface specification, Analytics request objects). */
export interface ReportView {
	readonly items_per_page: number;
	/** Of this page: there is no other. */
	readonly total_items: number;
	readonly columns_headers: readonly string[];
	readonly rows: readonly (readonly Cell[])[];
}

export function reportView(headers: readonly string[], rows: readonly (readonly Cell[])[]): ReportView {
	return {
		items_per_page: MOST_ROWS,
		total_items: rows.length,
		columns_headers: headers.map(each => each.toLowerCase()),
		rows,
	};
}

/** Text to an answer's value; ids longer than a number holds exactly, or written unlike one, stay text. */
export function toCell(text: string | null, type: DimensionType): Cell {
	if (text === null || type === 'string') return text;
	if (type === 'number') return Number(text);
	return String(Number(text)) === text && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/** What a position can tell: 1970 to 2109. */
export const ALL_TIME: InstantRange = {fromMs: 0, untilMs: 2 ** (64 - TIE_BITS)};

/**
 * Ranges of inclusive dates as instants: in order, apart from each other, and within what is kept. None at all asks of
 * all time. Errors: `date_range_inverted`.
 */
export function instantRanges(
	ranges: readonly {readonly start: DateEdge; readonly end: DateEdge}[],
	clock: Clock,
): InstantRange[] {
	if (ranges.length === 0) return [ALL_TIME];
	const sorted = ranges
		.map(({start, end}, index) => {
			const fromMs = start('start', clock);
			// A day that never was is empty, not inverted.
			if (end('start', clock) < fromMs) {
				const message = 'lies before start_date';
				const pointer = `/date_ranges/${index}/end_date`;
				throw new DomainError('date_range_inverted', `${pointer}: ${message}`, {
					faults: [{pointer, message}],
				});
			}
			return {fromMs: within(fromMs), untilMs: within(end('end', clock))};
		})
		.sort((a, b) => a.fromMs - b.fromMs);
	const apart: InstantRange[] = [];
	for (const range of sorted) {
		const last = apart.at(-1);
		if (!last || range.fromMs > last.untilMs) apart.push(range);
		else apart.splice(-1, 1, {fromMs: last.fromMs, untilMs: Math.max(last.untilMs, range.untilMs)});
	}
	return apart;
}

function within(ms: number): number {
	return Math.min(Math.max(ms, ALL_TIME.fromMs), ALL_TIME.untilMs);
}

/** Labelled entries of a list, e.g. the dimensions a funnel may filter by. */
export function choicesOf(dimensions: readonly Dimension[]): {value: string; label: string}[] {
	return dimensions.map(({name, label}) => ({value: name, label}));
}
