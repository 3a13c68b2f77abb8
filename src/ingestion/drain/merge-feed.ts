import type {Warehouse} from '../../warehouse/warehouse.ts';
import type {Merge} from '../user-points/user-points.store.ts';
import {lastMerge} from './drain.query.ts';

/** Transactions of several datamarts may commit out of the order of their sequences, but not further apart than this. */
const LOOK_BACK = 1000;

/**
 * Tells the warehouse which user points have merged, before any fact that counts on it is written. PostgreSQL has the
 * list; what a crash kept from being told is told at the next batch.
 */
export class MergeFeed {
	readonly #mergesAfter: (sequence: number) => Promise<Merge[]>;
	readonly #warehouse: Warehouse;
	readonly #shared: boolean;
	readonly #beforeTelling: () => Promise<void>;
	#last: number | undefined;
	#told = new Set<number>();

	/**
	 * `shared`: other instances tell their own, so the newest told says nothing of ours; all are told again at start.
	 * `beforeTelling`: what must have happened before the first merge is told.
	 */
	constructor(
		mergesAfter: (sequence: number) => Promise<Merge[]>,
		warehouse: Warehouse,
		{shared}: {readonly shared: boolean},
		beforeTelling: () => Promise<void> = async () => undefined,
	) {
		this.#mergesAfter = mergesAfter;
		this.#warehouse = warehouse;
		this.#shared = shared;
		this.#beforeTelling = beforeTelling;
	}

	async follow(): Promise<void> {
		this.#last ??= this.#shared ? 0 : ((await this.#warehouse.read(lastMerge, {})).rows[0]?.sequence ?? 0);
		const recent = await this.#mergesAfter(Math.max(0, this.#last - LOOK_BACK));
		const merges = recent.filter(merge => !this.#told.has(merge.sequence));
		if (merges.length === 0) return;
		await this.#beforeTelling();
		const lines = merges.map(merge => `${merge.userPointId}\t${merge.intoUserPointId}\t${merge.sequence}\n`);
		await this.#warehouse.write({
			table: 'user_point_merges_v1',
			columns: ['user_point_id', 'into_user_point_id', 'merge_sequence'],
			rows: merges.length,
			payload: Buffer.from(lines.join('')),
		});
		await this.#warehouse.command('SYSTEM RELOAD DICTIONARY user_point_merges');
		this.#last = Math.max(this.#last, ...merges.map(merge => merge.sequence));
		this.#told = new Set(recent.map(merge => merge.sequence));
	}
}
