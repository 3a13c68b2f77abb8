import {LRUCache} from 'lru-cache';
import {DomainError} from '../../errors.ts';
import type {Stretches} from '../../query/plan.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {stretchesOf} from './stretches.query.ts';

/** Of fewer facts it takes longer to plan the stretches than they save. */
const WORTH_FACTS = 1_000_000;
/** By how many stretches there are, where their borders lie among `user_points`. */
const BORDERS: Readonly<Record<number, readonly number[]>> = {2: [2], 3: [1, 3], 4: [0, 2, 4]};
const MOST_STRETCHES = 4;
/** Borders stand in the statement, by which answers are kept: they stay for a while, however the facts grow. */
const KEPT_MS = 3_600_000;
/** Until a small datamart is looked at again. */
const SMALL_MS = 60_000;
const DATAMARTS = 10_000;
/** Not worth waiting for: the answer is the same without. */
const DEADLINE_MS = 2_000;

/** The stretches in which large datamarts are read (`Stretches`), remembered. */
export class FactStretches {
	readonly #warehouse: Warehouse;
	readonly #worthFacts: number;
	readonly #known = new LRUCache<number, {readonly stretches: Stretches | undefined}>({max: DATAMARTS});

	constructor(warehouse: Warehouse, worthFacts = WORTH_FACTS) {
		this.#warehouse = warehouse;
		this.#worthFacts = worthFacts;
	}

	/** Undefined where there is little to read, the engine has one thread, or does not tell (a cluster): one scan then. */
	async of(datamartId: number): Promise<Stretches | undefined> {
		const known = this.#known.get(datamartId);
		if (known) return known.stretches;
		const stretches = await this.#asked(datamartId);
		this.#known.set(datamartId, {stretches}, {ttl: stretches ? KEPT_MS : SMALL_MS});
		return stretches;
	}

	async #asked(datamartId: number): Promise<Stretches | undefined> {
		try {
			const {rows} = await this.#warehouse.read(
				stretchesOf,
				{datamart_id: datamartId},
				{deadlineMs: DEADLINE_MS},
			);
			const {threads, facts, user_points: userPoints} = rows[0]!;
			const stretches = Math.min(threads, MOST_STRETCHES);
			const borders = [...new Set(BORDERS[stretches]?.map(place => userPoints[place]!))];
			if (facts < this.#worthFacts || borders.length === 0) return undefined;
			return {borders, threads: Math.ceil(threads / stretches)};
		} catch (thrown) {
			if (thrown instanceof DomainError) return undefined;
			throw thrown;
		}
	}
}
