/** Days and midnights of a time zone, found by asking Intl what clocks on the wall show. */

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const QUARTER_MS = 900_000;
const formats = new Map<string, Intl.DateTimeFormat>();
const midnights = new Map<string, number>();

const offsets = new Map<string, Map<number, number>>();

/**
 * What the wall clock shows at an instant, written as if it were UTC (epoch ms). Clocks are changed at quarters of an
 * hour alone: within one, Intl is asked once.
 */
export function wallClock(instantMs: number, timeZone: string): number {
	const known = offsets.get(timeZone) ?? new Map<number, number>();
	if (known.size === 0) offsets.set(timeZone, known);
	const quarter = Math.floor(instantMs / QUARTER_MS);
	const offset = known.get(quarter) ?? askClock(quarter * QUARTER_MS, timeZone) - quarter * QUARTER_MS;
	known.set(quarter, offset);
	return instantMs + offset;
}

/** The same of a whole second. */
function askClock(instantMs: number, timeZone: string): number {
	let format = formats.get(timeZone);
	if (format === undefined) {
		format = new Intl.DateTimeFormat('en-US', {
			timeZone,
			hourCycle: 'h23',
			year: 'numeric',
			month: 'numeric',
			day: 'numeric',
			hour: 'numeric',
			minute: 'numeric',
			second: 'numeric',
		});
		formats.set(timeZone, format);
	}
	const parts = Object.fromEntries(
		format.formatToParts(instantMs).map(({type, value}) => [type, Number(value)]),
	);
	const {year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0} = parts;
	return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The local date of an instant, YYYY-MM-DD. */
export function localDay(instantMs: number, timeZone: string): string {
	return new Date(wallClock(instantMs, timeZone)).toISOString().slice(0, 10);
}

/**
 * The instant (epoch ms) of 00:00 on a local day. Skipped: the first instant after the gap. Repeated: the earlier
 * one where a period starts, the later one where it ends (semantics.md, Funnel).
 */
export function midnight(day: string, timeZone: string, edge: 'start' | 'end'): number {
	const key = `${day} ${timeZone} ${edge}`;
	const known = midnights.get(key) ?? findMidnight(day, timeZone, edge);
	midnights.set(key, known);
	return known;
}

function findMidnight(day: string, timeZone: string, edge: 'start' | 'end'): number {
	return instantOfWall(Date.parse(`${day}T00:00:00Z`), timeZone, edge);
}

/** The same of any time on the wall, written as if it were UTC (epoch ms). */
export function instantOfWall(wall: number, timeZone: string, edge: 'start' | 'end'): number {
	const [before, after] = [wall - 2 * DAY_MS, wall + 2 * DAY_MS];

	const offsets = new Set<number>();
	for (let t = before; t <= after; t += HOUR_MS) offsets.add(wallClock(t, timeZone) - t);
	const instants = [...offsets].map(offset => wall - offset).filter(t => wallClock(t, timeZone) === wall);
	if (instants.length > 0) return edge === 'start' ? Math.min(...instants) : Math.max(...instants);

	// No clock ever showed it: halve the days around until the jump over it is found.
	let [low, high] = [before, after];
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2);
		if (wallClock(middle, timeZone) < wall) low = middle;
		else high = middle;
	}
	return high;
}

/** A calendar day some days later (or earlier). */
export function addDays(day: string, days: number): string {
	return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same day of an earlier month, or that month's last day where it is shorter. */
export function subtractMonths(day: string, months: number): string {
	const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
	const lastOfMonth = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
	return new Date(Date.UTC(year, month - 1 - months, Math.min(date, lastOfMonth))).toISOString().slice(0, 10);
}
