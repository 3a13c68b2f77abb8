import {LRUCache} from 'lru-cache';
import {traced} from '../../lib/tracer.ts';
import {canonical, type Identifier} from './identifiers.ts';
import type {Placed, StoredIdentifier, UserPointsStore} from './user-points.store.ts';

/** Some hundred bytes each; the identifiers of active users answer without a round trip. */
const REMEMBERED = 500_000;
/** Beyond this many deleted ones it is cheaper to forget all. */
const DELETED = 200_000;

export interface UnplacedActivity {
	readonly datamartId: number;
	readonly receivedMs: number;
	readonly identifiers: readonly Identifier[];
}

/**
 * Places activities on user points. What is remembered may be a user point that has been merged since: the warehouse
 * resolves merges when it reads, so a fact under the older id still counts for the survivor.
 */
export class UserPoints {
	readonly #store: UserPointsStore;
	readonly #remembered = new LRUCache<string, StoredIdentifier>({max: REMEMBERED});
	/** Ids that may still be remembered and are gone. */
	readonly #deleted = new Set<number>();
	#revision: number | undefined;

	constructor(store: UserPointsStore) {
		this.#store = store;
	}

	/** In the given order; activities without identifiers have user point 0. */
	async place(activities: readonly UnplacedActivity[]): Promise<Placed[]> {
		const placed = activities.map(activity => this.recall(activity));
		const open = new Map<number, number[]>();
		for (const [index, {datamartId}] of activities.entries()) {
			if (placed[index]) continue;
			const indexes = open.get(datamartId);
			if (indexes) indexes.push(index);
			else open.set(datamartId, [index]);
		}
		for (const [datamartId, indexes] of open) {
			const results = await traced(
				'user_points.place',
				{datamart_id: datamartId, activities: indexes.length},
				() =>
					this.#store.place(
						datamartId,
						indexes.map(index => activities[index]!),
					),
			);
			for (const [at, result] of results.entries()) {
				placed[indexes[at]!] = result;
				for (const [text, stored] of result.identifiers) {
					if (result.userPointId !== 0) this.#remembered.set(`${datamartId}|${text}`, stored);
				}
			}
		}
		return placed as Placed[];
	}

	/**
	 * To be awaited before each batch, after its activities were accepted: one that came behind a deletion meets nothing
	 * from before it.
	 */
	async forgetDeleted(): Promise<void> {
		const {revision, identifierIds} = await this.#store.deletedAfter(this.#revision);
		this.#revision = revision;
		for (const id of identifierIds) this.#deleted.add(id);
		if (this.#deleted.size <= DELETED) return;
		this.#remembered.clear();
		this.#deleted.clear();
	}

	/** Placed from memory: nothing to identify, or all its identifiers are known under one user point; else undefined. */
	recall({datamartId, receivedMs, identifiers}: UnplacedActivity): Placed | undefined {
		const found = new Map<string, StoredIdentifier>();
		let userPointId = 0;
		for (const identifier of identifiers) {
			const text = canonical(identifier);
			const stored = this.#remembered.get(`${datamartId}|${text}`);
			// An address that was not seen yet has to be stored.
			if (identifier.email !== undefined && stored?.email !== identifier.email) return undefined;
			if (!stored || this.#deleted.has(stored.identifierId)) return undefined;
			if (userPointId !== 0 && stored.userPointId !== userPointId) return undefined;
			// Received before the one that is remembered was there: it may mean a former one.
			if (receivedMs < (stored.createdMs ?? 0)) return undefined;
			userPointId = stored.userPointId;
			found.set(text, stored);
		}
		return {userPointId, identifiers: found};
	}
}
