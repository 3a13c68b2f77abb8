import {mkdir} from 'node:fs/promises';
import type {Logger} from 'pino';
import type {CountedBatch, CountsFeed} from '../analytics/autocomplete/counted.ts';
import type {Secrets} from '../lib/secrets.ts';
import type {Database} from '../postgres/database.ts';
import type {Warehouse} from '../warehouse/warehouse.ts';
import {AcceptedKeys} from './accepted-keys/accepted-keys.ts';
import {ActivityChain, type Analyzers} from './activity-chain/activity-chain.ts';
import {Traces} from './activity-chain/traces.ts';
import {WaitingArea} from './activity-chain/waiting-area.ts';
import {Backlog} from './backlog.ts';
import {DeadLettersStore} from './dead-letters/dead-letters.store.ts';
import {Replays} from './dead-letters/replays.ts';
import {buildDrain, type DrainPlace} from './drain/build-drain.ts';
import {CheckpointFile} from './drain/checkpoint.ts';
import type {DrainReport} from './drain/drain.ts';
import {type DrainLink, type DrainStoresAt, startDrainThread} from './drain/drain-thread.ts';
import {Drained} from './drain/drained.ts';
import {identifierDeletionStore} from './identifier-deletion/identifier-deletion.store.ts';
import {IdentifierDeletion} from './identifier-deletion/identifier-deletion.ts';
import {instanceNumber} from './instances.store.ts';
import {Journal} from './journal/journal.ts';
import {readAll} from './journal/reader.ts';
import type {JournalRecord} from './journal/record.ts';
import {isBefore, type JournalPosition, type PlacedRecord} from './journal/segments.ts';
import {type IngestionMeters, NO_METERS} from './meters.ts';
import {versionOfStretch} from './touched-hours/touched-hours.store.ts';
import type {Stretch} from './touched-hours/touched-hours.ts';
import type {Noted} from './user-activities/keep-once.ts';
import {UserPointsStore} from './user-points/user-points.store.ts';

export interface IngestionOptions {
	readonly journalDirectory: string;
	readonly maxJournalBytes?: number;
	readonly database: Database;
	readonly warehouse: Warehouse;
	readonly secrets: Secrets;
	readonly log: Logger;
	/** Whether other instances may use the same stores. */
	readonly shared?: boolean;
	/** With it the drain has a thread of its own; without, it runs here, over the stores above. */
	readonly storesAt?: DrainStoresAt;
	/** What is counted along the way; nothing where nobody looks. */
	readonly meters?: IngestionMeters;
	/** Analyzers of channels, and what runs them; absent: no channel has any. */
	readonly analyzers?: Analyzers;
}

const NO_ANALYZERS: Analyzers = {
	links: {linksOf: () => []},
	directory: {channel: () => undefined},
	run: () => Promise.reject(new Error('no analyzer can be run here')),
};

const HOUR_MS = 3_600_000;

/** The way of an activity, built: accept -> journal -> (analyzers) -> user points -> rows -> confirmed. */
export interface Ingestion {
	readonly journal: Journal;
	/** What of it has to go through analyzers first, and how. */
	readonly chain: ActivityChain;
	readonly waiting: WaitingArea;
	readonly traces: Traces;
	readonly acceptedKeys: AcceptedKeys;
	readonly secrets: Secrets;
	readonly userPoints: UserPointsStore;
	readonly deadLetters: DeadLettersStore;
	/** Of letters, into this journal. */
	readonly replays: Replays;
	readonly meters: IngestionMeters;
	/** Accepted bytes that are not yet in the stores. */
	readonly backlogBytes: number;
	/** How many activities those are, and since when the oldest waits. */
	readonly backlog: Backlog;
	/** The number that the rows of what was accepted here carry. */
	readonly instance: number;
	/** Arrivals below this, and so all batches that begin below it, are in every store. */
	readonly storedBefore: number;
	/**
	 * Resolves once the activity with this arrival is in every store, and what of `noted` waits for analyzers as well; no
	 * pause is made for it. Error: `not_yet_queryable`.
	 */
	whenQueryable(arrival: number, noted?: Noted): Promise<void>;
	readonly identifierDeletion: IdentifierDeletion;
	/** What is added to the table of values; absent where other instances add to it as well. */
	readonly counts: CountsFeed | undefined;
	/** Names the state of a stretch of facts, as all instances have written it; undefined while one is writing it. */
	versionOf(stretch: Stretch): Promise<string | undefined>;
	/** Accepts nothing more, and drains for at most `graceMs` what was accepted. */
	close(graceMs: number): Promise<void>;
}

export async function startIngestion(options: IngestionOptions): Promise<Ingestion> {
	const {journalDirectory, database, log, meters = NO_METERS} = options;
	await mkdir(journalDirectory, {recursive: true, mode: 0o700});
	const checkpoint = await new CheckpointFile(journalDirectory).read();
	const backlog = new Backlog();
	const waiting = new WaitingArea();
	let chain: ActivityChain | undefined;
	const journal = await Journal.open({
		directory: journalDirectory,
		onCommit: group => {
			backlog.committed(group.records, group.nextArrival, Date.now());
			meters.committed(group);
		},
		onWaiting: placed => chain?.enter(placed),
		nextArrival: checkpoint.nextArrival,
		confirmed: checkpoint.confirmed,
		onCut: cut => log.warn(cut, 'the journal ended in a half-written record, which nobody was answered for'),
		...(options.maxJournalBytes === undefined ? {} : {maxBytes: options.maxJournalBytes}),
	});
	const acceptedKeys = await AcceptedKeys.open(journalDirectory);
	// A crash may have come between the journal and the index: what the journal still has is put in again.
	const left = readAll(journalDirectory, journal.oldest, journal.durable);
	await acceptedKeys.rememberAll(noteLeft(left, {backlog, waiting}, checkpoint.nextArrival));
	const drained = new Drained(checkpoint);
	const listeners: ((batch: CountedBatch) => void)[] = [];
	const report: DrainReport = {
		confirmed(confirmed, batch) {
			drained.confirm(confirmed);
			backlog.confirmed(confirmed.nextArrival);
			meters.drained(batch);
			// The index of keys is on disk before the journal, which has them as well, lets go of a segment.
			const released = acceptedKeys
				.flushed()
				.then(() => journal.release(earlier(confirmed.confirmed, waiting.oldest)));
			released.catch(error => log.warn({error}, 'a drained segment stays'));
		},
		failed(error, backoffMs) {
			const code = (error as {code?: string}).code ?? 'internal_error';
			meters.drainFailed(code);
			log.warn({error, backoffMs}, 'a batch could not be written yet');
		},
		kept(reasons) {
			for (const reason of reasons) meters.deadLetter(reason);
			if (reasons.length > 0) log.warn({reasons: countOf(reasons)}, 'activities went to the dead letters');
		},
		counted(batch) {
			for (const listener of listeners) listener(batch);
		},
	};
	const instance = await instanceNumber(database, journalDirectory);
	const {shared = false} = options;
	const link = startDrain(options, {journalDirectory, checkpoint, instance, shared}, report);
	const counts: CountsFeed = {
		instance,
		watch: watched => link.watch(watched),
		onCounted: listener => listeners.push(listener),
	};
	journal.onDurable(() => link.advance(journal.durable));
	link.advance(journal.durable);
	const traces = new Traces({
		warehouse: options.warehouse,
		instance,
		log,
		left: count => meters.untraced(count),
	});
	chain = new ActivityChain({
		...(options.analyzers ?? NO_ANALYZERS),
		journal,
		waiting,
		meters,
		traces,
		log,
	});
	const analyzers = chain;
	analyzers.start();
	const whenQueryable: Ingestion['whenQueryable'] = async (arrival, noted) => {
		const outcome = noted && waiting.size > 0 ? await analyzers.whenSettled(noted) : 0;
		const queryable = drained.whenQueryable(Math.max(arrival, outcome));
		if (drained.hasWaiters) link.hurry();
		await queryable;
	};
	const deletions = identifierDeletionStore(database);
	// What was accepted is not kept in a quiet journal for longer than this, wherever its identifiers are deleted.
	const hourly = setInterval(() => {
		Promise.all([journal.roll(), deletions.prune(Date.now())]).catch(error =>
			log.warn({error}, 'the journal is not yet emptied'),
		);
	}, HOUR_MS).unref();
	const userPoints = new UserPointsStore(database, options.secrets);
	const deadLetters = new DeadLettersStore(database, options.secrets);
	const replays = new Replays();
	return {
		journal,
		chain: analyzers,
		waiting,
		traces,
		acceptedKeys,
		secrets: options.secrets,
		userPoints,
		deadLetters,
		replays,
		identifierDeletion: new IdentifierDeletion({
			store: deletions,
			userPoints,
			deadLetters,
			replays,
			journal,
			whenQueryable,
		}),
		meters,
		backlog,
		counts: shared ? undefined : counts,
		instance,
		get storedBefore() {
			return drained.checkpoint.nextArrival;
		},
		get backlogBytes() {
			return journal.bytesAfter(drained.checkpoint.confirmed);
		},
		whenQueryable,
		versionOf: stretch => versionOfStretch(database, stretch),
		async close(graceMs) {
			// What is still with a plugin worker then is sent to it again after the next start.
			const until = Date.now() + graceMs;
			clearInterval(hourly);
			await analyzers.close(graceMs / 2);
			await traces.flush();
			await journal.close();
			await link.stop(Math.max(0, until - Date.now()));
			await acceptedKeys.close();
			drained.end();
		},
	};
}

/** The journal lets go of nothing that waits for analyzers, whatever was drained behind it. */
function earlier(position: JournalPosition, waiting: JournalPosition | undefined): JournalPosition {
	return waiting && isBefore(waiting, position) ? waiting : position;
}

/**
 * What an earlier process accepted and did not drain waits since its receipt; what it did not bring through its
 * analyzers, and has no outcome further on, waits for them again.
 */
async function* noteLeft(
	records: AsyncIterable<PlacedRecord>,
	{backlog, waiting}: {readonly backlog: Backlog; readonly waiting: WaitingArea},
	nextArrival: number,
): AsyncGenerator<JournalRecord> {
	for await (const placed of records) {
		const {record} = placed;
		const {arrival, rows, receivedMs} = record;
		if (arrival >= nextArrival) backlog.committed(1, arrival + rows, receivedMs);
		// Its bytes are a part of what was read at once, which memory would keep whole.
		if (record.waits) waiting.add(placed, Date.now(), {hold: false});
		if (record.outcome) waiting.settle(record.outcome.of, Date.now());
		yield record;
	}
}

function countOf(reasons: readonly string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
	return counts;
}

function startDrain(options: IngestionOptions, place: DrainPlace, report: DrainReport): DrainLink {
	if (options.storesAt) return startDrainThread({stores: options.storesAt, place}, report);
	const drain = buildDrain(options, place, report);
	drain.start();
	return drain;
}
