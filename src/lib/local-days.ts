import type {InstantRange} from './days.ts';
import {type Offset, offsetsIn} from './local-time.ts';

/** A local day as a number: 1 is the first of January 1970. */
export type LocalDay = number;

/** Local days, half-open. */
export interface LocalDayRange {
	readonly first: LocalDay;
	readonly until: LocalDay;
}

const DAY_MS = 86_400_000;
/** What a position can tell: 1970 to 2109. */
const ALWAYS: InstantRange = {fromMs: 0, untilMs: 2 ** 42};
/** Further than any clock was ever put. */
const AROUND_MS = 3 * DAY_MS;

/** The local day of an instant whose clocks are ahead of UTC by so much. */
function dayAt(instantMs: number, offsetMs: number): LocalDay {
	return Math.floor((instantMs + offsetMs) / DAY_MS) + 1;
}

/** Local days of many instants: the offsets of all times are looked up once, and those of neighbours are remembered. */
export class LocalDays {
	readonly offsets: readonly Offset[];
	#fromMs = 0;
	#untilMs = 0;
	#offsetMs = 0;

	constructor(timeZone: string) {
		this.offsets = offsetsIn(ALWAYS, timeZone);
	}

	of(instantMs: number): LocalDay {
		if (instantMs < this.#fromMs || instantMs >= this.#untilMs) this.#seek(instantMs);
		return Math.max(0, dayAt(instantMs, this.#offsetMs));
	}

	#seek(instantMs: number): void {
		const next = this.offsets.findIndex(({fromMs}) => fromMs > instantMs);
		const {fromMs, offsetMs} = this.offsets.at(next === -1 ? -1 : Math.max(0, next - 1))!;
		this.#fromMs = fromMs;
		this.#untilMs = next === -1 ? Number.POSITIVE_INFINITY : this.offsets[next]!.fromMs;
		this.#offsetMs = offsetMs;
	}
}

/** The local days that a range is made of; undefined where one of them lies in it in part. */
export function wholeDays({fromMs, untilMs}: InstantRange, timeZone: string): LocalDayRange | undefined {
	const first = fromMs <= ALWAYS.fromMs ? 0 : dayBegunAt(fromMs, timeZone);
	const until = untilMs >= ALWAYS.untilMs ? 2 ** 16 : dayBegunAt(untilMs, timeZone);
	if (first === undefined || until === undefined) return undefined;
	return {first, until: Math.max(first, until)};
}

/**
 * The day that begins at an instant: all before it belongs to earlier days, all from it on to this one or later ones.
 * Clocks that were put back over midnight (St. John's until 2011) have no such instant.
 */
function dayBegunAt(instantMs: number, timeZone: string): LocalDay | undefined {
	const around = {fromMs: Math.max(0, instantMs - AROUND_MS), untilMs: instantMs + AROUND_MS};
	const offsets = offsetsIn(around, timeZone);
	let day = 0;
	let latestBefore = -1;
	let earliestAfter = Number.POSITIVE_INFINITY;
	for (const [index, {fromMs, offsetMs}] of offsets.entries()) {
		const untilMs = offsets[index + 1]?.fromMs ?? around.untilMs;
		if (fromMs < instantMs) {
			latestBefore = Math.max(latestBefore, dayAt(Math.min(untilMs, instantMs) - 1, offsetMs));
		}
		if (untilMs <= instantMs) continue;
		const startMs = Math.max(fromMs, instantMs);
		if (startMs === instantMs) day = dayAt(instantMs, offsetMs);
		earliestAfter = Math.min(earliestAfter, dayAt(startMs, offsetMs));
	}
	return latestBefore < day && earliestAfter === day ? day : undefined;
}
