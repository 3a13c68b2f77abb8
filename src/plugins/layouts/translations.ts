import {parse} from 'csv-parse/sync';
import {DomainError, type Fault, invalidField} from '../../errors.ts';

/** Texts by key, of one locale. */
export type Translations = ReadonlyMap<string, string>;

const HEADER = ['KEY', 'VALUE'];
const TOKEN = /\{\{\s*([^{}]*?)\s*\}\}/g;
/** Deeper than any form; whoever writes JSON back goes down as far. */
const MAX_DEPTH = 64;
/** Few tokens and one long text would fill the memory. */
const MAX_PUT_IN = 4 * 1024 * 1024;

interface CsvRecord {
	readonly record: readonly string[];
	readonly info: {readonly lines: number};
}

/**
 * A translation file: the header `KEY,VALUE`, then a key and its text a record, quoted or not, with a byte order mark or
 * not. Error: `field_invalid` with every faulty line.
 */
export function parseTranslations(bytes: Buffer): Translations {
	const [header, ...records] = readRecords(bytes);
	const names = header?.record.map(name => name.trim()) ?? [];
	if (names.length !== 2 || names[0] !== HEADER[0] || names[1] !== HEADER[1]) {
		throw invalidField('line 1', `must be the header ${HEADER.join(',')}`);
	}
	const texts = new Map<string, string>();
	const faults: Fault[] = [];
	for (const {record, info} of records) {
		const [key = '', text = ''] = record;
		const message = faultOf(record, texts.get(key.trim()));
		// `lines` counts to the record's end, where a text runs over several.
		if (message) faults.push({pointer: `line ${info.lines}`, message});
		else texts.set(key.trim(), text);
	}
	const [first] = faults;
	if (first) throw new DomainError('field_invalid', `${first.pointer}: ${first.message}`, {faults});
	return texts;
}

function faultOf(record: readonly string[], former: string | undefined): string | undefined {
	if (record.length !== 2) return 'must have a key and a text; a text with commas needs quotes';
	if (record[0]!.trim() === '') return 'must have a key';
	return former === undefined || former === record[1] ? undefined : 'gives a key a second text';
}

function readRecords(bytes: Buffer): readonly CsvRecord[] {
	let text: string;
	try {
		text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
	} catch {
		throw invalidField('', 'is not UTF-8');
	}
	try {
		return parse(text, {
			info: true,
			relax_column_count: true,
			skip_empty_lines: true,
		}) as unknown as CsvRecord[];
	} catch (error) {
		const {lines} = error as {lines?: number};
		throw invalidField(`line ${lines ?? 1}`, 'is no CSV: a quote is not closed or stands inside a text');
	}
}

/**
 * The value with every `{{KEY}}` in its texts replaced, wherever it stands; one without a translation stays. What is put
 * in is not looked into again. Error: `field_invalid` where the value is nested beyond all reason, or grows so.
 */
export function replaceTokens(value: unknown, texts: Translations): unknown {
	let room = MAX_PUT_IN;
	const textOf = (token: string, key: string): string => {
		const text = texts.get(key);
		if (text === undefined) return token;
		room -= text.length;
		if (room < 0) throw invalidField('locale', `puts more than ${MAX_PUT_IN} letters into the layout`);
		return text;
	};
	const replaced = (value: unknown, depth: number): unknown => {
		if (typeof value === 'string') return value.replaceAll(TOKEN, textOf);
		if (typeof value !== 'object' || value === null) return value;
		if (depth === MAX_DEPTH) throw invalidField('', `is nested in more than ${MAX_DEPTH} levels`);
		if (Array.isArray(value)) return value.map(each => replaced(each, depth + 1));
		return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, depth + 1)]));
	};
	return replaced(value, 0);
}

/** A language tag in its one spelling (`en_us` is `en-US`); undefined where it is none. */
export function localeOf(text: string): string | undefined {
	try {
		return Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0];
	} catch {
		return undefined;
	}
}
