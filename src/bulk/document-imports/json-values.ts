/**
 * The values of a file of JSON objects: one a line, or concatenated, however they are broken into lines (field guide,
 * section 0, 10). A value is told by the line it begins on. What is no value costs its line and nothing behind it.
 */

/** What is wrong with a place where a value should begin; `array` and `comma` are wrong with the whole file. */
export type Flaw = 'array' | 'comma' | 'no_object' | 'no_json' | 'too_long' | 'too_deep';

export interface Visitor {
	/** `text` is the value as it stands in the file, `offset` bytes from its beginning. */
	value(line: number, value: Readonly<Record<string, unknown>>, text: Buffer, offset: number): void;
	flaw(line: number, flaw: Flaw): void;
}

/** Where reading goes on. */
export interface Place {
	/** In bytes. */
	readonly offset: number;
	/** From 1. */
	readonly line: number;
	/** Inside a line that is too long: it is passed over to its end. */
	readonly inside: boolean;
}

export const START: Place = {offset: 0, line: 1, inside: false};

/** One value may be so long; an activity over HTTP has the same bound by default. */
export const MAX_VALUE_BYTES = 5 * 1024 * 1024;
const MAX_DEPTH = 100;

const [TAB, NEWLINE, RETURN, SPACE, QUOTE, COMMA] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c];
const [COLON, OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, OPEN, CLOSE] = [0x3a, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d];

/**
 * Visits what is whole in `bytes`, which begin at `from`; answers where to go on. Nothing read (the same offset again)
 * asks for more bytes; with `isLast` there are none and everything is read.
 */
export function readValues(bytes: Buffer, from: Place, isLast: boolean, visitor: Visitor): Place {
	let at = 0;
	let {line} = from;
	/** Up to here lines were seen to hold more, or less, than one value. */
	let unevenUntil = 0;
	const place = (inside = false): Place => ({offset: from.offset + at, line, inside});
	const lineEnd = () => {
		const end = bytes.indexOf(NEWLINE, at);
		return end < 0 ? bytes.length : end;
	};
	if (from.inside) {
		at = lineEnd();
		if (at === bytes.length) return place(!isLast);
	}
	for (;;) {
		for (; at < bytes.length && isBlank(bytes[at]!); at++) if (bytes[at] === NEWLINE) line++;
		if (at === bytes.length) return place();
		const first = bytes[at]!;
		if (first === COMMA) {
			visitor.flaw(line, 'comma');
			at++;
			continue;
		}
		let flaw: Flaw;
		if (first === OPEN) {
			const end = at < unevenUntil ? -1 : lineEnd();
			const isLine = end >= 0 && (end < bytes.length || isLast) && endsObject(bytes, end);
			const whole = isLine && visitText(bytes.subarray(at, end), {line, offset: from.offset + at}, visitor);
			if (whole) {
				at = end;
				continue;
			}
			if (end >= 0) unevenUntil = end;
			const found = endOfObject(bytes, at);
			if (found > 0) {
				const text = bytes.subarray(at, found);
				if (visitText(text, {line, offset: from.offset + at}, visitor)) {
					line += newlinesIn(text);
					at = found;
					continue;
				}
				flaw = 'no_json';
			} else if (found === INCOMPLETE && !isLast && bytes.length - at <= MAX_VALUE_BYTES) {
				return place();
			} else {
				flaw = found === TOO_DEEP ? 'too_deep' : bytes.length - at > MAX_VALUE_BYTES ? 'too_long' : 'no_json';
			}
		} else {
			flaw = first === OPEN_ARRAY ? 'array' : 'no_object';
		}
		visitor.flaw(line, flaw);
		at = lineEnd();
		if (at === bytes.length && !isLast) return place(true);
	}
}

/** False where the text is not JSON: what the parser says of it would quote it, so it is not told. */
function visitText(text: Buffer, {line, offset}: Omit<Place, 'inside'>, visitor: Visitor): boolean {
	let value: unknown;
	try {
		value = JSON.parse(text.toString('utf8'));
	} catch {
		return false;
	}
	if (text.length > MAX_VALUE_BYTES) visitor.flaw(line, 'too_long');
	else visitor.value(line, value as Readonly<Record<string, unknown>>, text, offset);
	return true;
}

function isBlank(byte: number): boolean {
	return byte === NEWLINE || byte === SPACE || byte === RETURN || byte === TAB;
}

/** Whether the last byte of the line that is not blank closes an object: others need not be tried. */
function endsObject(bytes: Buffer, end: number): boolean {
	let last = end - 1;
	while (isBlank(bytes[last]!)) last--;
	return bytes[last] === CLOSE;
}

function newlinesIn(text: Buffer): number {
	let count = 0;
	for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) count++;
	return count;
}

const INCOMPLETE = 0;
const BROKEN = -1;
const TOO_DEEP = -2;

/**
 * Behind the object that begins at `from`. Gives up where none can be any more, so that an unclosed one does not swallow
 * the values behind it: at a line's end within a text, and at an object where none may stand.
 */
function endOfObject(bytes: Buffer, from: number): number {
	const open: number[] = [];
	let before = COLON;
	for (let at = from; at < bytes.length; at++) {
		const byte = bytes[at]!;
		switch (byte) {
			case SPACE:
			case NEWLINE:
			case RETURN:
			case TAB:
				continue;
			case QUOTE:
				for (at++; bytes[at] !== QUOTE; at++) {
					if (at >= bytes.length) return INCOMPLETE;
					if (bytes[at] === NEWLINE) return BROKEN;
					if (bytes[at] === BACKSLASH) at++;
				}
				break;
			case OPEN:
			case OPEN_ARRAY: {
				const inArray = open.at(-1) === OPEN_ARRAY;
				if (before !== COLON && !(inArray && (before === COMMA || before === OPEN_ARRAY))) return BROKEN;
				if (open.push(byte) > MAX_DEPTH) return TOO_DEEP;
				break;
			}
			case CLOSE:
			case CLOSE_ARRAY:
				if (open.pop() !== (byte === CLOSE ? OPEN : OPEN_ARRAY)) return BROKEN;
				if (open.length === 0) return at + 1;
				break;
		}
		before = byte;
	}
	return INCOMPLETE;
}
