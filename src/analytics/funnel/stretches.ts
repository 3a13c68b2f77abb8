import {LRUCache} from 'lru-cache';
import type {InstantRange} from '../../lib/days.ts';
import type {Stretches} from '../../query/plan.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {hintsOf} from './hints.ts';
import {stretchesOf} from './stretches.query.ts';

/** Of fewer facts it takes longer to plan the stretches than they save. */
const WORTH_FACTS = 1_000_000;
/** By how many stretches there are, where their borders lie among `user_points`. */
const BORDERS: Readonly<Record<number, readonly number[]>> = {2: [2], 3: [1, 3], 4: [0, 2, 4]};
const MOST_STRETCHES = 4;
const KEPT_MS = 3_600_000;
/** Until a small datamart is looked at again. */
const SMALL_MS = 60_000;
const DATAMARTS = 10_000;

/** A datamart's facts, about. */
interface Extent extends InstantRange {
	readonly facts: number;
	readonly stretches: Stretches | undefined;
}

const UNKNOWN: Extent = {facts: 0, fromMs: 0, untilMs: 0, stretches: undefined};

/** The stretches in which large datamarts are read (`Stretches`), remembered. */
export class FactStretches {
	readonly #warehouse: Warehouse;
	readonly #worthFacts: number;
	readonly #extents: LRUCache<number, Extent>;

	constructor(warehouse: Warehouse, worthFacts = WORTH_FACTS) {
		this.#warehouse = warehouse;
		this.#worthFacts = worthFacts;
		this.#extents = new LRUCache({
			max: DATAMARTS,
			fetchMethod: async (datamartId, former, {options}) => {
				const extent = await this.#asked(datamartId, former);
				options.ttl = extent.facts >= worthFacts ? KEPT_MS : SMALL_MS;
				return extent;
			},
		});
	}

	/**
	 * Undefined where the period has few facts, the engine has one thread, or does not tell how they lie (a cluster): they
	 * are read in one scan then.
	 */
	async of(datamartId: number, range: InstantRange): Promise<Stretches | undefined> {
		const extent = await this.#extents.fetch(datamartId);
		return extent && factsWithin(extent, range) >= this.#worthFacts ? extent.stretches : undefined;
	}

	/** Borders stand in the statement, by which answers are kept: while they are about right they stay. */
	async #asked(datamartId: number, former: Extent | undefined): Promise<Extent> {
		const [row] = (await hintsOf(this.#warehouse, stretchesOf, {datamart_id: datamartId})) ?? [];
		if (!row) return former ?? UNKNOWN;
		const {threads, facts, from_ms: fromMs, until_ms: untilMs, user_points: userPoints} = row;
		if (former?.stretches && facts < 2 * former.facts && former.facts < 2 * facts) {
			return {facts: former.facts, fromMs, untilMs, stretches: former.stretches};
		}
		const count = Math.min(threads, MOST_STRETCHES);
		const borders = [...new Set(BORDERS[count]?.map(place => userPoints[place]!))];
		const stretches = borders.length > 0 ? {borders, threads: Math.ceil(threads / count)} : undefined;
		return {facts, fromMs, untilMs, stretches};
	}
}

/** As if they lay evenly in time. */
function factsWithin({facts, fromMs, untilMs}: Extent, range: InstantRange): number {
	if (untilMs <= fromMs) return facts;
	const common = Math.min(untilMs, range.untilMs) - Math.max(fromMs, range.fromMs);
	return (facts * Math.max(0, common)) / (untilMs - fromMs);
}
