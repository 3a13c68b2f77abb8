import {parse as parseLossless, stringify as stringifyLossless} from 'lossless-json';
import type {WireActivity} from './activity.ts';

/**
 * Numbers a double cannot carry as they were written: 16 digits and more, or exponents. Looked for where a value may
 * stand, so that identifiers like `6e5a` are none; linear in the text, whatever it is.
 */
const UNSAFE_NUMBER = /[:,[\s]-?(?=\d[\d.eE+-]*\s*[,}\]])(?:[\d.]{16}|[\d.]*[eE])/;

/** As JSON.parse does. */
const LAST_KEY_WINS = {onDuplicateKey: ({newValue}: {newValue: unknown}) => newValue};

/** An activity's JSON as objects whose text can be written again without changing a number. */
export function parseKeepingNumbers(json: string): Record<string, unknown> {
	return (UNSAFE_NUMBER.test(json) ? parseLossless(json, null, LAST_KEY_WINS) : JSON.parse(json)) as Record<
		string,
		unknown
	>;
}

/** The text of what `parseKeepingNumbers` read. */
export function stringifyKeepingNumbers(value: unknown): string {
	return stringifyLossless(value) as string;
}

/** An activity for reading: facts are made of doubles. */
export function parseActivity(json: string): WireActivity {
	return JSON.parse(json);
}

export function hasUnsafeNumbers(json: string): boolean {
	return UNSAFE_NUMBER.test(json);
}
