import {setImmediate} from 'node:timers/promises';
import type {Reason} from '../dead-letters/dead-letters.ts';
import {toMs, type WireActivity} from '../facts/activity.ts';
import {parseActivity} from '../facts/activity-text.ts';
import {type DeviceDimensions, type FactContext, factsOf} from '../facts/facts.ts';
import {type JournalRecord, placeOf} from '../journal/record.ts';
import {identifierPlaces} from '../user-points/identifiers.ts';
import type {Placed} from '../user-points/user-points.store.ts';
import type {UnplacedActivity, UserPoints} from '../user-points/user-points.ts';
import {BatchRows} from './batch-rows.ts';
import {assertFit, pushActivity, pushFacts, UnfitValue} from './blocks.ts';
import {keptText, type ReadActivity} from './kept-text.ts';

/**
 * A record that goes to the dead letters and blocks nothing. The message is kept in the open: no word of the activity
 * may stand in it.
 */
export interface Refused {
	readonly record: JournalRecord;
	readonly reason: Reason;
	readonly message: string;
}

export interface BatchContext {
	readonly instance: number;
	readonly batchId: number;
	readonly userPoints: UserPoints;
	readonly parseUserAgent: (userAgent: string) => DeviceDimensions | undefined;
}

/** Records made into rows before others have their turn: some 10 ms. */
const AT_A_TIME = 500;

interface Readable extends ReadActivity, UnplacedActivity {
	readonly record: JournalRecord;
}

/**
 * Journal records into rows: read, placed on user points, facts made; the activity itself beside them. Records whose
 * people are in memory, most of them, are done with one by one: what is parsed of them is garbage at once, which costs
 * a fraction of what it costs once it has grown old. The others wait until the store has placed them all together.
 */
export async function buildRows(
	records: readonly JournalRecord[],
	context: BatchContext,
): Promise<{readonly rows: BatchRows; readonly refused: readonly Refused[]}> {
	const rows = new BatchRows(records);
	const refused: Refused[] = [];
	const unplaced: Readable[] = [];
	await context.userPoints.forgetDeleted();
	for (const [index, record] of records.entries()) {
		// The batch before is on its way to the stores from this same thread.
		if (index % AT_A_TIME === AT_A_TIME - 1) await setImmediate();
		const readable = readOrRefuse(record, refused);
		if (!readable) continue;
		const placed = context.userPoints.recall(readable);
		if (placed) push(rows, refused, readable, placed, context);
		else unplaced.push(readable);
	}
	const placed = unplaced.length > 0 ? await context.userPoints.place(unplaced) : [];
	for (const [index, readable] of unplaced.entries()) {
		push(rows, refused, readable, placed[index]!, context);
	}
	return {rows, refused};
}

function readOrRefuse(record: JournalRecord, refused: Refused[]): Readable | undefined {
	if (record.outcome?.kind === 'unanalysed') {
		refused.push({record, reason: 'not_analysed', message: 'its analyzers could not be asked'});
		return undefined;
	}
	try {
		return read(record);
	} catch {
		refused.push({record, reason: 'unreadable', message: 'it is not an activity in JSON'});
		return undefined;
	}
}

/** Throws where the doors would have refused it by its shape: a fact must not be made of anything else. */
function read(record: JournalRecord): Readable {
	const {datamartId, receivedMs, defaultCompartmentId} = record;
	const json = record.body.toString('utf8');
	const activity = parseActivity(json);
	if (!record.association && typeof activity.$type !== 'string') throw new TypeError('$type is not a text');
	const places = identifierPlaces(activity, defaultCompartmentId);
	const identifiers = places.map(place => place.identifier);
	if (!identifiers.every(({compartmentId}) => isCompartment(compartmentId))) {
		throw new TypeError('$compartment_id is not a number');
	}
	return {record, json, activity, places, datamartId, receivedMs, defaultCompartmentId, identifiers};
}

function isCompartment(id: number | undefined): boolean {
	return id === undefined || (Number.isInteger(id) && id >= 0 && id < 2 ** 31);
}

/** All rows of a record, or none of them and the reason. */
function push(
	rows: BatchRows,
	refused: Refused[],
	readable: Readable,
	placed: Placed,
	context: BatchContext,
): void {
	const {record} = readable;
	try {
		pushRows(rows, readable, placed, context);
	} catch (error) {
		// The error of a library may quote the activity.
		const why = error instanceof UnfitValue ? error.message : (error as Error).name;
		refused.push({record, reason: 'facts_failed', message: `no rows can be made of it: ${why}`});
		return;
	}
	if (placed.isFull) {
		refused.push({
			record,
			reason: 'identifier_cap',
			message: record.association
				? 'its user point takes no more identifiers; they are not linked'
				: 'its user point takes no more identifiers; the activity is kept without one',
		});
	}
}

type RowContext = Omit<BatchContext, 'userPoints'>;

function pushRows(rows: BatchRows, readable: Readable, placed: Placed, context: RowContext): void {
	const {record, activity} = readable;
	if (!record.association) {
		const factContext = factContextOf(record, placed, context);
		const facts = factsOf(activity, factContext);
		const activityMs = activity.$ts == null ? record.receivedMs : toMs(activity.$ts);
		// From here on nothing may fail: rows of half a record would be written.
		assertFit(facts, activityMs);
		const text = keptText(readable, placed);
		pushFacts(rows.facts.block, facts, factContext);
		for (const {tsMs} of facts.rows) rows.touched.add(record.datamartId, tsMs);
		pushActivity(rows.activities.block, text, activityMs, factContext);
	}
	rows.end(record);
}

function factContextOf(record: JournalRecord, placed: Placed, context: RowContext): FactContext {
	const {instance, arrival} = placeOf(record, context.instance);
	return {
		datamartId: record.datamartId,
		instance,
		arrival,
		receivedMs: record.receivedMs,
		batchId: context.batchId,
		userPointId: placed.userPointId,
		userAgent: record.userAgent,
		parseUserAgent: context.parseUserAgent,
	};
}

/** Rows that any table of this schema takes: where they are refused, the store is at fault and not what it was sent. */
export function sampleRows(receivedMs: number): BatchRows {
	const activity: WireActivity = {$type: 'SITE_VISIT', $events: [{$event_name: '$page_view'}]};
	const record: JournalRecord = {
		datamartId: 1,
		defaultCompartmentId: 1,
		receivedMs,
		arrival: 1,
		rows: 1,
		userAgent: '',
		body: Buffer.from(JSON.stringify(activity)),
	};
	const rows = new BatchRows([record]);
	const placed = {userPointId: 1, identifiers: new Map()};
	pushRows(rows, read(record), placed, {instance: 1, batchId: 1, parseUserAgent: () => undefined});
	return rows;
}
