import {Temporal} from 'temporal-polyfill';

/** A calendar day, `YYYY-MM-DD`. */
export type Day = string;

/** Half-open, epoch ms: `from` inclusive, `until` exclusive. */
export interface InstantRange {
	readonly fromMs: number;
	readonly untilMs: number;
}

/** Whether the text is a day of the calendar (2025-02-29 is none). */
export function isDay(text: string): boolean {
	if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
	try {
		Temporal.PlainDate.from(text);
		return true;
	} catch {
		return false;
	}
}

/**
 * Epoch ms of a day's local midnight. A skipped midnight is the first instant after the gap;
 * of a repeated one the earlier is meant as a start, the later as an end (semantics.md, Funnel).
 */
export function midnight(day: Day, timeZone: string, edge: 'start' | 'end'): number {
	const date = Temporal.PlainDate.from(day);
	if (edge === 'end') {
		const wall = date.toPlainDateTime();
		const later = wall.toZonedDateTime(timeZone, {disambiguation: 'later'});
		if (later.toPlainDateTime().equals(wall)) return later.epochMilliseconds;
	}
	return date.toZonedDateTime(timeZone).epochMilliseconds;
}

/** `[first 00:00, end 00:00)` in the time zone: the end day itself is outside. */
export function daysUntil(first: Day, end: Day, timeZone: string): InstantRange {
	return {fromMs: midnight(first, timeZone, 'start'), untilMs: midnight(end, timeZone, 'end')};
}

/** The local day of an instant. */
export function dayOf(instantMs: number, timeZone: string): Day {
	return Temporal.Instant.fromEpochMilliseconds(instantMs)
		.toZonedDateTimeISO(timeZone)
		.toPlainDate()
		.toString();
}

export type DayUnit = 'DAY' | 'WEEK' | 'MONTH';

/** The last `count` days, weeks or months, ending with today's end: `[tomorrow - count units, tomorrow)`. */
export function lastDays(
	unit: DayUnit,
	count: number,
	nowMs: number,
	timeZone: string,
): {first: Day; end: Day} {
	const tomorrow = Temporal.PlainDate.from(dayOf(nowMs, timeZone)).add({days: 1});
	const back = unit === 'DAY' ? {days: count} : unit === 'WEEK' ? {weeks: count} : {months: count};
	return {first: tomorrow.subtract(back).toString(), end: tomorrow.toString()};
}

/** Every day of `[first, end)` with the epoch ms at which it starts, in order. */
export function startsOfDays(first: Day, end: Day, timeZone: string): {day: Day; startMs: number}[] {
	const days: {day: Day; startMs: number}[] = [];
	const last = Temporal.PlainDate.from(end);
	for (
		let day = Temporal.PlainDate.from(first);
		Temporal.PlainDate.compare(day, last) < 0;
		day = day.add({days: 1})
	) {
		days.push({day: day.toString(), startMs: midnight(day.toString(), timeZone, 'start')});
	}
	return days;
}
