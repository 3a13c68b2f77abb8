/**
 * A number for a row's word in a column; `otherwise` where it is none of `words`, a bound list as long as `numbers`.
 * Of a column of few words the engine makes numbers that are looked up at each use: as plain ones that is done once.
 */
export function numberedWords(
	column: string,
	words: string,
	numbers: readonly (string | number)[],
	otherwise: number,
): string {
	return `CAST(transform(${column}, ${words}, [${numbers.join(', ')}], toUInt64(${otherwise})), 'UInt64')`;
}
