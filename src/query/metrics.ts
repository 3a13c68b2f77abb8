/** One number of an activity report: a sum or count, or the ratio of two; 0 where the divisor is. */
export interface Metric {
	/** As on the wire, lower case. */
	readonly name: string;
	readonly label: string;
	readonly description: string;
	readonly unit?: 's' | 'percent' | 'currency';
	/** Aggregates over the columns of `matching` (sql/analytics/activity-report.sql), integers both. */
	readonly sql: string;
	readonly per?: string;
	/** Only right where each activity is one row of what is aggregated. */
	readonly perActivity?: true;
}

const SESSIONS = 'uniqExactIf(activity, is_session)';
const CONVERTED = 'uniqExactIf(activity, is_session AND transactions > 0)';
const TIMED = 'is_session AND session_duration >= 0';
const USERS = 'uniqExactIf(user_point, user_point > 0)';
const TRANSACTIONS = 'sum(transactions)';
const REVENUE = 'sum(revenue)';
/** Money is kept in 1/10,000. */
const CURRENCY_UNIT = '10000';

/** The catalogue. A new metric is a new line. Each average is the ratio of two metrics. */
export const METRICS: readonly Metric[] = [
	{name: 'users', label: 'Users', description: 'Distinct user points', sql: USERS},
	{
		name: 'sessions',
		label: 'Sessions',
		description: 'Distinct visits of sites and applications',
		sql: SESSIONS,
	},
	{
		name: 'avg_session_duration',
		label: 'Average Session Duration',
		description: 'Mean over the sessions that tell how long they took',
		unit: 's',
		sql: `sumIf(session_duration, ${TIMED})`,
		per: `countIf(${TIMED})`,
		perActivity: true,
	},
	{
		name: 'avg_number_of_user_events',
		label: 'Average Number Of User Events',
		description: 'User events per session',
		sql: 'sum(user_events)',
		per: SESSIONS,
	},
	{
		name: 'conversion_rate',
		label: 'Conversion Rate',
		description: 'Share of sessions with a confirmed transaction',
		unit: 'percent',
		sql: `100 * ${CONVERTED}`,
		per: SESSIONS,
	},
	{
		name: 'number_of_transactions',
		label: 'Number Of Transactions',
		description: 'Confirmed transactions',
		sql: TRANSACTIONS,
	},
	{
		name: 'number_of_confirmed_transactions',
		label: 'Number Of Confirmed Transactions',
		description: 'Confirmed transactions',
		sql: TRANSACTIONS,
	},
	{
		name: 'avg_number_of_transactions_per_user_point',
		label: 'Average Number Of Transactions Per User Point',
		description: 'Confirmed transactions per user point',
		sql: TRANSACTIONS,
		per: USERS,
	},
	{
		name: 'avg_transaction_amount',
		label: 'Average Transaction Amount',
		description: 'Revenue per confirmed transaction',
		unit: 'currency',
		sql: REVENUE,
		per: `${CURRENCY_UNIT} * ${TRANSACTIONS}`,
	},
	{
		name: 'avg_revenue_per_user_point',
		label: 'Average Revenue Per User Point',
		description: 'Revenue per user point',
		unit: 'currency',
		sql: REVENUE,
		per: `${CURRENCY_UNIT} * ${USERS}`,
	},
	{
		name: 'revenue',
		label: 'Revenue',
		description: 'Money of the confirmed transactions',
		unit: 'currency',
		sql: REVENUE,
		per: CURRENCY_UNIT,
	},
	{
		name: 'number_of_user_events',
		label: 'Number Of User Events',
		description: 'Events of the user',
		sql: 'sum(user_events)',
	},
	{
		name: 'number_of_ad_views',
		label: 'Number Of Ad Views',
		description: 'Ads seen',
		sql: 'sum(ad_views)',
	},
	{
		name: 'number_of_ad_clicks',
		label: 'Number Of Ad Clicks',
		description: 'Ads clicked',
		sql: 'sum(ad_clicks)',
	},
];

const byName: ReadonlyMap<string, Metric> = new Map(METRICS.map(each => [each.name, each]));

/** By its name in any case. */
export function findMetric(name: string): Metric | undefined {
	return byName.get(name.toLowerCase());
}

/** Its value as a Float64: one division of integers, so that anyone who divides them gets the same. */
export function metricSql({sql, per}: Metric): string {
	return per === undefined ? `toFloat64(${sql})` : `if(${per} = 0, 0, (${sql}) / (${per}))`;
}
