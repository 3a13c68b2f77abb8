import {mkdir} from 'node:fs/promises';
import type {Logger} from 'pino';
import type {Secrets} from '../lib/secrets.ts';
import type {Database} from '../postgres/database.ts';
import type {Warehouse} from '../warehouse/warehouse.ts';
import {buildDrain, type DrainPlace} from './drain/build-drain.ts';
import {CheckpointFile} from './drain/checkpoint.ts';
import type {DrainReport} from './drain/drain.ts';
import {type DrainLink, type DrainStoresAt, startDrainThread} from './drain/drain-thread.ts';
import {Drained} from './drain/drained.ts';
import {instanceNumber} from './instances.store.ts';
import {Journal} from './journal/journal.ts';
import {UserPointsStore} from './user-points/user-points.store.ts';

export interface IngestionOptions {
	readonly journalDirectory: string;
	readonly maxJournalBytes?: number;
	readonly database: Database;
	readonly warehouse: Warehouse;
	readonly secrets: Secrets;
	readonly log: Logger;
	/** With it the drain has a thread of its own; without, it runs here, over the stores above. */
	readonly storesAt?: DrainStoresAt;
	readonly onBatch?: (batch: {activities: number; bytes: number; ms: number}) => void;
	readonly onFailure?: () => void;
}

/** The way of an activity, built: accept -> journal -> user points -> rows -> confirmed. */
export interface Ingestion {
	readonly journal: Journal;
	readonly userPoints: UserPointsStore;
	/** Accepted bytes that are not yet in the stores. */
	readonly backlogBytes: number;
	/** Resolves once the activity with this arrival is in every store; no pause is made for it. */
	whenQueryable(arrival: number): Promise<void>;
	/** Accepts nothing more, and drains for at most `graceMs` what was accepted. */
	close(graceMs: number): Promise<void>;
}

export async function startIngestion(options: IngestionOptions): Promise<Ingestion> {
	const {journalDirectory, database, log} = options;
	await mkdir(journalDirectory, {recursive: true, mode: 0o700});
	const checkpoint = await new CheckpointFile(journalDirectory).read();
	const journal = await Journal.open({
		directory: journalDirectory,
		nextArrival: checkpoint.nextArrival,
		...(options.maxJournalBytes === undefined ? {} : {maxBytes: options.maxJournalBytes}),
	});
	const drained = new Drained(checkpoint);
	const report: DrainReport = {
		confirmed(confirmed, batch) {
			drained.confirm(confirmed);
			options.onBatch?.(batch);
			journal.release(confirmed.confirmed).catch(error => log.warn({error}, 'a drained segment stays'));
		},
		failed(error, backoffMs) {
			options.onFailure?.();
			log.warn({error, backoffMs}, 'a batch could not be written yet');
		},
	};
	const instance = await instanceNumber(database, journalDirectory);
	const link = startDrain(options, {journalDirectory, checkpoint, instance}, report);
	journal.onDurable(() => link.advance(journal.durable));
	link.advance(journal.durable);
	return {
		journal,
		userPoints: new UserPointsStore(database, options.secrets),
		get backlogBytes() {
			return journal.bytesAfter(drained.checkpoint.confirmed);
		},
		whenQueryable(arrival) {
			const queryable = drained.whenQueryable(arrival);
			if (drained.hasWaiters) link.hurry();
			return queryable;
		},
		async close(graceMs) {
			await journal.close();
			await link.stop(graceMs);
			drained.end();
		},
	};
}

function startDrain(options: IngestionOptions, place: DrainPlace, report: DrainReport): DrainLink {
	if (options.storesAt) return startDrainThread({stores: options.storesAt, place}, report);
	const drain = buildDrain(options, place, report);
	drain.start();
	return drain;
}
