import type {Json, JsonObject, WireActivity, WireEvent} from './activity.ts';
import {isSnapshot, toMs} from './activity.ts';
import {itemsOf, moneyOf, unitsOf} from './money.ts';

/** What the drain knows of an activity beside its JSON. */
export interface FactContext {
	readonly datamartId: number;
	readonly instance: number;
	readonly arrival: number;
	readonly receivedMs: number;
	readonly batchId: number;
	/** 0: no user point. */
	readonly userPointId: number;
	/** Device dimensions parsed from a User-Agent; asked for only where the activity brings no `$user_agent_info`. */
	readonly parseUserAgent: (userAgent: string) => DeviceDimensions | undefined;
	/** The request's own User-Agent header. */
	readonly userAgent: string;
}

export interface DeviceDimensions {
	readonly formFactor: string;
	readonly osFamily: string;
	readonly browserFamily: string;
	readonly brand: string;
	readonly model: string;
	readonly carrier: string;
}

/** One row of `fact_rows_v1`; '' and [] mean "no value", money and units are 1/10,000. */
export interface FactRow {
	readonly tsMs: number;
	readonly eventIndex: number;
	readonly eventType: string;
	readonly campaignId: string;
	readonly goalId: string;
	readonly brand: readonly string[];
	readonly category1: readonly string[];
	readonly category2: readonly string[];
	readonly category3: readonly string[];
	readonly category4: readonly string[];
	readonly productId: readonly string[];
	readonly sessionDuration: number;
	readonly money: number;
	readonly units: number;
}

/** What all rows of an activity share. */
export interface ActivityFacts {
	readonly type: string;
	readonly sessionStatus: string;
	readonly channelId: string;
	readonly originSource: string;
	readonly originChannel: string;
	readonly originCampaignId: string;
	readonly originSubCampaignId: string;
	readonly originCreativeId: string;
	readonly device: DeviceDimensions;
	readonly hasConversion: '0' | '1';
	readonly hasClicked: '0' | '1';
	readonly hasBounced: '0' | '1';
	readonly rows: readonly FactRow[];
}

const NO_PROPERTIES: JsonObject = {};
const NO_DEVICE: DeviceDimensions = {
	formFactor: '',
	osFamily: '',
	browserFamily: '',
	brand: '',
	model: '',
	carrier: '',
};
const CONVERSIONS: ReadonlySet<string> = new Set(['$conversion']);
const CLICKS: ReadonlySet<string> = new Set(['$ad_click', '$email_click']);
const VISITS: ReadonlySet<string> = new Set(['SITE_VISIT', 'APP_VISIT']);
const VIEWS: ReadonlySet<string> = new Set([
	'$page_view',
	'$home_view',
	'$category_view',
	'$item_view',
	'$item_list_view',
	'$product_view',
	'$product_list_view',
	'$app_open',
]);

/** Text of a dimension's value: strings as they are, numbers in digits, anything else is no value. */
export function text(value: unknown): string {
	if (typeof value === 'string') return value;
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** The fact rows of one activity (semantics.md, Timeline; decisions.md, Dimensions). */
export function factsOf(activity: WireActivity, context: FactContext): ActivityFacts {
	const events = activity.$events ?? [];
	const origin = activity.$origin ?? NO_PROPERTIES;
	const activityMs = activity.$ts == null ? context.receivedMs : toMs(activity.$ts);
	const bounced = events.length === 1 && VISITS.has(activity.$type) && VIEWS.has(events[0]!.$event_name);
	return {
		type: activity.$type,
		sessionStatus: text(activity.$session_status),
		channelId: text(activity.$site_id) || text(activity.$app_id),
		originSource: text(origin.$source),
		originChannel: text(origin.$channel),
		originCampaignId: text(origin.$campaign_id),
		originSubCampaignId: text(origin.$sub_campaign_id),
		originCreativeId: text(origin.$creative_id),
		device: deviceOf(activity, context),
		hasConversion: carries(events, CONVERSIONS),
		hasClicked: carries(events, CLICKS),
		hasBounced: bounced ? '1' : '0',
		rows: isSnapshot(activity) ? [] : rowsOf(activity, events, activityMs),
	};
}

/** A flag of the whole activity. */
function carries(events: readonly WireEvent[], names: ReadonlySet<string>): '0' | '1' {
	return events.some(event => names.has(event.$event_name)) ? '1' : '0';
}

function rowsOf(activity: WireActivity, events: readonly WireEvent[], activityMs: number): FactRow[] {
	if (events.length === 0) return [rowOf(activity, undefined, 0, activityMs)];
	return events.map((event, index) => rowOf(activity, event, index, activityMs));
}

function rowOf(
	activity: WireActivity,
	event: WireEvent | undefined,
	eventIndex: number,
	activityMs: number,
): FactRow {
	const properties = event?.$properties ?? NO_PROPERTIES;
	const items = itemsOf(properties);
	return {
		tsMs: event?.$ts == null ? activityMs : toMs(event.$ts),
		eventIndex,
		eventType: event?.$event_name ?? '',
		campaignId:
			text(activity.$campaign_id) || text(properties.$campaign_id) || text(activity.$origin?.$campaign_id),
		goalId: event?.$event_name === '$conversion' ? text(properties.$goal_id) : '',
		brand: valuesOf(properties, items, brandOf),
		category1: valuesOf(properties, items, category1Of),
		category2: valuesOf(properties, items, category2Of),
		category3: valuesOf(properties, items, category3Of),
		category4: valuesOf(properties, items, category4Of),
		productId: valuesOf(properties, items, productOf),
		// On every row: a report that meets any of the activity's rows knows how long its session took.
		sessionDuration: Math.round(activity.$session_duration ?? -1),
		money: moneyOf(properties, items),
		units: unitsOf(items),
	};
}

type PickValue = (holder: JsonObject, isItem: boolean) => Json | undefined;
const brandOf: PickValue = holder => holder.$brand;
const category1Of: PickValue = holder => holder.$category1;
const category2Of: PickValue = holder => holder.$category2;
const category3Of: PickValue = holder => holder.$category3;
const category4Of: PickValue = holder => holder.$category4;
/** An item's `$product_id`, else its `$id`; on the properties `$product_id` alone. */
const productOf: PickValue = (holder, isItem) =>
	isItem ? (text(holder.$product_id) ? holder.$product_id : holder.$id) : holder.$product_id;

/** Every distinct non-empty value, in item order, then the properties' own. */
function valuesOf(properties: JsonObject, items: readonly JsonObject[], pick: PickValue): readonly string[] {
	const values: string[] = [];
	for (const item of items) addDistinct(values, pick(item, true));
	addDistinct(values, pick(properties, false));
	return values;
}

function addDistinct(values: string[], value: Json | undefined): void {
	const found = text(value);
	if (found !== '' && !values.includes(found)) values.push(found);
}

/** `$user_agent_info` wins as a whole; else `$user_agent`; else the request's header where a browser sent it. */
function deviceOf(activity: WireActivity, context: FactContext): DeviceDimensions {
	const info = activity.$user_agent_info;
	if (info) {
		return {
			formFactor: text(info.form_factor),
			osFamily: text(info.os_family),
			browserFamily: text(info.browser_family),
			brand: text(info.brand),
			model: text(info.model),
			carrier: text(info.carrier),
		};
	}
	const userAgent =
		text(activity.$user_agent) || (context.userAgent.startsWith('Mozilla/') ? context.userAgent : '');
	return (userAgent ? context.parseUserAgent(userAgent) : undefined) ?? NO_DEVICE;
}
