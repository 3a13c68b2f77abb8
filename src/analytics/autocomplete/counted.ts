import type {LocalDay} from '../../lib/local-days.ts';

/** A dimension of a datamart whose counts somebody wants to be told of. */
export interface Watched {
	readonly datamartId: number;
	/** As in the catalogue. */
	readonly dimension: string;
}

/** What was added to the table of values: facts of one local day in one partition that have these values. */
export interface Counted extends Watched {
	readonly localDay: LocalDay;
	readonly part: number;
	readonly values: readonly string[];
	/** As many as values. */
	readonly facts: readonly number[];
}

/** What a batch of this instance added. It may be told again where the batch was written again. */
export interface CountedBatch {
	/** Later batches have larger ones. */
	readonly batchId: number;
	readonly counted: readonly Counted[];
}

/** Tells what is added to the table of values, which nobody else writes. */
export interface CountsFeed {
	/** As in the marks of the table. */
	readonly instance: number;
	/** These and no others. Resolves once every batch that is not in the table by then is going to be told. */
	watch(watched: readonly Watched[]): Promise<void>;
	onCounted(listener: (batch: CountedBatch) => void): void;
}

/** What is watched now, and what of a batch is. */
export class WatchedValues {
	#keys: ReadonlySet<string> = new Set();

	watch(watched: readonly Watched[]): void {
		this.#keys = new Set(watched.map(keyOf));
	}

	gather(): WatchedCounts {
		return new WatchedCounts(this.#keys);
	}
}

interface Gathered extends Counted {
	readonly values: string[];
	readonly facts: number[];
}

type Place = Pick<Counted, 'datamartId' | 'localDay' | 'part'>;

/** Counts of a batch, of which those that nobody watches are let go. */
export class WatchedCounts {
	readonly #watched: ReadonlySet<string>;
	readonly #byPlace = new Map<string, Gathered>();

	constructor(watched: ReadonlySet<string>) {
		this.#watched = watched;
	}

	add(place: Place, dimension: string, value: string, facts: number): void {
		if (this.#watched.size === 0) return;
		const {datamartId, localDay, part} = place;
		const watched = {datamartId, dimension};
		if (!this.#watched.has(keyOf(watched))) return;
		const key = `${keyOf(watched)} ${localDay} ${part}`;
		let gathered = this.#byPlace.get(key);
		if (!gathered) {
			gathered = {...watched, localDay, part, values: [], facts: []};
			this.#byPlace.set(key, gathered);
		}
		// As the table has it: what is half a character is none in UTF-8.
		gathered.values.push(value.toWellFormed());
		gathered.facts.push(facts);
	}

	get list(): readonly Counted[] {
		return [...this.#byPlace.values()];
	}
}

function keyOf({datamartId, dimension}: Watched): string {
	return `${datamartId} ${dimension}`;
}
