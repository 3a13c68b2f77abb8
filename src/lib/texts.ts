const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** In the order of their characters, as UTF-8's bytes are: JavaScript's own puts those beyond 0xffff before 0xe000. */
export function compareTexts(a: string, b: string): number {
	if (a === b) return 0;
	const length = Math.min(a.length, b.length);
	for (let at = 0; at < length; at++) {
		const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
		if (one !== other) {
			if (isSurrogate(one) !== isSurrogate(other)) return isSurrogate(one) ? 1 : -1;
			return one - other;
		}
	}
	return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
	return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE;
}

const MOST_UINT64 = 2n ** 64n - 1n;

/** What is a whole number first, by its size; everything else behind, and what is of one size, as texts. */
export function compareIds(a: string, b: string): number {
	const [one, other] = [wholeNumber(a), wholeNumber(b)];
	if (one === undefined || other === undefined) {
		if (one !== other) return one === undefined ? 1 : -1;
	} else if (one !== other) return one < other ? -1 : 1;
	return compareTexts(a, b);
}

/** As the engine reads a UInt64 (`toUInt64OrNull`). */
function wholeNumber(text: string): bigint | number | undefined {
	if (!/^\+?\d+$/.test(text)) return undefined;
	if (text.length <= 15) return Number(text);
	const number = BigInt(text);
	return number <= MOST_UINT64 ? number : undefined;
}
