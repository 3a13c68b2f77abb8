import type {WireReportRequest} from './activity-report.ts';
import {addDays} from './local-time.ts';
import type {Chance} from './random.ts';
import type {WireReportFilter} from './report-filters.ts';
import {DIMENSIONS} from './vocabulary.ts';

export const METRICS = `users sessions avg_session_duration avg_number_of_user_events conversion_rate
	number_of_transactions number_of_confirmed_transactions avg_number_of_transactions_per_user_point
	avg_transaction_amount avg_revenue_per_user_point revenue number_of_user_events number_of_ad_views
	number_of_ad_clicks`.split(/\s+/);

/** What a report knows beyond a funnel, with values worth asking for. */
const MORE: Readonly<Record<string, readonly (string | number)[]>> = {
	ORIGIN_SOURCE: ['search', 'Search', 'news'],
	ORIGIN_CHANNEL: ['cpc', 'email'],
	CHANNEL_NAME: ['Shop', 'shop two'],
	SEGMENT_ID: ['1', '12', 'vip'],
	SESSION_DURATION: [0, 30, 61, '30', '61.0', '3e1', 'long'],
	TRANSACTION_AMOUNT: [0, 99.99, '99.990', 0.1235, '-5'],
	NUMBER_OF_USER_EVENTS: [0, 1, 2],
	NUMBER_OF_CONFIRMED_TRANSACTIONS: [0, 1],
	NUMBER_OF_AD_VIEWS: [0],
	NUMBER_OF_AD_CLICKS: [0, 1],
	DATE_TIME: [1_709_251_200_000, '1.7e12'],
	DATE_YYYY_MM_DD: ['2024-03-01', '2018-11-04', '-03-'],
	DATE_YYYYMMDD: ['20240301', '20181104', '2024'],
	DATE_YYYYMMDDHH: ['2024030100', '2018110401'],
	DATE_YYYY_MM_DD_HH_MM: ['2024-03-01 00:00', '23:59'],
};
const VALUES = {...DIMENSIONS, ...MORE};
const NAMES = Object.keys(VALUES);

/** A report over the days around one, aimed at trouble. */
export function randomReport(dice: Chance, day: string): WireReportRequest {
	const dimensions = distinct(dice, dice.pick([0, 1, 1, 1, 2, 2, 3]), NAMES);
	const isList = dimensions.length > 0 && dice.maybe(0.4);
	const metrics = isList ? [] : distinct(dice, dice.pick([1, 2, 4]), METRICS);
	const spelled = (name: string) => (dice.maybe(0.5) ? name.toLowerCase() : name);
	const listed = isList && dice.maybe(0.5) ? [filterOf(dice, dimensions[0]!)] : [];
	const others = Array.from({length: dice.pick([0, 0, 1, 1, 2, 3])}, () => filterOf(dice, dice.pick(NAMES)));
	return {
		date_ranges: Array.from({length: dice.pick([1, 1, 1, 2, 3])}, () => rangeOf(dice, day)),
		dimensions: dimensions.map(name => ({name: spelled(name)})),
		metrics: metrics.map(expression => ({
			expression: dice.maybe(0.2) ? expression.toUpperCase() : expression,
		})),
		...(dice.maybe(0.9) && {
			dimension_filter_clauses: {operator: dice.pick(['AND', 'OR']), filters: [...listed, ...others]},
		}),
		...(dice.maybe(0.25) && {metric_filter_clauses: metricClauseOf(dice)}),
		...(dice.maybe(0.4) && {
			order_by: {
				field_name:
					(dice.maybe(0.2) ? '-' : '') + dice.pick([...dimensions.map(spelled), dice.pick(METRICS)]),
				...(dice.maybe(0.8) && {sort_order: dice.pick(['ASCENDING', 'DESCENDING'])}),
			},
		}),
		...(dice.maybe(0.2) && {max_result: dice.pick([1, 3])}),
	};
}

function distinct(dice: Chance, count: number, names: readonly string[]): string[] {
	return dice.shuffle(names).slice(0, count);
}

/** Whole days, some seconds of one, an hour that comes twice or never, or days counted from now. */
function rangeOf(dice: Chance, day: string) {
	const start = addDays(day, -dice.whole(0, 3));
	const end = addDays(start, dice.pick([0, 1, 2, 4, 40]));
	if (dice.maybe(0.15)) {
		const back = dice.whole(0, 20);
		return {
			start_date: `now-${back + dice.whole(1, 30)}d${dice.pick(['', '/d'])}`,
			end_date: back === 0 ? dice.pick(['now', 'now/d']) : `now-${back}d${dice.pick(['', '/d'])}`,
		};
	}
	if (dice.maybe(0.6)) return {start_date: `${start}T00:00:00`, end_date: `${end}T23:59:59`};
	const hours = [dice.whole(0, 3), dice.whole(0, 23)].sort((a, b) => a - b);
	const at = (hour: number) => `${String(hour).padStart(2, '0')}:${dice.pick(['00', '30'])}:00`;
	return {start_date: `${start}T${at(hours[0]!)}`, end_date: `${addDays(end, 1)}T${at(hours[1]!)}`};
}

function filterOf(dice: Chance, dimension: string): WireReportFilter {
	const isSegment = dimension === 'SEGMENT_ID';
	const operator = dice.pick([
		...['EXACT', 'LIKE', 'LIKE', 'IN_LIST', 'IS_NULL'],
		...(isSegment ? [] : ['NUMERIC_EQUAL', 'NUMERIC_GREATER_THAN', 'NUMERIC_LESS_THAN']),
	]);
	const expression = () => {
		if (operator.startsWith('NUMERIC_')) return dice.pick(['0', 1, '2', '30.0', '1e1', '-1', 99.99]);
		const value = dice.pick(VALUES[dimension]!) ?? 'nobody has this';
		if (typeof value === 'number') return value;
		const cased = dice.maybe(0.3) ? dice.pick([value.toUpperCase(), value.toLowerCase()]) : value;
		return operator === 'LIKE' ? cased.slice(dice.whole(0, 1), dice.whole(0, cased.length)) : cased;
	};
	return {
		dimension_name: dice.maybe(0.3) ? dimension.toLowerCase() : dimension,
		operator,
		...(operator !== 'IS_NULL' && {
			expressions: Array.from({length: operator === 'IN_LIST' ? dice.whole(1, 3) : 1}, expression),
		}),
		...(dice.maybe(0.25) && {not: true}),
		...(dice.maybe(0.3) && {case_sensitive: dice.maybe(0.5)}),
	};
}

function metricClauseOf(dice: Chance) {
	return {
		operator: dice.pick(['AND', 'OR']),
		filters: Array.from({length: dice.whole(1, 2)}, () => ({
			metric_name: dice.pick(METRICS),
			operator: dice.pick(['EQUAL', 'GREATER_THAN', 'LESS_THAN']),
			comparison_value: dice.pick(['0', '1', '2', '0.5', '33.5']),
			...(dice.maybe(0.3) && {not: true}),
		})),
	};
}
