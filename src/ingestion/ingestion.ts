import {mkdir} from 'node:fs/promises';
import type {Logger} from 'pino';
import type {Secrets} from '../lib/secrets.ts';
import type {Database} from '../postgres/database.ts';
import type {Warehouse} from '../warehouse/warehouse.ts';
import {DeadLettersStore} from './dead-letters/dead-letters.store.ts';
import {BatchWriter} from './drain/batch-writer.ts';
import {CheckpointFile} from './drain/checkpoint.ts';
import {Drain} from './drain/drain.ts';
import {MergeFeed} from './drain/merge-feed.ts';
import {createUserAgentParser} from './facts/user-agent.ts';
import {instanceNumber} from './instances.store.ts';
import {Journal} from './journal/journal.ts';
import {UserPointsStore} from './user-points/user-points.store.ts';
import {UserPoints} from './user-points/user-points.ts';

export interface IngestionOptions {
	readonly journalDirectory: string;
	readonly maxJournalBytes?: number;
	readonly database: Database;
	readonly warehouse: Warehouse;
	readonly secrets: Secrets;
	readonly log: Logger;
}

/** The way of an activity, built: accept -> journal -> user points -> rows -> confirmed. */
export interface Ingestion {
	readonly journal: Journal;
	readonly drain: Drain;
	readonly userPoints: UserPointsStore;
	close(graceMs: number): Promise<void>;
}

export async function startIngestion(options: IngestionOptions): Promise<Ingestion> {
	const {database, warehouse, secrets, log} = options;
	await mkdir(options.journalDirectory, {recursive: true, mode: 0o700});
	const checkpointFile = new CheckpointFile(options.journalDirectory);
	const checkpoint = await checkpointFile.read();
	const journal = await Journal.open({
		directory: options.journalDirectory,
		nextArrival: checkpoint.nextArrival,
		...(options.maxJournalBytes === undefined ? {} : {maxBytes: options.maxJournalBytes}),
	});
	const store = new UserPointsStore(database, secrets);
	const deadLetters = new DeadLettersStore(database, secrets);
	const writer = new BatchWriter({
		warehouse,
		mergeFeed: new MergeFeed(sequence => store.mergesAfter(sequence), warehouse),
		keepDeadLetters: (refused, instance) => deadLetters.keep(refused, instance),
	});
	const drain = new Drain({
		journal,
		checkpointFile,
		checkpoint,
		writer,
		context: {
			instance: await instanceNumber(database, options.journalDirectory),
			userPoints: new UserPoints(store),
			parseUserAgent: createUserAgentParser(),
		},
		log,
	});
	drain.start();
	return {
		journal,
		drain,
		userPoints: store,
		async close(graceMs) {
			await journal.close();
			await drain.stop(graceMs);
		},
	};
}
