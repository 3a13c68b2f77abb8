import type {NewRecord} from '../journal/journal.ts';
import type {JournalRecord} from '../journal/record.ts';
import type {Analysed} from './analyse.ts';
import type {Waiting} from './waiting-area.ts';

/** Of an activity that analyzers could not be asked about: a dead letter. */
export const UNANALYSED: Analysed = {rows: 0, steps: [], unanalysed: true};

/** What the journal gets to know: the activity in the first one's place, as long as its rows fit there. */
export function outcomeRecord(record: JournalRecord, {activity, rows, unanalysed}: Analysed): NewRecord {
	const {datamartId, defaultCompartmentId, receivedMs, userAgent, keys, arrival} = record;
	const kept = {datamartId, defaultCompartmentId, receivedMs, userAgent, ...(keys && {keys})};
	if (unanalysed) {
		return {...kept, rows: record.rows, body: record.body, outcome: {of: arrival, kind: 'unanalysed'}};
	}
	const kind = activity === undefined ? 'dropped' : rows <= record.rows ? 'kept' : 'moved';
	return {
		...kept,
		rows: Math.max(1, rows),
		body: Buffer.from(activity ?? ''),
		outcome: {of: arrival, kind},
	};
}

/** Stands for a record that the disk has lost, so that its loss is told of by its place in the order of arrival. */
export function lostRecord({arrival, sinceMs}: Waiting, datamartId: number): JournalRecord {
	const unknown = {defaultCompartmentId: 0, userAgent: '', body: Buffer.alloc(0)};
	return {...unknown, datamartId, receivedMs: sinceMs, arrival, rows: 1};
}
