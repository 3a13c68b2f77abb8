import {invalidField} from '../errors.ts';

export const DEFAULT_LIFETIME_MONTHS = 12;
/** Specification, Limits: usually 12 to 24 months. */
export const MAX_LIFETIME_MONTHS = 24;

/** Epoch ms, some calendar months after an instant (UTC; the 31st becomes a shorter month's last day). */
export function monthsAfter(instantMs: number, months: number): number {
	const start = new Date(instantMs);
	const end = new Date(instantMs);
	// The 31st would run over into the month after.
	end.setUTCDate(1);
	end.setUTCMonth(end.getUTCMonth() + months);
	const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
	return end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
}

/** When something made now ends: 12 months on, or as asked. Error: `field_invalid` for the past and beyond 24 months. */
export function expirationOf(nowMs: number, askedMs: number | undefined, pointer: string): number {
	if (askedMs === undefined) return monthsAfter(nowMs, DEFAULT_LIFETIME_MONTHS);
	if (askedMs <= nowMs) throw invalidField(pointer, 'is in the past');
	if (askedMs > monthsAfter(nowMs, MAX_LIFETIME_MONTHS)) {
		throw invalidField(pointer, `is more than ${MAX_LIFETIME_MONTHS} months ahead`);
	}
	return askedMs;
}
