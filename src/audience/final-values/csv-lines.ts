import {readFile} from 'node:fs/promises';
import {CsvError, parse} from 'csv-parse/sync';
import type {LineFault} from '../../bulk/job-executions/job-executions.ts';
import {tsvText} from '../../lib/tsv.ts';
import {faultOfPath, type SchemaTypes} from '../datamart-schemas/datamart-schemas.ts';

/** A file of final values (specification, "Final values import"): a header, then lines of levels and one value. */
export const MAX_LINES = 100_000;
const MAX_LEVELS = 8;
const MAX_VALUE = 1_000;

/** Where reading goes on: at the beginning of a record. */
export interface CsvPlace {
	/** In bytes. */
	readonly offset: number;
	/** Of the file, from 1. */
	readonly line: number;
}

export interface HeaderTask {
	readonly kind: 'header';
	readonly file: string;
}

export interface ValuesTask {
	readonly kind: 'values';
	readonly file: string;
	readonly from: CsvPlace;
	readonly levels: number;
	readonly maxRecords: number;
	readonly schema: SchemaTypes;
	readonly datamartId: number;
	readonly executionId: number;
}

export interface CsvHeader {
	/** What is wrong with the header; undefined where nothing is. */
	readonly fault: string | undefined;
	readonly levels: number;
	/** Lines of values; one more than allowed where there are more. */
	readonly lines: number;
	/** Where the first line of values begins. */
	readonly values: CsvPlace;
}

export interface CsvValues {
	readonly next: CsvPlace;
	readonly isLast: boolean;
	readonly good: number;
	readonly faults: readonly LineFault[];
	/** TabSeparated rows of final_values_v1. */
	readonly payload: Uint8Array;
}

export const FINAL_VALUE_COLUMNS = ['datamart_id', 'execution_id', 'path', 'value', 'folded'];

/** As values are compared by search: composed, in lower case. */
export function folded(text: string): string {
	return text.normalize('NFC').toLowerCase();
}

/** One record of a file, between two offsets, and the line it begins on. */
interface Span {
	readonly start: number;
	readonly end: number;
	readonly line: number;
}

const [NEWLINE, RETURN, QUOTE] = [0x0a, 0x0d, 0x22];

/**
 * Where records begin and end: at line ends that stand in no quotes. Empty lines are none. The library tells places too,
 * at three times the cost of its parsing.
 */
function spansOf(
	bytes: Buffer,
	{offset, line: first}: CsvPlace,
	most: number,
): {spans: Span[]; next: CsvPlace} {
	const spans: Span[] = [];
	let [start, line, at] = [offset, first, offset];
	let startLine = first;
	let isQuoted = false;
	for (; at < bytes.length && spans.length < most; at++) {
		const byte = bytes[at]!;
		if (byte === QUOTE) isQuoted = !isQuoted;
		if (byte !== NEWLINE && (byte !== RETURN || bytes[at + 1] === NEWLINE)) continue;
		line++;
		if (isQuoted) continue;
		const end = byte === NEWLINE && bytes[at - 1] === RETURN ? at - 1 : at;
		if (end > start) spans.push({start, end, line: startLine});
		start = at + 1;
		startLine = line;
	}
	if (spans.length < most && start < bytes.length) {
		spans.push({start, end: bytes.length, line: startLine});
		start = bytes.length;
	}
	return {spans, next: {offset: start, line: startLine}};
}

const OPTIONS = {
	relax_column_count: true,
	skip_empty_lines: true,
	record_delimiter: ['\r\n', '\n', '\r'],
	// Beyond it a quote was never closed: what follows is not one value.
	max_record_size: 1024 * 1024,
};

/** Looks at the header and counts the lines; what they say is not looked at. */
export async function readHeader({file}: HeaderTask): Promise<CsvHeader> {
	const bytes = await readFile(file);
	const begin = {offset: hasByteOrderMark(bytes) ? 3 : 0, line: 1};
	const {spans, next: values} = spansOf(bytes, begin, 1);
	const lines = spansOf(bytes, values, MAX_LINES + 1).spans.length;
	const cells = cellsOf(bytes, spans[0]);
	if (!cells) return {fault: 'is not CSV', levels: 0, lines, values};
	return {fault: faultOfHeader(cells), levels: cells.length - 1, lines, values};
}

function hasByteOrderMark(bytes: Buffer): boolean {
	return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function cellsOf(bytes: Buffer, span: Span | undefined): string[] | undefined {
	if (!span) return [];
	try {
		return parse(bytes.subarray(span.start, span.end), OPTIONS)[0] ?? [];
	} catch (error) {
		if (error instanceof CsvError) return undefined;
		throw error;
	}
}

function faultOfHeader(cells: readonly string[]): string | undefined {
	const names = cells.map(cell => cell.trim().toLowerCase());
	const levels = names.slice(0, -1);
	if (names.at(-1) !== 'final_value') return 'must end with final_value';
	if (levels.length < 1 || levels.length > MAX_LEVELS)
		return `must have 1 to ${MAX_LEVELS} levels before final_value`;
	const wrong = levels.findIndex((name, index) => name !== `level${index + 1}`);
	return wrong < 0 ? undefined : `must have level${wrong + 1} as column ${wrong + 1}`;
}

/** The next lines, checked against the schema, as rows for the warehouse. */
export async function readValues(task: ValuesTask): Promise<CsvValues> {
	const {file, from, levels, maxRecords, schema, datamartId, executionId} = task;
	const bytes = await readFile(file);
	const {spans, next} = spansOf(bytes, from, maxRecords);
	const {records, brokenAt} = recordsOf(bytes, spans);
	const faults: LineFault[] = [];
	const rows: string[] = [];
	const faultOf = pathChecker(schema);
	for (const [index, record] of records.entries()) {
		const told = faultOfRecord(record, levels, faultOf);
		if (told) {
			faults.push({line: spans[index]!.line, ...told});
			continue;
		}
		const path = pathOf(record).join('.');
		const value = record.at(-1)!;
		rows.push(
			`${datamartId}\t${executionId}\t${tsvText(path)}\t${tsvText(value)}\t${tsvText(folded(value))}\n`,
		);
	}
	if (brokenAt !== undefined) {
		const message = 'is not CSV from here on: a quote is not closed, or stands inside a value';
		faults.push({line: brokenAt, pointer: '', message});
	}
	const isLast = brokenAt !== undefined || next.offset >= bytes.length;
	return {next, isLast, good: rows.length, faults, payload: Buffer.from(rows.join(''))};
}

/** The cells of each record, up to the line where the file stops being CSV. */
function recordsOf(
	bytes: Buffer,
	spans: readonly Span[],
): {records: string[][]; brokenAt: number | undefined} {
	const [first, last] = [spans[0], spans.at(-1)];
	if (!first || !last) return {records: [], brokenAt: undefined};
	const text = bytes.subarray(first.start, last.end);
	try {
		const records: string[][] = parse(text, OPTIONS);
		return {records, brokenAt: records.length === spans.length ? undefined : last.line};
	} catch (error) {
		if (!(error instanceof CsvError)) throw error;
	}
	// Once more for what stands before the fault: being told of each record costs twice the parsing.
	const records: string[][] = [];
	const on_record = (record: string[]) => void records.push(record);
	try {
		parse(text, {...OPTIONS, on_record});
	} catch (error) {
		if (!(error instanceof CsvError)) throw error;
	}
	return {records, brokenAt: spans[records.length]?.line ?? last.line};
}

/** A path is looked up once, however many values it has. */
function pathChecker(schema: SchemaTypes): (levels: readonly string[]) => string | undefined {
	const known = new Map<string, string | undefined>();
	return levels => {
		const key = levels.join('\0');
		if (!known.has(key)) known.set(key, faultOfPath(levels, schema));
		return known.get(key);
	};
}

/** Levels up to the last one that is filled. */
function pathOf(record: readonly string[]): string[] {
	const levels = record.slice(0, -1).map(level => level.trim());
	while (levels.at(-1) === '') levels.pop();
	return levels;
}

function faultOfRecord(
	record: readonly string[],
	levels: number,
	faultOf: (levels: readonly string[]) => string | undefined,
): {readonly pointer: string; readonly message: string} | undefined {
	if (record.length !== levels + 1) {
		return {pointer: '', message: `has ${record.length} columns; the header has ${levels + 1}`};
	}
	const path = pathOf(record);
	const gap = path.indexOf('');
	if (gap >= 0) return {pointer: `level${gap + 1}`, message: 'is empty before a level that is not'};
	const fault = faultOf(path);
	if (fault) {
		const [pointer = '', ...message] = fault.split(': ');
		return {pointer, message: message.join(': ')};
	}
	const value = record.at(-1)!;
	if (value.trim() === '') return {pointer: 'final_value', message: 'is empty'};
	if (value.length > MAX_VALUE)
		return {pointer: 'final_value', message: `is longer than ${MAX_VALUE} characters`};
	return undefined;
}
