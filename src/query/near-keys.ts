/** (1 + x^20)(1 + x^21)(1 + x^33)(1 + x^45)(1 + x^51) over the two-element field, without its first term. */
const SHIFTS = [20, 21, 33, 41, 45, 51, 53, 54];

/**
 * A number in place of another, by which the engine groups many rows faster: no two have the same, whatever they are. In
 * the table of facts neighbours lie together, but the engine's table of groups scatters them over all its memory: bits 24
 * to 31 of a CRC-32C say which of 256 tables a number is in. Here 2,048 neighbours have the same bits (docs/adr/0044).
 */
export function nearKey(number: string): string {
	return SHIFTS.reduce((key, shift) => `bitXor(${key}, bitShiftLeft(${number}, ${shift}))`, number);
}
