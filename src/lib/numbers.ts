/**
 * A number as people and programs write it, as a pattern the engine reads too: what it and JavaScript take for a number
 * beyond that differs.
 */
export const NUMBER_PATTERN = '^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?$';

const pattern = new RegExp(NUMBER_PATTERN);

/** Whether the text is one, and small enough to count with. */
export function isNumber(text: string): boolean {
	return pattern.test(text) && Number.isFinite(Number(text));
}
