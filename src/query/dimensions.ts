import {IS_AD_CLICK, IS_AD_VIEW, IS_TRANSACTION, IS_USER_EVENT} from './events.ts';

/**
 * How a dimension is had: a column of one value or of several, membership of a segment, the row's time, a column's value
 * by its display name, a number told by an expression, or events of the row's activity counted.
 */
export type DimensionKind = 'single' | 'multi' | 'segment' | 'time' | 'name' | 'number' | 'counted';

/** Where a dimension may be used. */
export type DimensionUse = 'funnel_filter' | 'funnel_split' | 'activity_report';

/** How its values are answered: an id is a number where it is written as one. */
export type DimensionType = 'string' | 'id' | 'number';

export interface Dimension {
	/** As on the wire, upper case. */
	readonly name: string;
	readonly label: string;
	readonly description: string;
	readonly type: DimensionType;
	readonly unit?: 's' | 'ms' | 'currency';
	readonly kind: DimensionKind;
	/** Of `fact_rows_v1`; '' where no column keeps it. */
	readonly column: string;
	/** Kind `number`: a Nullable expression; `counted`: the condition of the events; `time`: how it is written. */
	readonly sql?: string;
	readonly uses: readonly DimensionUse[];
}

const EVERYWHERE: readonly DimensionUse[] = ['funnel_filter', 'funnel_split', 'activity_report'];
const REPORT: readonly DimensionUse[] = ['activity_report'];

function single(name: string, label: string, description: string, more: Partial<Dimension> = {}): Dimension {
	const column = name.toLowerCase();
	return {name, label, description, type: 'string', kind: 'single', column, uses: EVERYWHERE, ...more};
}

function multi(name: string, label: string, description: string): Dimension {
	return single(name, label, description, {kind: 'multi'});
}

function time(name: string, label: string, description: string, sql: string): Dimension {
	return single(name, label, description, {kind: 'time', column: '', sql, uses: REPORT});
}

function counted(name: string, label: string, sql: string): Dimension {
	const description = `${label} of the activity`;
	return single(name, label, description, {kind: 'counted', type: 'number', column: '', sql, uses: REPORT});
}

const ID: Partial<Dimension> = {type: 'id'};

/** The catalogue. A new dimension is a new line. */
export const DIMENSIONS: readonly Dimension[] = [
	{
		...time('DATE_TIME', 'Date Time', 'When it happened', ''),
		type: 'number',
		unit: 'ms',
	},
	{
		...time('DATE_YYYY_MM_DD', 'Date', 'Local day, 2026-03-01', '%Y-%m-%d'),
		uses: ['funnel_split', 'activity_report'],
	},
	time('DATE_YYYYMMDD', 'Day', 'Local day, 20260301', '%Y%m%d'),
	time('DATE_YYYYMMDDHH', 'Hour', 'Local hour, 2026030113', '%Y%m%d%H'),
	time('DATE_YYYY_MM_DD_HH_MM', 'Minute', 'Local minute, 2026-03-01 13:05', '%Y-%m-%d %H:%i'),
	single('TYPE', 'Activity Type', 'Type of the activity, such as SITE_VISIT'),
	single('EVENT_TYPE', 'Event Type', 'Name of the event, such as $item_view'),
	single('CHANNEL_ID', 'Channel Id', 'Site or application it happened on', ID),
	{
		...single('CHANNEL_NAME', 'Channel Name', 'Name of that site or application'),
		kind: 'name',
		column: 'channel_id',
		uses: REPORT,
	},
	single('ORIGIN_SOURCE', 'Origin Source', 'Who brought the visit', {uses: REPORT}),
	single('ORIGIN_CHANNEL', 'Origin Channel', 'By what means it was brought', {uses: REPORT}),
	single('ORIGIN_CAMPAIGN_ID', 'Campaign Id', 'Campaign that brought the visit', ID),
	single('ORIGIN_SUB_CAMPAIGN_ID', 'Ad Group Id', 'Ad group that brought the visit', ID),
	single('ORIGIN_CREATIVE_ID', 'Creative Id', 'Creative that brought the visit', ID),
	single('CAMPAIGN_ID', 'Activity Campaign Id', 'Campaign of the activity or its event', ID),
	single('GOAL_ID', 'Goal Id', 'Goal that a conversion reached', ID),
	single('DEVICE_FORM_FACTOR', 'Device Form Factor', 'Such as SMARTPHONE'),
	single('DEVICE_OS_FAMILY', 'Device OS Family', 'Such as ANDROID'),
	single('DEVICE_BROWSER_FAMILY', 'Device Browser Family', 'Such as FIREFOX'),
	single('DEVICE_BRAND', 'Device Brand', 'Maker of the device'),
	single('DEVICE_MODEL', 'Device Model', 'Model of the device'),
	single('DEVICE_CARRIER', 'Device Carrier', 'Network of the device'),
	single('HAS_CONVERSION', 'Has Conversion', '1 where the activity has a conversion, else 0'),
	single('HAS_CLICKED', 'Has Clicked', '1 where the activity has a click on an ad or an e-mail, else 0'),
	single('HAS_BOUNCED', 'Has Bounced', '1 where the visit saw one page and nothing else, else 0'),
	multi('BRAND', 'Brand', 'Brands of the event’s items'),
	multi('CATEGORY1', 'Category 1', 'First category of the event’s items'),
	multi('CATEGORY2', 'Category 2', 'Second category of the event’s items'),
	multi('CATEGORY3', 'Category 3', 'Third category of the event’s items'),
	multi('CATEGORY4', 'Category 4', 'Fourth category of the event’s items'),
	multi('PRODUCT_ID', 'Product Id', 'Products of the event’s items'),
	{
		...single('SEGMENT_ID', 'Is in segment', 'Segments the user point is in now', ID),
		kind: 'segment',
		column: '',
		uses: ['funnel_filter', 'activity_report'],
	},
	{
		...single('SESSION_DURATION', 'Session Duration', 'How long the session took, where it tells'),
		kind: 'number',
		type: 'number',
		unit: 's',
		sql: 'if(session_duration >= 0, session_duration, NULL)',
		uses: REPORT,
	},
	{
		...single('TRANSACTION_AMOUNT', 'Transaction Amount', 'Money of a confirmed transaction'),
		kind: 'number',
		type: 'number',
		unit: 'currency',
		column: 'money',
		sql: `if(${IS_TRANSACTION}, money / 10000, NULL)`,
		uses: REPORT,
	},
	counted('NUMBER_OF_USER_EVENTS', 'Number Of User Events', IS_USER_EVENT),
	counted('NUMBER_OF_CONFIRMED_TRANSACTIONS', 'Number Of Confirmed Transactions', IS_TRANSACTION),
	counted('NUMBER_OF_AD_VIEWS', 'Number Of Ad Views', IS_AD_VIEW),
	counted('NUMBER_OF_AD_CLICKS', 'Number Of Ad Clicks', IS_AD_CLICK),
];

const byName: ReadonlyMap<string, Dimension> = new Map(DIMENSIONS.map(each => [each.name, each]));

/** By its name in any case. */
export function findDimension(name: string): Dimension | undefined {
	return byName.get(name.toUpperCase());
}

/** Those that may be used so, in the catalogue's order. */
export function dimensionsFor(use: DimensionUse): Dimension[] {
	return DIMENSIONS.filter(each => each.uses.includes(use));
}
