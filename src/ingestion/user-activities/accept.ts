import {DomainError, type Fault, invalidField} from '../../errors.ts';
import type {Channel, Datamart, TenantView} from '../../tenants/directory.ts';
import {parseWith} from '../../validation.ts';
import {inChannel} from '../channel-tokens/channel-tokens.ts';
import {rowCount, type WireActivity} from '../facts/activity.ts';
import type {Journal, NewRecord} from '../journal/journal.ts';
import {UserActivity} from './user-activities.schema.ts';

/** What the accepting side needs. */
export interface AcceptContext {
	readonly journal: Journal;
	readonly directory: TenantView;
	readonly now?: () => number;
}

/** Where an activity came in. */
export interface Door {
	readonly datamart: Datamart;
	/** The request's own User-Agent header. */
	readonly userAgent: string;
	/** The one channel its sender may speak for; absent: any. */
	readonly channel?: Channel | undefined;
}

export interface RecordResult {
	readonly index: number;
	readonly result: 'accepted' | 'rejected';
	readonly error?: {readonly error: string; readonly error_code: string; readonly errors: readonly Fault[]};
}

export interface Accepted {
	readonly records: readonly RecordResult[];
	/** The last arrival given out; nothing before it is younger. */
	readonly lastArrival: number | undefined;
}

/** Takes one activity; resolves once it is durable. Errors: those of the schema, `compartment_unknown`, the journal's. */
export async function acceptOne(
	context: AcceptContext,
	door: Door,
	value: unknown,
	bytes: Buffer,
): Promise<number> {
	const record = toRecord(context, door, value, bytes);
	const [arrival] = await context.journal.append([record]);
	return arrival!;
}

/**
 * Takes what is good of many, all in one commit, and tells of each (decisions.md, Activities).
 * Errors: the first record's fault when all are bad; the journal's.
 */
export async function acceptMany(
	context: AcceptContext,
	door: Door,
	values: readonly unknown[],
): Promise<Accepted> {
	const good: NewRecord[] = [];
	const faults: DomainError[] = [];
	const records = values.map((value, index): RecordResult => {
		try {
			good.push(toRecord(context, door, value, Buffer.from(JSON.stringify(value))));
			return {index, result: 'accepted'};
		} catch (error) {
			if (!(error instanceof DomainError)) throw error;
			const errors = error.faults.map(fault => ({...fault, pointer: `/${index}${fault.pointer}`}));
			faults.push(new DomainError(error.code, error.message, {faults: errors}));
			return {index, result: 'rejected', error: {error: error.message, error_code: error.code, errors}};
		}
	});
	if (good.length === 0 && faults.length > 0) {
		throw new DomainError(faults[0]!.code, `no record is valid; the first: ${faults[0]!.message}`, {
			faults: faults.flatMap(fault => fault.faults).slice(0, 100),
		});
	}
	const arrivals = good.length === 0 ? [] : await context.journal.append(good);
	return {records, lastArrival: arrivals.at(-1)};
}

/** Checked, and with everything the drain needs to know. */
function toRecord(
	context: AcceptContext,
	{datamart, userAgent, channel}: Door,
	value: unknown,
	text: Buffer,
): NewRecord {
	const checked = {activity: checkActivity(context.directory, datamart, value), bytes: text};
	const {activity, bytes} = channel ? inChannel(channel, checked) : checked;
	const defaultCompartment = context.directory.defaultCompartment(datamart.id);
	return {
		datamartId: datamart.id,
		defaultCompartmentId: defaultCompartment?.id ?? 0,
		receivedMs: context.now?.() ?? Date.now(),
		rows: rowCount(activity),
		userAgent,
		body: bytes,
	};
}

/** What every door asks of an activity. Errors: those of the schema, `compartment_unknown`. */
export function checkActivity(directory: TenantView, datamart: Datamart, value: unknown): WireActivity {
	// The parsed copy is thrown away: what is stored are the bytes that came.
	parseWith(UserActivity, value);
	const activity = value as WireActivity;
	checkCompartments(directory, datamart, activity);
	return activity;
}

/** Compartment ids compare as strings; one the datamart does not have is refused. */
function checkCompartments(directory: TenantView, datamart: Datamart, activity: WireActivity): void {
	const checkOne = (id: unknown, pointer: string) => {
		if (id == null || directory.compartment(datamart.id, String(id))) return;
		throw invalidField(pointer, `is no compartment of datamart ${datamart.id}`, 'compartment_unknown');
	};
	checkOne(activity.$compartment_id, '/$compartment_id');
	for (const [index, identifier] of (activity.$user_identifiers ?? []).entries()) {
		checkOne(identifier.$compartment_id, `/$user_identifiers/${index}/$compartment_id`);
	}
}
