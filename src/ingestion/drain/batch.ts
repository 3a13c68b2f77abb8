import {toMs, type WireActivity} from '../facts/activity.ts';
import {
	hasUnsafeNumbers,
	parseActivity,
	parseKeepingNumbers,
	stringifyKeepingNumbers,
} from '../facts/activity-text.ts';
import {type DeviceDimensions, type FactContext, factsOf} from '../facts/facts.ts';
import type {JournalRecord} from '../journal/record.ts';
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
} from './blocks.ts';

/** What a batch writes into one table. */
export interface TableLines {
	readonly table: string;
	readonly columns: readonly string[];
	readonly lines: readonly Line[];
}

/** A record the drain could not turn into rows; it goes to the dead letters and blocks nothing. */
export interface Refused {
	readonly record: JournalRecord;
	readonly reason: 'unreadable' | 'identifier_cap';
	readonly message: string;
}

export interface BatchRows {
	readonly tables: readonly TableLines[];
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
	const readable = records.flatMap(record => {
		try {
			return [read(record)];
		} catch (error) {
			refused.push({record, reason: 'unreadable', message: (error as Error).message});
			return [];
		}
	});
	const placed = await context.userPoints.place(
		readable.map(({record, places}) => ({
			datamartId: record.datamartId,
			receivedMs: record.receivedMs,
			identifiers: places.map(place => place.identifier),
		})),
	);
	const facts: Line[] = [];
	const activities: Line[] = [];
	for (const [index, item] of readable.entries()) {
		const placing = placed[index]!;
		try {
			const rows = rowsOf(item, placing, context);
			facts.push(...rows.facts);
			activities.push(rows.activity);
		} catch (error) {
			refused.push({record: item.record, reason: 'unreadable', message: (error as Error).message});
			continue;
		}
		if (placing.userPointId === 0 && item.places.length > 0) {
			refused.push({
				record: item.record,
				reason: 'identifier_cap',
				message: 'its user point takes no more identifiers; the activity is kept without one',
			});
		}
	}
	return {
		refused,
		tables: [
			{table: FACT_TABLE, columns: FACT_COLUMNS, lines: facts},
			{table: ACTIVITY_TABLE, columns: ACTIVITY_COLUMNS, lines: activities},
		],
	};
}

function read(record: JournalRecord): Readable {
	const json = record.body.toString('utf8');
	const activity = parseActivity(json);
	return {record, json, activity, places: identifierPlaces(activity, record.defaultCompartmentId)};
}

function rowsOf(
	{record, json, activity, places}: Readable,
	placed: Placed,
	context: BatchContext,
): {facts: readonly Line[]; activity: Line} {
	const factContext: FactContext = {
		datamartId: record.datamartId,
		instance: context.instance,
		arrival: record.arrival,
		receivedMs: record.receivedMs,
		batchId: context.batchId,
		userPointId: placed.userPointId,
		userAgent: record.userAgent,
		parseUserAgent: context.parseUserAgent,
	};
	const made = factsOf(activity, factContext);
	const activityMs = activity.$ts == null ? record.receivedMs : toMs(activity.$ts);
	const text = keptText(json, activity, places, record, placed);
	return {facts: factLines(made, factContext), activity: activityLine(text, activityMs, factContext)};
}

/** The activity's text with every stored identifier replaced by its id: a number where only a text can come in. */
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
		const stored = placed.identifiers.get(canonical(identifier));
		if (!stored) continue;
		holder[key] = stored.identifierId;
		// The address belongs to the identifier and is sealed with it.
		if (identifier.email !== undefined) holder.$email = null;
	}
	return target;
}
