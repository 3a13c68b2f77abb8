import {Temporal} from 'temporal-polyfill';
import {instantOf} from './local-time.ts';

export interface Clock {
	/** Epoch ms. */
	readonly nowMs: number;
	readonly timeZone: string;
}

/** An edge of an inclusive range as epoch ms: where it starts, or the first instant after its end. */
export type DateEdge = (edge: 'start' | 'end', clock: Clock) => number;

/**
 * A date of a report's range, undefined where the text is none: a local `YYYY-MM-DDTHH:MM:SS` (or a day alone, or with
 * an offset), or `now`, moved and cut as in `now-7d/d` (units s m h d w M y). An end takes its whole second in, a day
 * alone its whole day, a cut one its whole unit: `now/d` ends with today.
 */
export function parseDate(text: string): DateEdge | undefined {
	try {
		return relative(text) ?? absolute(text);
	} catch {
		// Temporal refuses days and times that do not exist.
		return undefined;
	}
}

const ABSOLUTE =
	/^\d{4}-\d{2}-\d{2}(?<time>[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/;

function absolute(text: string): DateEdge | undefined {
	const groups = ABSOLUTE.exec(text)?.groups;
	if (!groups) return undefined;
	if (groups.zone) {
		const {epochMilliseconds} = Temporal.Instant.from(text);
		return edge => (edge === 'start' ? epochMilliseconds : afterSecond(epochMilliseconds));
	}
	const wall = Temporal.PlainDateTime.from(text);
	const after = groups.time
		? wall.round({smallestUnit: 'second', roundingMode: 'floor'}).add({seconds: 1})
		: wall.add({days: 1});
	return (edge, {timeZone}) => instantOf(edge === 'start' ? wall : after, timeZone, edge);
}

function afterSecond(ms: number): number {
	return (Math.floor(ms / 1000) + 1) * 1000;
}

const RELATIVE = /^now(?<moves>(?:[+-]\d{1,6}[smhdwMy])*)(?:\/(?<unit>[smhdwMy]))?$/;
const UNITS = {
	s: 'seconds',
	m: 'minutes',
	h: 'hours',
	d: 'days',
	w: 'weeks',
	M: 'months',
	y: 'years',
} as const;
type Unit = keyof typeof UNITS;

function relative(text: string): DateEdge | undefined {
	const groups = RELATIVE.exec(text)?.groups;
	if (!groups) return undefined;
	const moves = [...(groups.moves ?? '').matchAll(/([+-]\d+)(\w)/g)];
	return (edge, {nowMs, timeZone}) => {
		let at = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone);
		for (const [, count, unit] of moves) at = at.add({[UNITS[unit as Unit]]: Number(count)});
		if (groups.unit) return cut(at, groups.unit as Unit, edge);
		return edge === 'start' ? at.epochMilliseconds : afterSecond(at.epochMilliseconds);
	};
}

/** The unit an instant lies in: its start, or the start of the next. */
function cut(at: Temporal.ZonedDateTime, unit: Unit, edge: 'start' | 'end'): number {
	if (unit === 's' || unit === 'm' || unit === 'h') {
		const smallestUnit = ({s: 'second', m: 'minute', h: 'hour'} as const)[unit];
		const start = at.round({smallestUnit, roundingMode: 'floor'});
		return (edge === 'start' ? start : start.add({[UNITS[unit]]: 1})).epochMilliseconds;
	}
	let day = at.toPlainDate();
	if (unit === 'w') day = day.subtract({days: day.dayOfWeek - 1});
	if (unit === 'M') day = day.with({day: 1});
	if (unit === 'y') day = day.with({month: 1, day: 1});
	if (edge === 'end') day = day.add({[UNITS[unit]]: 1});
	return instantOf(day.toPlainDateTime(), at.timeZoneId, edge);
}
