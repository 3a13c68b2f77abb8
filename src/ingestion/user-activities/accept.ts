import {DomainError, type Fault, invalidField} from '../../errors.ts';
import type {Secrets} from '../../lib/secrets.ts';
import type {Channel, Datamart, TenantView} from '../../tenants/directory.ts';
import {parseWith} from '../../validation.ts';
import type {AcceptedKeys} from '../accepted-keys/accepted-keys.ts';
import type {ActivityChain} from '../activity-chain/activity-chain.ts';
import {inChannel} from '../channel-tokens/channel-tokens.ts';
import {rowCount, type WireActivity} from '../facts/activity.ts';
import {appendTraced} from '../journal/append-traced.ts';
import type {Journal} from '../journal/journal.ts';
import type {IngestionMeters} from '../meters.ts';
import {keysOf, type RequestKeys} from './activity-keys.ts';
import {type Candidate, type Kept, keepOnce, type Noted} from './keep-once.ts';
import {isPlainActivity} from './plain-activity.ts';
import {UserActivity} from './user-activities.schema.ts';

/** What the accepting side needs. */
export interface AcceptContext {
	readonly journal: Journal;
	readonly directory: TenantView;
	readonly secrets: Secrets;
	readonly acceptedKeys: AcceptedKeys;
	readonly meters?: Pick<IngestionMeters, 'accepted' | 'refused'>;
	/** Absent where no channel has analyzers. */
	readonly chain?: Pick<ActivityChain, 'takes'> | undefined;
	readonly now?: () => number;
}

/** Where an activity came in. */
export interface Door extends RequestKeys {
	/** What it is counted under. */
	readonly name?: 'single' | 'many' | 'pixel';
	readonly datamart: Datamart;
	/** The request's own User-Agent header. */
	readonly userAgent: string;
	/** The one channel its sender may speak for; absent: any. */
	readonly channel?: Channel | undefined;
	/** Absent: the channel's analyzers see it; false: it is stored as it comes. */
	readonly analysed?: boolean;
	/** Filled for a sender who waits until the records are queryable. */
	readonly noted?: Noted | undefined;
}

export interface RecordResult {
	readonly index: number;
	readonly result: 'accepted' | 'duplicate' | 'rejected';
	readonly error?: {readonly error: string; readonly error_code: string; readonly errors: readonly Fault[]};
}

export interface Accepted {
	readonly records: readonly RecordResult[];
	/** Everything of the request, what was there before included, came no later than this arrival. */
	readonly lastArrival: number;
}

/** One activity as it came: parsed, and as the text that is kept. */
export interface Incoming {
	readonly value: unknown;
	readonly bytes: Buffer;
}

/** Takes one activity; resolves once it, or the same one before, is durable. Errors: the schema's, the journal's. */
export async function acceptOne(context: AcceptContext, door: Door, incoming: Incoming): Promise<number> {
	try {
		const candidate = toCandidate(context, door, incoming, 0);
		if (!candidate.record.keys) {
			const [arrival] = await appendTraced(context.journal, [candidate.record]);
			door.noted?.arrivals.push(arrival!);
			context.meters?.accepted(door.name ?? 'single', 1);
			return arrival!;
		}
		const {results, lastArrival} = await keepOnce(context, [candidate], door.noted);
		countAccepted(context, door, results);
		return lastArrival;
	} catch (error) {
		countRefused(context, door, error, 1);
		throw error;
	}
}

/**
 * Takes what is good of many, all in one commit, and tells of each (decisions.md, Activities).
 * Errors: the first record's fault when all are bad; the journal's.
 */
export async function acceptMany(
	context: AcceptContext,
	door: Door,
	incoming: readonly Incoming[],
): Promise<Accepted> {
	const good: Candidate[] = [];
	const faults: DomainError[] = [];
	const rejected = new Map<number, RecordResult>();
	for (const [index, one] of incoming.entries()) {
		try {
			good.push(toCandidate(context, door, one, index));
		} catch (error) {
			if (!(error instanceof DomainError)) throw error;
			// Not the record's fault: the whole request comes again.
			const isWhole = error.code === 'analyzers_behind';
			countRefused(context, door, error, isWhole ? incoming.length : 1);
			if (isWhole) throw error;
			const errors = error.faults.map(fault => ({...fault, pointer: `/${index}${fault.pointer}`}));
			faults.push(new DomainError(error.code, error.message, {faults: errors}));
			const told = {error: error.message, error_code: error.code, errors};
			rejected.set(index, {index, result: 'rejected', error: told});
		}
	}
	if (good.length === 0 && faults.length > 0) {
		throw new DomainError(faults[0]!.code, `no record is valid; the first: ${faults[0]!.message}`, {
			faults: faults.flatMap(fault => fault.faults).slice(0, 100),
		});
	}
	const {results, lastArrival} = await keepOnce(context, good, door.noted).catch(error => {
		countRefused(context, door, error, good.length);
		throw error;
	});
	countAccepted(context, door, results);
	const kept = results.values();
	const records = incoming.map(
		(_, index): RecordResult => rejected.get(index) ?? {index, result: kept.next().value!},
	);
	return {records, lastArrival};
}

function countAccepted({meters}: AcceptContext, {name = 'single'}: Door, results: readonly Kept[]): void {
	meters?.accepted(name, results.filter(result => result === 'accepted').length);
}

function countRefused({meters}: AcceptContext, {name = 'single'}: Door, error: unknown, count: number): void {
	meters?.refused(name, error instanceof DomainError ? error.code : 'internal_error', count);
}

/** So many events analyzers may add without the activity losing its place in the order of arrival. */
const ROWS_FOR_ANALYZERS = 32;

/** Checked, and with everything the drain needs to know. Error beside the schema's: `analyzers_behind`. */
function toCandidate(
	context: AcceptContext,
	door: Door,
	{value, bytes: text}: Incoming,
	index: number,
): Candidate {
	const {datamart, userAgent, channel} = door;
	const checked = {activity: checkActivity(context.directory, datamart, value), bytes: text};
	const {activity, bytes} = channel ? inChannel(channel, checked) : checked;
	const defaultCompartment = context.directory.defaultCompartment(datamart.id);
	const uniqueKey = activity.$unique_key as string | null | undefined;
	const keys = keysOf(context.secrets, datamart.id, uniqueKey, door, index);
	const record = {
		datamartId: datamart.id,
		defaultCompartmentId: defaultCompartment?.id ?? 0,
		receivedMs: context.now?.() ?? Date.now(),
		rows: rowCount(activity),
		userAgent,
		body: bytes,
	};
	const channelId = door.analysed === false ? undefined : context.chain?.takes(datamart.id, activity);
	const keyed = keys.all.length === 0 ? record : {...record, keys: keys.all};
	if (channelId === undefined) return {record: keyed, keys};
	return {record: {...keyed, rows: record.rows + ROWS_FOR_ANALYZERS, waits: {channelId}}, keys};
}

/** Deeper ones could not be written again. */
const MAX_DEPTH = 100;

/** Lists by index and no call for what holds nothing: on the way of every activity that is a quarter of a plain recursion. */
function isDeeperThan(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	if (Array.isArray(value)) {
		for (let at = 0; at < value.length; at++) {
			if (typeof value[at] === 'object' && isDeeperThan(value[at], levels - 1)) return true;
		}
		return false;
	}
	for (const key in value) {
		const held = (value as Record<string, unknown>)[key];
		if (typeof held === 'object' && isDeeperThan(held, levels - 1)) return true;
	}
	return false;
}

/** What every door asks of an activity. Errors: those of the schema, `compartment_unknown`. */
export function checkActivity(directory: TenantView, datamart: Datamart, value: unknown): WireActivity {
	const activity = checkShape(value);
	checkCompartments(directory, datamart, activity);
	return activity;
}

/** What an activity is, whoever brings it. Errors: those of the schema. */
export function checkShape(value: unknown): WireActivity {
	// The parsed copy is thrown away: what is stored are the bytes that came.
	if (!isPlainActivity(value)) parseWith(UserActivity, value);
	if (isDeeperThan(value, MAX_DEPTH)) throw invalidField('', `is nested more than ${MAX_DEPTH} levels deep`);
	return value as WireActivity;
}

/** Compartment ids compare as strings; one the datamart does not have is refused. */
function checkCompartments(directory: TenantView, datamart: Datamart, activity: WireActivity): void {
	checkCompartment(directory, datamart, activity.$compartment_id, '');
	for (const [index, identifier] of (activity.$user_identifiers ?? []).entries()) {
		checkCompartment(directory, datamart, identifier.$compartment_id, `/$user_identifiers/${index}`);
	}
}

function checkCompartment(directory: TenantView, datamart: Datamart, id: unknown, holder: string): void {
	if (id == null || directory.compartment(datamart.id, String(id))) return;
	const message = `is no compartment of datamart ${datamart.id}`;
	throw invalidField(`${holder}/$compartment_id`, message, 'compartment_unknown');
}
