import {Temporal} from 'temporal-polyfill';
import type {InstantRange} from './days.ts';

/** From `fromMs` on, up to the next entry, local clocks are `offsetMs` ahead of UTC. */
export interface Offset {
	readonly fromMs: number;
	readonly offsetMs: number;
}

/** What local clocks add to UTC within a range, in order; the first entry starts with the range. */
export function offsetsIn({fromMs, untilMs}: InstantRange, timeZone: string): Offset[] {
	const offsets: Offset[] = [];
	let at: Temporal.ZonedDateTime | null =
		Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(timeZone);
	do {
		offsets.push({fromMs: at.epochMilliseconds, offsetMs: at.offsetNanoseconds / 1e6});
		at = at.getTimeZoneTransition('next');
	} while (at !== null && at.epochMilliseconds < untilMs);
	return offsets;
}

/**
 * Epoch ms at which local clocks show a time. A skipped time is the first instant after the gap; of a repeated one the
 * earlier is meant as a start, the later as an end (semantics.md, Funnel).
 */
export function instantOf(wall: Temporal.PlainDateTime, timeZone: string, edge: 'start' | 'end'): number {
	const earlier = wall.toZonedDateTime(timeZone, {disambiguation: 'earlier'});
	if (!earlier.toPlainDateTime().equals(wall))
		return earlier.getTimeZoneTransition('next')!.epochMilliseconds;
	if (edge === 'start') return earlier.epochMilliseconds;
	return wall.toZonedDateTime(timeZone, {disambiguation: 'later'}).epochMilliseconds;
}
