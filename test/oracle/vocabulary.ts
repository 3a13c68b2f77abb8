/** Values that histories are written with and requests ask for; few, so that they meet, and awkward. */

export const EVENT_NAMES = [
	'$item_view',
	'$item_view',
	'$item_view',
	'$basket_view',
	'$basket_view',
	'$transaction_confirmed',
	'$page_view',
	'$conversion',
	'$ad_click',
	'checkout',
] as const;

export const TYPES = ['SITE_VISIT', 'SITE_VISIT', 'APP_VISIT', 'DISPLAY_AD', 'EMAIL'] as const;

/** Cases, quotes, LIKE's ordinary characters, Greek capitals, accents, absent in two ways. */
export const BRANDS = [
	'acme',
	'Acme',
	"O'Neil",
	'50%',
	'50 percent',
	'a_b',
	'axb',
	'ΟΔΟΣ',
	'Été',
	'back\\slash',
	'',
	null,
];

export const CATEGORIES = ['shoes', 'Shoes', 'bags', '7', ''] as const;
export const PRODUCTS = ['p1', 'p2', 'p3', 4] as const;
export const CAMPAIGNS = ['11', 12, null] as const;
export const GOALS = ['g1', 2] as const;
export const CHANNELS = ['1', '2', 'app-7'] as const;
export const BROWSERS = ['CHROME', 'SAFARI', 'FIREFOX', null] as const;
export const SEGMENTS = ['1', 'vip', 'VIP', 12] as const;
export const FORM_FACTORS = ['SMARTPHONE', 'TABLET', null] as const;

/** Money that is easy, negative, absent, and exactly half of 1/10,000. */
export const PRICES = [10, 2.5, 0.00005, 19.99995, 0.1, 1.005, -0.00005, -3, 0, null] as const;
export const AMOUNTS = [99.99, 0, 0.12345, -5.00005, 1234567.8901, '12.5'] as const;
export const QUANTITIES = [1, 2, 3, 0, null] as const;

/** Local days at which clocks or calendars do something; all are past. */
export const EDGES = [
	{timeZone: 'UTC', day: '2024-03-01'},
	{timeZone: 'UTC', day: '2024-01-01'},
	// 00:00 never comes.
	{timeZone: 'America/Sao_Paulo', day: '2018-11-04'},
	{timeZone: 'Africa/Cairo', day: '2025-04-25'},
	{timeZone: 'America/Havana', day: '2024-03-10'},
	// 00:00 comes twice, or the hour before it does.
	{timeZone: 'America/Havana', day: '2024-11-03'},
	{timeZone: 'America/Sao_Paulo', day: '2018-02-18'},
	// A day of 23 hours, of 25 hours, no whole hours of offset, and a day that never was.
	{timeZone: 'Europe/Paris', day: '2024-03-31'},
	{timeZone: 'Europe/Paris', day: '2024-10-27'},
	{timeZone: 'Asia/Kolkata', day: '2024-02-01'},
	{timeZone: 'Pacific/Apia', day: '2011-12-30'},
] as const;

/** What requests filter and split by, with the values worth asking for. */
export const DIMENSIONS: Readonly<Record<string, readonly (string | number | null)[]>> = {
	EVENT_TYPE: EVENT_NAMES,
	TYPE: TYPES,
	CHANNEL_ID: CHANNELS,
	BRAND: BRANDS,
	CATEGORY1: CATEGORIES,
	CATEGORY3: CATEGORIES,
	PRODUCT_ID: PRODUCTS,
	ORIGIN_CAMPAIGN_ID: CAMPAIGNS,
	CAMPAIGN_ID: CAMPAIGNS,
	GOAL_ID: GOALS,
	DEVICE_BROWSER_FAMILY: BROWSERS,
	DEVICE_FORM_FACTOR: FORM_FACTORS,
	HAS_CONVERSION: ['0', '1'],
	HAS_CLICKED: ['0', '1'],
	HAS_BOUNCED: ['0', '1'],
};
