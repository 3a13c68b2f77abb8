import {type Counted, type Watched, watchedKey} from '../../analytics/autocomplete/counted.ts';

/** Which counts somebody wants to be told of, and what of a batch they are. */
export class WatchedValues {
	#keys: ReadonlySet<string> = new Set();

	watch(watched: readonly Watched[]): void {
		this.#keys = new Set(watched.map(watchedKey));
	}

	gather(): WatchedCounts {
		return new WatchedCounts(this.#keys);
	}
}

type Place = Pick<Counted, 'datamartId' | 'localDay' | 'part'>;

/** Counts of a batch, of what is watched. */
export class WatchedCounts {
	readonly #watched: ReadonlySet<string>;
	readonly list: Counted[] = [];

	constructor(watched: ReadonlySet<string>) {
		this.#watched = watched;
	}

	/** What is to be told of each value with its facts; undefined where nobody watches. */
	of(
		{datamartId, localDay, part}: Place,
		dimension: string,
	): ((value: string, facts: number) => void) | undefined {
		if (!this.#watched.has(watchedKey({datamartId, dimension}))) return undefined;
		const values: string[] = [];
		const facts: number[] = [];
		this.list.push({datamartId, dimension, localDay, part, values, facts});
		return (value, count) => {
			// As the table has it: what is half a character is none in UTF-8.
			values.push(value.toWellFormed());
			facts.push(count);
		};
	}
}
