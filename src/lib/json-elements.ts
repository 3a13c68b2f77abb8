const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The elements of a JSON array as the bytes they were sent as, so that no number changes. Of a text that JSON.parse
 * takes: nothing is checked here.
 */
export function elementBytes(array: Buffer): Buffer[] {
	const elements: Buffer[] = [];
	const first = array.indexOf('[') + 1;
	let depth = 0;
	let from = first;
	for (let at = first; ; at++) {
		const byte = array[at]!;
		if (byte === QUOTE) at = endOfText(array, at);
		else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
		else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
			if (depth > 0) depth -= 1;
			else {
				const last = array.subarray(from, at);
				// The text between the brackets of an empty array is no element.
				if (elements.length > 0 || last.toString().trim() !== '') elements.push(last);
				return elements;
			}
		} else if (byte === COMMA && depth === 0) {
			elements.push(array.subarray(from, at));
			from = at + 1;
		}
	}
}

/** Place of the quote that ends the text which begins at `at`. */
function endOfText(bytes: Buffer, at: number): number {
	let end = at + 1;
	while (bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
	return end;
}
