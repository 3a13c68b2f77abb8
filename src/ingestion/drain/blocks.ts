import {type BlockSchema, NativeBlock} from '../../lib/native/native-block.ts';
import type {ActivityFacts, FactContext} from '../facts/facts.ts';
import {TIE_VALUES} from '../journal/journal.ts';

export const FACT_TABLE = 'fact_rows_v1';
const FACT_SCHEMA = {
	datamart_id: 'UInt32',
	user_point_id: 'UInt64',
	position: 'UInt64',
	instance: 'UInt16',
	arrival: 'UInt64',
	received_ms: 'UInt64',
	event_index: 'UInt16',
	batch_id: 'UInt64',
	type: 'LowCardinality(String)',
	session_status: 'LowCardinality(String)',
	event_type: 'LowCardinality(String)',
	channel_id: 'LowCardinality(String)',
	origin_source: 'LowCardinality(String)',
	origin_channel: 'LowCardinality(String)',
	origin_campaign_id: 'LowCardinality(String)',
	origin_sub_campaign_id: 'LowCardinality(String)',
	origin_creative_id: 'LowCardinality(String)',
	campaign_id: 'LowCardinality(String)',
	goal_id: 'LowCardinality(String)',
	device_form_factor: 'LowCardinality(String)',
	device_os_family: 'LowCardinality(String)',
	device_browser_family: 'LowCardinality(String)',
	device_brand: 'LowCardinality(String)',
	device_model: 'LowCardinality(String)',
	device_carrier: 'LowCardinality(String)',
	has_conversion: 'LowCardinality(String)',
	has_clicked: 'LowCardinality(String)',
	has_bounced: 'LowCardinality(String)',
	brand: 'Array(LowCardinality(String))',
	category1: 'Array(LowCardinality(String))',
	category2: 'Array(LowCardinality(String))',
	category3: 'Array(LowCardinality(String))',
	category4: 'Array(LowCardinality(String))',
	product_id: 'Array(String)',
	session_duration: 'Int64',
	money: 'Int64',
	units: 'Int64',
} as const;
export const FACT_COLUMNS = namesOf(FACT_SCHEMA);

export const ACTIVITY_TABLE = 'activities_v1';
const ACTIVITY_SCHEMA = {
	datamart_id: 'UInt32',
	user_point_id: 'UInt64',
	position: 'UInt64',
	instance: 'UInt16',
	arrival: 'UInt64',
	received_ms: 'UInt64',
	batch_id: 'UInt64',
	activity: 'String',
} as const;
export const ACTIVITY_COLUMNS = namesOf(ACTIVITY_SCHEMA);

function namesOf<Schema extends BlockSchema>(schema: Schema): readonly (keyof Schema & string)[] {
	return Object.keys(schema);
}

export type FactBlock = NativeBlock<typeof FACT_SCHEMA>;
export type ActivityBlock = NativeBlock<typeof ACTIVITY_SCHEMA>;
export const factBlock = (rows: number): FactBlock => new NativeBlock(FACT_SCHEMA, rows);
export const activityBlock = (rows: number): ActivityBlock => new NativeBlock(ACTIVITY_SCHEMA, rows);

const MAX_MS = 2 ** 42;
/** A position's ms begin ten bits up in its higher half. */
const MS_IN_LOW_HALF = 2 ** 10;
/** Beyond this a number does not fit an Int64. */
const MAX_INT64 = 9.2e18;

/** A value no column takes. Its message names the value's kind, never the value: it is kept in the open. */
export class UnfitValue extends Error {
	override readonly name = 'UnfitValue';
}

/**
 * Writes a row's place in the total order of a timeline: 42 bits of ms, then the low 22 bits of the arrival counter plus
 * the event's index. Residual case: two rows of one user point in one ms whose arrivals lie a multiple of 4,194,304 rows
 * apart, or straddle that wrap, may be told apart wrongly.
 */
function pushPosition(
	column: FactBlock['columns']['position'],
	tsMs: number,
	arrival: number,
	eventIndex: number,
): void {
	const tie = (arrival + eventIndex) % TIE_VALUES;
	column.pushHalves(Math.floor(tsMs / MS_IN_LOW_HALF), (tsMs % MS_IN_LOW_HALF) * TIE_VALUES + tie);
}

/** Throws `UnfitValue` before anything of an activity is in a block. */
export function assertFit(facts: ActivityFacts, activityMs: number): void {
	assertTime(activityMs);
	for (const row of facts.rows) {
		assertTime(row.tsMs);
		for (const value of [row.sessionDuration, row.money, row.units]) {
			if (!(Math.abs(value) <= MAX_INT64)) {
				throw new UnfitValue('a duration, an amount or a quantity is too large');
			}
		}
	}
}

function assertTime(ms: number): void {
	if (!(ms >= 0 && ms < MAX_MS)) throw new UnfitValue('a time is outside of what a position holds');
}

/** The rows of `fact_rows_v1`, of facts that fit. */
export function pushFacts({columns}: FactBlock, facts: ActivityFacts, context: FactContext): void {
	const {device} = facts;
	for (const row of facts.rows) {
		columns.datamart_id.push(context.datamartId);
		columns.user_point_id.push(context.userPointId);
		pushPosition(columns.position, row.tsMs, context.arrival, row.eventIndex);
		columns.instance.push(context.instance);
		columns.arrival.push(context.arrival);
		columns.received_ms.push(context.receivedMs);
		columns.event_index.push(row.eventIndex);
		columns.batch_id.push(context.batchId);
		columns.type.push(facts.type);
		columns.session_status.push(facts.sessionStatus);
		columns.event_type.push(row.eventType);
		columns.channel_id.push(facts.channelId);
		columns.origin_source.push(facts.originSource);
		columns.origin_channel.push(facts.originChannel);
		columns.origin_campaign_id.push(facts.originCampaignId);
		columns.origin_sub_campaign_id.push(facts.originSubCampaignId);
		columns.origin_creative_id.push(facts.originCreativeId);
		columns.campaign_id.push(row.campaignId);
		columns.goal_id.push(row.goalId);
		columns.device_form_factor.push(device.formFactor);
		columns.device_os_family.push(device.osFamily);
		columns.device_browser_family.push(device.browserFamily);
		columns.device_brand.push(device.brand);
		columns.device_model.push(device.model);
		columns.device_carrier.push(device.carrier);
		columns.has_conversion.push(facts.hasConversion);
		columns.has_clicked.push(facts.hasClicked);
		columns.has_bounced.push(facts.hasBounced);
		columns.brand.push(row.brand);
		columns.category1.push(row.category1);
		columns.category2.push(row.category2);
		columns.category3.push(row.category3);
		columns.category4.push(row.category4);
		columns.product_id.push(row.productId);
		columns.session_duration.push(row.sessionDuration);
		columns.money.push(row.money);
		columns.units.push(row.units);
	}
}

/** The row of `activities_v1`: the activity beside its facts, identifiers as references. */
export function pushActivity(
	{columns}: ActivityBlock,
	activity: string,
	activityMs: number,
	context: FactContext,
): void {
	columns.datamart_id.push(context.datamartId);
	columns.user_point_id.push(context.userPointId);
	pushPosition(columns.position, activityMs, context.arrival, 0);
	columns.instance.push(context.instance);
	columns.arrival.push(context.arrival);
	columns.received_ms.push(context.receivedMs);
	columns.batch_id.push(context.batchId);
	columns.activity.push(activity);
}
