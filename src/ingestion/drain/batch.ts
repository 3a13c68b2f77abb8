import type {Reason} from '../dead-letters/dead-letters.ts';
import {toMs, type WireActivity} from '../facts/activity.ts';
import {
	hasUnsafeNumbers,
	parseActivity,
	parseKeepingNumbers,
	stringifyKeepingNumbers,
} from '../facts/activity-text.ts';
import {type DeviceDimensions, type FactContext, factsOf} from '../facts/facts.ts';
import {type JournalRecord, placeOf} from '../journal/record.ts';
import {canonical, type IdentifierPlace, identifierPlaces} from '../user-points/identifiers.ts';
import type {Placed} from '../user-points/user-points.store.ts';
import type {UserPoints} from '../user-points/user-points.ts';
import {
	ACTIVITY_COLUMNS,
	ACTIVITY_TABLE,
	activityLine,
	FACT_COLUMNS,
	FACT_TABLE,
	factLines,
	type Line,
	UnfitValue,
} from './blocks.ts';

/** What a batch is written into, in the order of `RecordRows.lines`. */
export const TABLES = [
	{table: FACT_TABLE, columns: FACT_COLUMNS},
	{table: ACTIVITY_TABLE, columns: ACTIVITY_COLUMNS},
] as const;

/** The rows of one record: its lines in each of the tables. */
export interface RecordRows {
	readonly record: JournalRecord;
	readonly lines: readonly (readonly Line[])[];
}

/**
 * A record that goes to the dead letters and blocks nothing. The message is kept in the open: no word of the activity
 * may stand in it.
 */
export interface Refused {
	readonly record: JournalRecord;
	readonly reason: Reason;
	readonly message: string;
}

export interface BatchRows {
	readonly made: readonly RecordRows[];
	readonly refused: readonly Refused[];
}

export interface BatchContext {
	readonly instance: number;
	readonly batchId: number;
	readonly userPoints: UserPoints;
	readonly parseUserAgent: (userAgent: string) => DeviceDimensions | undefined;
}

interface Readable {
	readonly record: JournalRecord;
	readonly json: string;
	readonly activity: WireActivity;
	readonly places: readonly IdentifierPlace[];
}

/** Journal records into rows: read, place on user points, make facts; the activity itself beside them. */
export async function buildRows(
	records: readonly JournalRecord[],
	context: BatchContext,
): Promise<BatchRows> {
	const refused: Refused[] = [];
	const readable: Readable[] = [];
	for (const record of records) {
		try {
			readable.push(read(record));
		} catch {
			refused.push({record, reason: 'unreadable', message: 'it is not an activity in JSON'});
		}
	}
	const placed = await context.userPoints.place(
		readable.map(({record, places}) => ({
			datamartId: record.datamartId,
			receivedMs: record.receivedMs,
			identifiers: places.map(place => place.identifier),
		})),
	);
	const made: RecordRows[] = [];
	for (const [index, item] of readable.entries()) {
		const {record} = item;
		const placing = placed[index]!;
		try {
			made.push({record, lines: rowsOf(item, placing, context)});
		} catch (error) {
			// The error of a library may quote the activity.
			const why = error instanceof UnfitValue ? error.message : (error as Error).name;
			refused.push({record, reason: 'facts_failed', message: `no rows can be made of it: ${why}`});
			continue;
		}
		if (placing.userPointId === 0 && item.places.length > 0) {
			refused.push({
				record,
				reason: 'identifier_cap',
				message: record.association
					? 'its user point takes no more identifiers; they are not linked'
					: 'its user point takes no more identifiers; the activity is kept without one',
			});
		}
	}
	return {made, refused};
}

/** Throws where the doors would have refused it by its shape: a fact must not be made of anything else. */
function read(record: JournalRecord): Readable {
	const json = record.body.toString('utf8');
	const activity = parseActivity(json);
	if (!record.association && typeof activity.$type !== 'string') throw new TypeError('$type is not a text');
	const places = identifierPlaces(activity, record.defaultCompartmentId);
	if (!places.every(({identifier}) => isCompartment(identifier.compartmentId))) {
		throw new TypeError('$compartment_id is not a number');
	}
	return {record, json, activity, places};
}

function isCompartment(id: number | undefined): boolean {
	return id === undefined || (Number.isInteger(id) && id >= 0 && id < 2 ** 31);
}

function rowsOf(
	{record, json, activity, places}: Readable,
	placed: Placed,
	context: BatchContext,
): readonly (readonly Line[])[] {
	if (record.association) return TABLES.map(() => []);
	const {instance, arrival} = placeOf(record, context.instance);
	const factContext: FactContext = {
		datamartId: record.datamartId,
		instance,
		arrival,
		receivedMs: record.receivedMs,
		batchId: context.batchId,
		userPointId: placed.userPointId,
		userAgent: record.userAgent,
		parseUserAgent: context.parseUserAgent,
	};
	const made = factsOf(activity, factContext);
	const activityMs = activity.$ts == null ? record.receivedMs : toMs(activity.$ts);
	const text = keptText(json, activity, places, record, placed);
	return [factLines(made, factContext), [activityLine(text, activityMs, factContext)]];
}

/** Rows that any table of this schema takes: where they are refused, the store is at fault and not what it was sent. */
export function sampleRows(receivedMs: number): readonly (readonly Line[])[] {
	const activity: WireActivity = {$type: 'SITE_VISIT', $events: [{$event_name: '$page_view'}]};
	const context: FactContext = {
		datamartId: 1,
		instance: 1,
		arrival: 1,
		receivedMs,
		batchId: 1,
		userPointId: 1,
		userAgent: '',
		parseUserAgent: () => undefined,
	};
	const text = JSON.stringify(activity);
	return [factLines(factsOf(activity, context), context), [activityLine(text, receivedMs, context)]];
}

/** The activity's text with every identifier replaced by its id: a number where only a text can come in. */
function keptText(
	json: string,
	activity: WireActivity,
	places: readonly IdentifierPlace[],
	record: JournalRecord,
	placed: Placed,
): string {
	if (!hasUnsafeNumbers(json)) return JSON.stringify(withReferences(activity, places, placed));
	const exact = parseKeepingNumbers(json);
	const exactPlaces = identifierPlaces(exact as unknown as WireActivity, record.defaultCompartmentId);
	return stringifyKeepingNumbers(withReferences(exact, exactPlaces, placed));
}

function withReferences<Target>(target: Target, places: readonly IdentifierPlace[], placed: Placed): Target {
	for (const {identifier, holder, key} of places) {
		// One that its user point could not take stands in the sealed dead letter and nowhere else.
		const reference = placed.identifiers.get(canonical(identifier))?.identifierId ?? null;
		holder[key] = reference;
		// The address belongs to the identifier and is sealed with it.
		if (identifier.email !== undefined) holder.$email = reference;
	}
	return target;
}
