/** Facts of one datamart, of the instants `[fromMs, untilMs)`. */
export interface Stretch {
	readonly datamartId: number;
	readonly fromMs: number;
	readonly untilMs: number;
}

/** Tells what a batch changes, before and after it does. */
export interface TellTouched {
	/** Before the first fact is written; from here on until `end` no answer about these hours is kept. */
	begin(touched: TouchedHours): Promise<void>;
	/** Before merges of user points are told. */
	beginMerges(): Promise<void>;
	/** All that was begun is written, by this try or an earlier one of the same batch. */
	end(): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** A batch of more hours of one datamart touches all of it: an import of years is told in one row. */
const MOST_HOURS = 200;
export const ANY_HOUR = -1;
/** No datamart: the merges of all. */
export const MERGES = 0;

/** Which hours the rows of a batch are of. */
export class TouchedHours {
	readonly #byDatamart = new Map<number, Set<number>>();
	/** Rows mostly follow others of the same hour. */
	#last = {datamartId: 0, hour: ANY_HOUR};

	add(datamartId: number, ms: number): void {
		const hour = Math.floor(ms / HOUR_MS);
		if (this.#last.hour === hour && this.#last.datamartId === datamartId) return;
		this.#last = {datamartId, hour};
		let hours = this.#byDatamart.get(datamartId);
		if (!hours) {
			hours = new Set();
			this.#byDatamart.set(datamartId, hours);
		}
		if (hours.size <= MOST_HOURS) hours.add(hour);
	}

	/** In one order, so that instances which tell at the same time do not wait for each other in a circle. */
	list(): {datamartId: number; hour: number}[] {
		return [...this.#byDatamart]
			.flatMap(([datamartId, hours]) =>
				(hours.size > MOST_HOURS ? [ANY_HOUR] : [...hours]).map(hour => ({datamartId, hour})),
			)
			.sort((a, b) => a.datamartId - b.datamartId || a.hour - b.hour);
	}
}

/** The hours a stretch lies in, both inclusive, within what the table holds. */
export function hoursOf({fromMs, untilMs}: Stretch): {first: number; last: number} {
	const hour = (ms: number) => Math.min(2 ** 31 - 1, Math.max(0, Math.floor(ms / HOUR_MS)));
	return {first: hour(fromMs), last: hour(untilMs - 1)};
}
