import {tsvArray, tsvText} from '../../lib/tsv.ts';
import type {ActivityFacts, FactContext} from '../facts/facts.ts';
import {TIE_VALUES} from '../journal/journal.ts';

export const FACT_TABLE = 'fact_rows_v1';
export const FACT_COLUMNS = [
	'datamart_id',
	'user_point_id',
	'position',
	'instance',
	'arrival',
	'received_ms',
	'event_index',
	'batch_id',
	'type',
	'session_status',
	'event_type',
	'channel_id',
	'origin_source',
	'origin_channel',
	'origin_campaign_id',
	'origin_sub_campaign_id',
	'origin_creative_id',
	'campaign_id',
	'goal_id',
	'device_form_factor',
	'device_os_family',
	'device_browser_family',
	'device_brand',
	'device_model',
	'device_carrier',
	'has_conversion',
	'has_clicked',
	'has_bounced',
	'brand',
	'category1',
	'category2',
	'category3',
	'category4',
	'product_id',
	'session_duration',
	'money',
	'units',
] as const;

export const ACTIVITY_TABLE = 'activities_v1';
export const ACTIVITY_COLUMNS = [
	'datamart_id',
	'user_point_id',
	'position',
	'instance',
	'arrival',
	'received_ms',
	'batch_id',
	'activity',
] as const;

const MAX_MS = 2 ** 42;
/** Beyond this a number is not written in digits alone, or does not fit an Int64. */
const MAX_INT64 = 9.2e18;

/** A value no column takes. Its message names the value's kind, never the value: it is kept in the open. */
export class UnfitValue extends Error {
	override readonly name = 'UnfitValue';
}

/** A row as TabSeparated text, told by its place in the total order. */
export interface Line {
	readonly position: string;
	readonly text: string;
}

/**
 * A row's place in the total order of a timeline: 42 bits of ms, then the low 22 bits of the arrival counter plus the
 * event's index. Residual case: two rows of one user point in one ms whose arrivals lie a multiple of 4,194,304 rows
 * apart, or straddle that wrap, may be told apart wrongly.
 */
export function positionOf(tsMs: number, arrival: number, eventIndex: number): string {
	if (!(tsMs >= 0 && tsMs < MAX_MS)) throw new UnfitValue('a time is outside of what a position holds');
	return (BigInt(tsMs) * BigInt(TIE_VALUES) + BigInt((arrival + eventIndex) % TIE_VALUES)).toString();
}

/** Lines of `fact_rows_v1`, one a row, in FACT_COLUMNS' order. */
export function factLines(facts: ActivityFacts, context: FactContext): Line[] {
	const {device} = facts;
	const before = `${context.datamartId}\t${context.userPointId}\t`;
	const arrival = `\t${context.instance}\t${context.arrival}\t${context.receivedMs}\t`;
	const shared = [facts.type, facts.sessionStatus].map(tsvText).join('\t');
	const origin = [
		facts.channelId,
		facts.originSource,
		facts.originChannel,
		facts.originCampaignId,
		facts.originSubCampaignId,
		facts.originCreativeId,
	]
		.map(tsvText)
		.join('\t');
	const dimensions = [
		device.formFactor,
		device.osFamily,
		device.browserFamily,
		device.brand,
		device.model,
		device.carrier,
		facts.hasConversion,
		facts.hasClicked,
		facts.hasBounced,
	]
		.map(tsvText)
		.join('\t');
	return facts.rows.map(row => {
		const position = positionOf(row.tsMs, context.arrival, row.eventIndex);
		const text =
			before +
			position +
			`${arrival}${row.eventIndex}\t${context.batchId}\t` +
			`${shared}\t${tsvText(row.eventType)}\t${origin}\t${tsvText(row.campaignId)}\t${tsvText(row.goalId)}\t` +
			`${dimensions}\t${tsvArray(row.brand)}\t${tsvArray(row.category1)}\t${tsvArray(row.category2)}\t` +
			`${tsvArray(row.category3)}\t${tsvArray(row.category4)}\t${tsvArray(row.productId)}\t` +
			`${int64(row.sessionDuration)}\t${int64(row.money)}\t${int64(row.units)}\n`;
		return {position, text};
	});
}

function int64(value: number): number {
	if (!(Math.abs(value) <= MAX_INT64))
		throw new UnfitValue('a duration, an amount or a quantity is too large');
	return value;
}

/** The line of `activities_v1`: the activity beside its facts, identifiers as references. */
export function activityLine(activity: string, activityMs: number, context: FactContext): Line {
	const position = positionOf(activityMs, context.arrival, 0);
	const text =
		`${context.datamartId}\t${context.userPointId}\t${position}\t` +
		`${context.instance}\t${context.arrival}\t${context.receivedMs}\t${context.batchId}\t${tsvText(activity)}\n`;
	return {position, text};
}
