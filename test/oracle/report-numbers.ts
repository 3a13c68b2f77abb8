import {
	type Cell,
	isEvent,
	isId,
	isUserEvent,
	type ReportGroup,
	type ReportQuestion,
} from './activity-report.ts';
import type {FactRow} from './facts.ts';

export interface WireOrder {
	readonly field_name: string;
	readonly sort_order?: string;
}

const SESSIONS = ['SITE_VISIT', 'APP_VISIT'];

/** A metric over the facts of a group (semantics.md, Activity report and autocomplete). */
export function metricOf(metric: string, facts: readonly FactRow[], {durationOf}: ReportQuestion): number {
	const users = new Set(facts.flatMap(row => row.userPoint ?? [])).size;
	const ofSessions = facts.filter(row => SESSIONS.includes(row.dimensions.TYPE?.[0] ?? ''));
	const sessions = new Set(ofSessions.map(row => row.arrival));
	const sold = facts.filter(row => isEvent(row, '$transaction_confirmed'));
	const money = sold.reduce((sum, row) => sum + row.money, 0);
	const userEvents = facts.filter(isUserEvent).length;
	const converted = new Set(
		ofSessions.filter(row => isEvent(row, '$transaction_confirmed')).map(row => row.arrival),
	);
	const durations = [...sessions].flatMap(arrival => durationOf?.(arrival) ?? []);
	switch (metric) {
		case 'users':
			return users;
		case 'sessions':
			return sessions.size;
		case 'avg_session_duration':
			return ratio(
				durations.reduce((sum, each) => sum + each, 0),
				durations.length,
			);
		case 'avg_number_of_user_events':
			return ratio(userEvents, sessions.size);
		case 'conversion_rate':
			return ratio(100 * converted.size, sessions.size);
		case 'number_of_transactions':
		case 'number_of_confirmed_transactions':
			return sold.length;
		case 'avg_number_of_transactions_per_user_point':
			return ratio(sold.length, users);
		case 'avg_transaction_amount':
			return ratio(money, 10_000 * sold.length);
		case 'avg_revenue_per_user_point':
			return ratio(money, 10_000 * users);
		case 'revenue':
			return ratio(money, 10_000);
		case 'number_of_user_events':
			return userEvents;
		case 'number_of_ad_views':
			return facts.filter(row => isEvent(row, '$ad_view')).length;
		case 'number_of_ad_clicks':
			return facts.filter(row => isEvent(row, '$ad_click')).length;
		default:
			throw new Error(`unknown metric ${metric}`);
	}
}

function ratio(dividend: number, divisor: number): number {
	return divisor === 0 ? 0 : dividend / divisor;
}

type Compare = (a: ReportGroup, b: ReportGroup) => number;

/** As asked; else by time, then the best by the first metric or the most frequent first, then by value. */
export function compareRows(
	names: readonly string[],
	metrics: readonly string[],
	order: WireOrder | undefined,
	value: (group: ReportGroup, metric: string) => number,
): Compare {
	const byCell = (index: number, isDescending: boolean): Compare => {
		const isIdentifier = isId(names[index]!);
		return (a, b) => compareCells(a.cells[index]!, b.cells[index]!, isIdentifier, isDescending);
	};
	const comparisons: Compare[] = [];
	if (order) {
		const isMarked = order.field_name.startsWith('-');
		const field = order.field_name.replace(/^-/, '');
		const isDescending = isMarked || order.sort_order === 'DESCENDING';
		const index = names.indexOf(field.toUpperCase());
		const sign = isDescending ? -1 : 1;
		comparisons.push(
			index >= 0
				? byCell(index, isDescending)
				: (a, b) => sign * (value(a, field.toLowerCase()) - value(b, field.toLowerCase())),
		);
	}
	const [best] = metrics;
	if (best !== undefined) {
		names.forEach((name, index) => {
			if (name.startsWith('DATE_')) comparisons.push(byCell(index, false));
		});
		comparisons.push((a, b) => value(b, best) - value(a, best));
	} else comparisons.push((a, b) => b.facts.length - a.facts.length);
	comparisons.push(...names.map((_, index) => byCell(index, false)));
	return (a, b) => comparisons.reduce((found, compare) => found || compare(a, b), 0);
}

/** None last either way; numbers by size, then texts as bytes. Ids that are numbers come before those that are not. */
function compareCells(a: Cell, b: Cell, isIdentifier: boolean, isDescending: boolean): number {
	if (a === b) return 0;
	if (a === null) return 1;
	if (b === null) return -1;
	const sign = isDescending ? -1 : 1;
	if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
	if (isIdentifier) {
		const [left, right] = [a, b].map(id => /^\d+$/.test(String(id)));
		if (left !== right) return left ? -1 : 1;
		if (left && Number(a) !== Number(b)) return sign * (Number(a) - Number(b));
	}
	return sign * Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
