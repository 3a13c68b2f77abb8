import {DomainError, type Fault, notFound} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Datamart, TenantView} from '../../tenants/directory.ts';
import {rowCount} from '../facts/activity.ts';
import type {Journal, NewRecord} from '../journal/journal.ts';
import {type JournalRecord, placeOf} from '../journal/record.ts';
import type {IngestionMeters} from '../meters.ts';
import {checkActivity} from '../user-activities/accept.ts';
import type {DeadLettersStore} from './dead-letters.store.ts';
import type {Replays} from './replays.ts';

/**
 * Why an accepted activity went to the dead letters:
 * `unreadable` it is no activity, `facts_failed` no rows could be made of it, `rows_refused` the warehouse took all of
 * its batch but it, `not_analysed` the analyzers of its channel could not be asked, `identifier_cap` its user point is
 * full, so that it is stored without one.
 */
export const REASONS = [
	'unreadable',
	'facts_failed',
	'rows_refused',
	'not_analysed',
	'identifier_cap',
] as const;
export type Reason = (typeof REASONS)[number];

/** Of these reasons the activity is in no report until it is replayed. */
export function isReplayable(reason: Reason): boolean {
	return reason !== 'identifier_cap';
}

/** A letter as lists tell it: nothing in it comes out of the activity. */
export interface DeadLetter {
	readonly id: number;
	readonly datamartId: number;
	readonly reason: Reason;
	readonly message: string;
	/** Receipt of the activity, epoch ms. */
	readonly receivedMs: number;
	readonly createdMs: number;
}

export interface OpenedLetter extends DeadLetter {
	/** The instance that refused it, whose arrival the record carries. */
	readonly instance: number;
	readonly record: JournalRecord;
}

export interface DeadLettersContext {
	readonly letters: DeadLettersStore;
	readonly directory: TenantView;
	readonly journal: Pick<Journal, 'append'>;
	/** Of this journal: deletions wait for them. */
	readonly replays: Replays;
	readonly meters?: Pick<IngestionMeters, 'accepted'>;
}

type Named = {readonly datamart: Datamart; readonly id: number};

/** The open letters of a datamart, oldest first. */
export function listDeadLetters(
	{letters}: Pick<DeadLettersContext, 'letters'>,
	datamart: Datamart,
	reason: Reason | undefined,
	paging: Paging,
): Promise<Page<DeadLetter>> {
	return letters.list({datamartId: datamart.id, reason}, paging);
}

export interface ReadLetter extends OpenedLetter {
	/** The activity as it was accepted. */
	readonly text: string;
	/** What a door says of it today; empty where it would be taken. */
	readonly faults: readonly Fault[];
}

/** One open letter with its activity. Errors: `dead_letter_not_found`. */
export async function readDeadLetter(
	context: DeadLettersContext,
	{datamart, id}: Named,
): Promise<ReadLetter> {
	const letter = await context.letters.open(datamart.id, id);
	if (!letter) throw notFound('dead_letter_not_found');
	const text = letter.record.body.toString('utf8');
	return {...letter, text, faults: faultsOf(context.directory, datamart, text)};
}

/**
 * Sends a letter's activity, or a corrected one, on its way again; answers its arrival once it is durable. It keeps its
 * receipt time and, unless it needs more rows than before, its place in the order of arrival.
 * Exactly once: the drain stores one record for each letter, however often a replay is asked for or repeated after a
 * crash. Errors: `dead_letter_not_found`, `dead_letter_replayed`, `dead_letter_not_replayable`, those of an activity,
 * the journal's.
 */
export function replayDeadLetter(
	context: DeadLettersContext,
	named: Named,
	corrected?: Buffer,
): Promise<number> {
	return context.replays.run(() => replay(context, named, corrected));
}

async function replay(
	context: DeadLettersContext,
	{datamart, id}: Named,
	corrected: Buffer | undefined,
): Promise<number> {
	const letter = await context.letters.open(datamart.id, id);
	if (!letter) {
		if ((await context.letters.closedBy(datamart.id, id)) !== 'replay')
			throw notFound('dead_letter_not_found');
		throw new DomainError('dead_letter_replayed', 'this dead letter has been replayed');
	}
	if (!isReplayable(letter.reason)) {
		throw new DomainError(
			'dead_letter_not_replayable',
			'its activity is stored, without a user point: replaying would count it twice; the letter can be removed',
		);
	}
	const body = corrected ?? letter.record.body;
	const activity = checkActivity(context.directory, datamart, parse(body.toString('utf8')));
	const [arrival] = await context.journal.append([replayOf(letter, body, rowCount(activity))]);
	context.meters?.accepted('replay', 1);
	// From here on the letter is settled: were this missed, the drain would close it when it meets the record.
	await context.letters.close(datamart.id, id, 'replay');
	return arrival!;
}

/** Forgets a letter and its activity. Errors: `dead_letter_not_found`. */
export async function removeDeadLetter(
	{letters}: Pick<DeadLettersContext, 'letters'>,
	{datamart, id}: Named,
): Promise<void> {
	if (!(await letters.close(datamart.id, id, 'removal'))) throw notFound('dead_letter_not_found');
}

/** The first acceptance's stamp holds as many rows as that one reserved: more would stand in its neighbours' places. */
function replayOf({id, instance, record}: OpenedLetter, body: Buffer, rows: number): NewRecord {
	const stamp = rows <= record.rows ? placeOf(record, instance) : undefined;
	const {datamartId, defaultCompartmentId, receivedMs, userAgent} = record;
	return {
		datamartId,
		defaultCompartmentId,
		receivedMs,
		userAgent,
		rows,
		body,
		replay: stamp ? {letterId: id, stamp} : {letterId: id},
	};
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new DomainError(
			'json_malformed',
			`the activity is not valid JSON: ${(error as Error).message.slice(0, 200)}`,
		);
	}
}

function faultsOf(directory: TenantView, datamart: Datamart, text: string): readonly Fault[] {
	try {
		checkActivity(directory, datamart, parse(text));
		return [];
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		return error.faults.length > 0 ? error.faults : [{pointer: '', message: error.message}];
	}
}
