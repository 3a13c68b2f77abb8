/** How a dimension is kept: one value, several values, membership of a segment, or the row's time. */
export type DimensionKind = 'single' | 'multi' | 'segment' | 'time';

/** Where a dimension may be used. */
export type DimensionUse = 'funnel_filter' | 'funnel_split';

export interface Dimension {
	/** As on the wire, upper case. */
	readonly name: string;
	readonly label: string;
	readonly kind: DimensionKind;
	/** Of `fact_rows_v1`; '' where no column keeps it. */
	readonly column: string;
	readonly uses: readonly DimensionUse[];
}

const IN_FUNNELS: readonly DimensionUse[] = ['funnel_filter', 'funnel_split'];

function single(name: string, label: string): Dimension {
	return {name, label, kind: 'single', column: name.toLowerCase(), uses: IN_FUNNELS};
}

function multi(name: string, label: string): Dimension {
	return {name, label, kind: 'multi', column: name.toLowerCase(), uses: IN_FUNNELS};
}

/** The catalogue. A new dimension is a new line. */
export const DIMENSIONS: readonly Dimension[] = [
	{name: 'DATE_TIME', label: 'Date Time', kind: 'time', column: '', uses: []},
	{name: 'DATE_YYYY_MM_DD', label: 'Date', kind: 'time', column: '', uses: ['funnel_split']},
	single('TYPE', 'Activity Type'),
	single('EVENT_TYPE', 'Event Type'),
	single('CHANNEL_ID', 'Channel Id'),
	single('ORIGIN_CAMPAIGN_ID', 'Campaign Id'),
	single('ORIGIN_SUB_CAMPAIGN_ID', 'Ad Group Id'),
	single('ORIGIN_CREATIVE_ID', 'Creative Id'),
	single('CAMPAIGN_ID', 'Activity Campaign Id'),
	single('GOAL_ID', 'Goal Id'),
	single('DEVICE_FORM_FACTOR', 'Device Form Factor'),
	single('DEVICE_OS_FAMILY', 'Device OS Family'),
	single('DEVICE_BROWSER_FAMILY', 'Device Browser Family'),
	single('DEVICE_BRAND', 'Device Brand'),
	single('DEVICE_MODEL', 'Device Model'),
	single('DEVICE_CARRIER', 'Device Carrier'),
	single('HAS_CONVERSION', 'Has Conversion'),
	single('HAS_CLICKED', 'Has Clicked'),
	single('HAS_BOUNCED', 'Has Bounced'),
	multi('BRAND', 'Brand'),
	multi('CATEGORY1', 'Category 1'),
	multi('CATEGORY2', 'Category 2'),
	multi('CATEGORY3', 'Category 3'),
	multi('CATEGORY4', 'Category 4'),
	multi('PRODUCT_ID', 'Product Id'),
	{name: 'SEGMENT_ID', label: 'Is in segment', kind: 'segment', column: '', uses: ['funnel_filter']},
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
