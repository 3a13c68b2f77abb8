import {setTimeout as delay} from 'node:timers/promises';
import {DomainError} from '../../errors.ts';
import type {DeadLettersStore} from '../dead-letters/dead-letters.store.ts';
import type {OpenedLetter} from '../dead-letters/dead-letters.ts';
import type {Replays} from '../dead-letters/replays.ts';
import type {Journal} from '../journal/journal.ts';
import type {JournalRecord} from '../journal/record.ts';
import type {UserPointsStore} from '../user-points/user-points.store.ts';
import type {IdentifierDeletionStore, RemovedKeys} from './identifier-deletion.store.ts';
import {identifiersIn, withoutIdentifiers} from './strip-identifiers.ts';

export interface IdentifierDeletionContext {
	readonly store: IdentifierDeletionStore;
	readonly userPoints: Pick<UserPointsStore, 'keyOf'>;
	readonly deadLetters: DeadLettersStore;
	/** Into this journal. */
	readonly replays: Replays;
	readonly journal: Journal;
	/** As Ingestion's. */
	readonly whenQueryable: (arrival: number) => Promise<void>;
}

const LETTERS = 200;
/** So long the journal may take to let go of what it held, before the job comes back to it. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 25;

/**
 * Identifiers are deleted in three moves, each of which may be done again: what was accepted so far is stored; the
 * identifiers are detached, from which moment they mean somebody new; what still holds their texts is cleared
 * (docs/adr/0027).
 */
export class IdentifierDeletion {
	readonly #context: IdentifierDeletionContext;

	constructor(context: IdentifierDeletionContext) {
		this.#context = context;
	}

	/** Everything accepted here until now is with its user point. Error: `not_yet_queryable`. */
	async whenStored(): Promise<void> {
		const {journal, whenQueryable} = this.#context;
		if (journal.lastArrival > 0) await whenQueryable(journal.lastArrival);
	}

	/** Detaches those identifiers, told by their keys, 16 bytes and once each; `within` shares the transaction. */
	remove(
		datamartId: number,
		keys: Buffer,
		within: (transaction: unknown, outcome: RemovedKeys) => Promise<void>,
	): Promise<RemovedKeys> {
		return this.#context.store.remove(datamartId, keys, within);
	}

	/** When those of the keys that were deleted were, epoch ms, by key. */
	deletedMs(datamartId: number, keys: readonly string[]): Promise<Map<string, number>> {
		return this.#context.store.deletedMs(datamartId, keys);
	}

	/**
	 * Afterwards no text that was accepted here before stands in the journal, in dead letters or in free room of tables.
	 * Errors: `not_yet_queryable` where a store or an analyzer keeps the journal from going on; the signal's.
	 */
	async clearTraces(datamartId: number, signal: AbortSignal): Promise<void> {
		const {replays, store} = this.#context;
		// Twice: what waited for its analyzers in the first segment left an outcome, with the same texts, in the second.
		await this.#emptyJournal(signal);
		const replayed = replays.ended;
		await this.#emptyJournal(signal);
		await this.#stripLetters(datamartId, signal);
		// A replay that read its letter before that may have written it into the journal behind.
		await replays.settled();
		if (replays.ended !== replayed) await this.#emptyJournal(signal);
		await store.vacuum();
	}

	async #emptyJournal(signal: AbortSignal): Promise<void> {
		const {journal} = this.#context;
		const last = await journal.roll();
		await this.whenStored();
		for (const until = Date.now() + PATIENCE_MS; journal.oldest.segment <= last; await delay(LOOK_MS)) {
			signal.throwIfAborted();
			if (Date.now() > until) {
				throw new DomainError('not_yet_queryable', 'the journal still holds what was accepted before');
			}
		}
	}

	async #stripLetters(datamartId: number, signal: AbortSignal): Promise<void> {
		const {deadLetters} = this.#context;
		let page: OpenedLetter[];
		let after = 0;
		do {
			signal.throwIfAborted();
			page = await deadLetters.openAfter(datamartId, after, LETTERS);
			for (const {id, record} of page) {
				after = id;
				const stripped = await strippedRecord(this.#context, record);
				if (stripped !== record) await deadLetters.replace({id, record: stripped});
			}
		} while (page.length === LETTERS);
	}
}

/** A record without the identifiers that were deleted after it was received; itself where it has none. */
export async function strippedRecord(
	{userPoints, store}: Pick<IdentifierDeletionContext, 'userPoints' | 'store'>,
	record: JournalRecord,
): Promise<JournalRecord> {
	const identifiers = identifiersIn(record) ?? [];
	if (identifiers.length === 0) return record;
	const keys = [...new Set(identifiers.map(identifier => userPoints.keyOf(identifier)))];
	const deleted = await store.deletedMs(record.datamartId, keys);
	if (deleted.size === 0) return record;
	const isGone = (key: string) => record.receivedMs <= (deleted.get(key) ?? -1);
	return withoutIdentifiers(record, identifier => isGone(userPoints.keyOf(identifier))) ?? record;
}
