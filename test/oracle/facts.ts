import {tenThousandths} from './decimal.ts';
import {linkUserPoints, type UserPoints} from './user-points.ts';
import {type AcceptedActivity, objectOf, objectsOf, textOf, type WireActivity} from './wire.ts';

/** One event of an activity, or an activity without events. */
export interface FactRow {
	/** Null: the activity came without identifiers; it is in no timeline. */
	readonly userPoint: number | null;
	/** Epoch ms. */
	readonly ts: number;
	/** Place of the activity among all accepted ones, from 0. */
	readonly arrival: number;
	readonly eventIndex: number;
	/** Upper-case dimension name to its values in order; no entry or none inside means "no value". */
	readonly dimensions: Readonly<Record<string, readonly string[]>>;
	/** Integer of 1/10,000. */
	readonly money: number;
	/** Integer of 1/10,000: quantities need not be whole. */
	readonly units: number;
}

export interface FactOptions {
	/** The device of a raw user-agent string, in the shape of `$user_agent_info`; undefined when it tells none. */
	readonly parseUserAgent?: (userAgent: string) => WireActivity | undefined;
	/** The id that an account without `$compartment_id` falls into. */
	readonly defaultCompartment?: string;
}

const CLICKS = ['$ad_click', '$email_click'];
const VISITS = ['SITE_VISIT', 'APP_VISIT'];
const PAGE_OR_SCREEN_VIEWS = [
	'$page_view',
	'$home_view',
	'$category_view',
	'$item_view',
	'$item_list_view',
	'$product_view',
	'$product_list_view',
	'$app_open',
];
const LATEST_SECONDS = 1e11;
const NONE: readonly string[] = [];
const NOTHING_OF_EVENTS = {
	EVENT_TYPE: NONE,
	CAMPAIGN_ID: NONE,
	GOAL_ID: NONE,
	BRAND: NONE,
	CATEGORY1: NONE,
	CATEGORY2: NONE,
	CATEGORY3: NONE,
	CATEGORY4: NONE,
	PRODUCT_ID: NONE,
};

/** Facts of everything accepted, in order of arrival (semantics.md, Timeline; decisions.md, Dimensions). */
export function factsOf(
	accepted: readonly AcceptedActivity[],
	options: FactOptions = {},
): {readonly rows: FactRow[]; readonly userPoints: UserPoints} {
	const userPoints = linkUserPoints(
		accepted.map(({activity}) => activity),
		options.defaultCompartment,
	);
	const rows = accepted.flatMap((one, arrival) =>
		rowsOf(one, options, {userPoint: userPoints.ofActivity[arrival] ?? null, arrival}),
	);
	return {rows, userPoints};
}

function rowsOf(
	accepted: AcceptedActivity,
	options: FactOptions,
	{userPoint, arrival}: Pick<FactRow, 'userPoint' | 'arrival'>,
): FactRow[] {
	const {activity, receivedMs} = accepted;
	// Its events come again with the closed session.
	if (activity.$session_status === 'SESSION_SNAPSHOT') return [];

	const events = objectsOf(activity.$events);
	const ofActivity = activityDimensions(accepted, events, options);
	return (events.length === 0 ? [{}] : events).map((event: WireActivity, eventIndex) => {
		const properties = objectOf(event.$properties) ?? {};
		return {
			userPoint,
			arrival,
			ts: instantOf(event.$ts) ?? instantOf(activity.$ts) ?? receivedMs,
			eventIndex,
			dimensions: withEvent(ofActivity, activity, event, properties),
			money: moneyOf(properties),
			units: tenThousandths(objectsOf(properties.$items).map(item => [quantityOf(item), 1])),
		};
	});
}

/** Epoch ms; numbers below 10^11 are seconds. */
function instantOf(ts: unknown): number | undefined {
	if (typeof ts !== 'number') return undefined;
	return ts < LATEST_SECONDS ? ts * 1000 : ts;
}

function quantityOf(item: WireActivity): number {
	const quantity = item.$qty ?? item.$quantity;
	return typeof quantity === 'number' ? quantity : 1;
}

/** `$amount` when it is a JSON number, else price times quantity over the items, else 0. */
function moneyOf(properties: WireActivity): number {
	const amount = properties.$amount;
	if (typeof amount === 'number') return tenThousandths([[amount, 1]]);
	return tenThousandths(
		objectsOf(properties.$items).map(item => {
			const price = item.$price;
			return [typeof price === 'number' ? price : 0, quantityOf(item)] as const;
		}),
	);
}

function activityDimensions(
	{activity, requestUserAgent}: AcceptedActivity,
	events: readonly WireActivity[],
	{parseUserAgent}: FactOptions,
) {
	const names = events.map(event => event.$event_name);
	const origin = objectOf(activity.$origin) ?? {};
	const device = deviceOf(activity, requestUserAgent, parseUserAgent);
	const bounced =
		VISITS.includes(String(activity.$type)) &&
		names.length === 1 &&
		PAGE_OR_SCREEN_VIEWS.includes(String(names[0]));
	return {
		TYPE: one(activity.$type),
		CHANNEL_ID: one(textOf(activity.$site_id) ?? activity.$app_id),
		ORIGIN_SOURCE: one(origin.$source),
		ORIGIN_CHANNEL: one(origin.$channel),
		ORIGIN_CAMPAIGN_ID: one(origin.$campaign_id),
		ORIGIN_SUB_CAMPAIGN_ID: one(origin.$sub_campaign_id),
		ORIGIN_CREATIVE_ID: one(origin.$creative_id),
		DEVICE_FORM_FACTOR: one(device.form_factor),
		DEVICE_OS_FAMILY: one(device.os_family),
		DEVICE_BROWSER_FAMILY: one(device.browser_family),
		DEVICE_BRAND: one(device.brand),
		DEVICE_MODEL: one(device.model),
		DEVICE_CARRIER: one(device.carrier),
		HAS_CONVERSION: [names.includes('$conversion') ? '1' : '0'],
		HAS_CLICKED: [names.some(name => CLICKS.includes(String(name))) ? '1' : '0'],
		HAS_BOUNCED: [bounced ? '1' : '0'],
		// Told by events; named here, since objects of one shape are copied thirty times faster.
		...NOTHING_OF_EVENTS,
	};
}

/** `$user_agent_info` wins as a whole; then the raw string; then the header of the request that brought it. */
function deviceOf(
	activity: WireActivity,
	requestUserAgent: string | undefined,
	parseUserAgent: FactOptions['parseUserAgent'],
): WireActivity {
	const brought = objectOf(activity.$user_agent_info);
	if (brought !== undefined) return brought;
	const text = textOf(activity.$user_agent) ?? requestUserAgent;
	return (text === undefined ? undefined : parseUserAgent?.(text)) ?? {};
}

function withEvent(
	ofActivity: typeof NOTHING_OF_EVENTS,
	activity: WireActivity,
	event: WireActivity,
	properties: WireActivity,
): Record<string, readonly string[]> {
	const items = objectsOf(properties.$items);
	const holders = [...items, properties];
	const many = (name: string) => {
		const texts = holders.map(holder => textOf(holder[name])).filter(text => text !== undefined);
		return texts.length === 0 ? NONE : texts;
	};
	return {
		...ofActivity,
		EVENT_TYPE: one(event.$event_name),
		// Where both are given the activity's own wins, as it is named first; the origin is the last resort.
		CAMPAIGN_ID: one(
			textOf(activity.$campaign_id) ??
				textOf(properties.$campaign_id) ??
				objectOf(activity.$origin)?.$campaign_id,
		),
		GOAL_ID: event.$event_name === '$conversion' ? one(properties.$goal_id) : NONE,
		BRAND: many('$brand'),
		CATEGORY1: many('$category1'),
		CATEGORY2: many('$category2'),
		CATEGORY3: many('$category3'),
		CATEGORY4: many('$category4'),
		PRODUCT_ID: [
			...items.flatMap(item => one(textOf(item.$product_id) ?? item.$id)),
			...one(properties.$product_id),
		],
	};
}

/** At most one value. */
function one(value: unknown): readonly string[] {
	const text = textOf(value);
	return text === undefined ? NONE : [text];
}
