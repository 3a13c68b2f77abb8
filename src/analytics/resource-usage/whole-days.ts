import type {InstantRange} from '../../lib/days.ts';
import {DAY_MS} from './cubes.ts';

/** Half-open, in days of UTC since 1970. */
export interface DayRange {
	readonly firstDay: number;
	readonly endDay: number;
}

/** Ranges as the whole days of UTC they hold, and what they hold of other days. */
export function splitByDay(ranges: readonly InstantRange[]): {days: DayRange[]; rest: InstantRange[]} {
	const days: DayRange[] = [];
	const rest: InstantRange[] = [];
	for (const {fromMs, untilMs} of ranges) {
		const firstDay = Math.ceil(fromMs / DAY_MS);
		const endDay = Math.floor(untilMs / DAY_MS);
		if (firstDay >= endDay) {
			rest.push({fromMs, untilMs});
			continue;
		}
		days.push({firstDay, endDay});
		const edges = [
			{fromMs, untilMs: firstDay * DAY_MS},
			{fromMs: endDay * DAY_MS, untilMs},
		];
		rest.push(...edges.filter(edge => edge.fromMs < edge.untilMs));
	}
	return {days, rest};
}
