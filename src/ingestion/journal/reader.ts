import {open, stat} from 'node:fs/promises';
import {decodeRecord, frameLength, type JournalRecord} from './record.ts';
import {isBefore, type JournalPosition, type PlacedRecord, segmentFile} from './segments.ts';

const READ_BYTES = 8 * 1024 * 1024;
/** Most records are shorter; a longer one takes a second read. */
const ONE_RECORD_BYTES = 4 * 1024;

export interface Slice {
	readonly records: readonly JournalRecord[];
	/** Where the first record begins, and how far behind it each of them does. */
	readonly start: JournalPosition;
	readonly offsets: readonly number[];
	/** Where the next slice begins. */
	readonly end: JournalPosition;
	readonly bytes: number;
}

/**
 * Up to `maxBytes` of whole records between `from` and `until` (both record borders), never across a segment's end.
 * A record that cannot be read inside the durable part is damage, not a torn tail, and is thrown.
 */
export async function readSlice(
	directory: string,
	from: JournalPosition,
	until: JournalPosition,
	maxBytes: number,
): Promise<Slice> {
	let {segment, offset} = from;
	let limit = await endOf(directory, segment, until);
	while (segment < until.segment && offset >= limit) {
		segment += 1;
		offset = 0;
		limit = await endOf(directory, segment, until);
	}
	const start = {segment, offset};
	if (!isBefore(start, until)) {
		return {records: [], offsets: [], start, end: start, bytes: 0};
	}
	const bytes = await readAtLeastOne(segmentFile(directory, segment), offset, limit, maxBytes);
	const records: JournalRecord[] = [];
	const offsets: number[] = [];
	let at = 0;
	for (let decoded = decodeRecord(bytes, 0); decoded; decoded = decodeRecord(bytes, at)) {
		records.push(decoded.record);
		offsets.push(at);
		at = decoded.next;
	}
	if (records.length === 0) {
		throw new Error(`journal segment ${segment} is damaged at byte ${offset}`);
	}
	return {records, offsets, start, end: {segment, offset: offset + at}, bytes: at};
}

/** Every record between two places, in order, and where it lies. */
export async function* readAll(
	directory: string,
	from: JournalPosition,
	until: JournalPosition,
): AsyncGenerator<PlacedRecord> {
	for (let at = from; isBefore(at, until); ) {
		const slice = await readSlice(directory, at, until, READ_BYTES);
		const {segment, offset} = slice.start;
		for (const [index, record] of slice.records.entries()) {
			yield {record, at: {segment, offset: offset + slice.offsets[index]!}};
		}
		at = slice.end;
	}
}

/** The one record that begins at a place. It must not have been released. */
export async function readRecord(directory: string, at: JournalPosition): Promise<JournalRecord> {
	const {size} = await stat(segmentFile(directory, at.segment));
	const bytes = await readAtLeastOne(segmentFile(directory, at.segment), at.offset, size, ONE_RECORD_BYTES);
	const decoded = decodeRecord(bytes, 0);
	if (!decoded) throw new Error(`journal segment ${at.segment} is damaged at byte ${at.offset}`);
	return decoded.record;
}

/** A closed segment ends with its file, the newest one with what is durable. */
async function endOf(directory: string, segment: number, until: JournalPosition): Promise<number> {
	return segment < until.segment ? (await stat(segmentFile(directory, segment))).size : until.offset;
}

/** Reads `maxBytes`, or the whole first record where that is longer. */
async function readAtLeastOne(
	file: string,
	offset: number,
	limit: number,
	maxBytes: number,
): Promise<Buffer> {
	const handle = await open(file, 'r');
	try {
		const first = Buffer.alloc(Math.min(limit - offset, maxBytes));
		await handle.read(first, 0, first.length, offset);
		const needed = frameLength(first, 0) ?? 0;
		if (needed <= first.length || offset + needed > limit) return first;
		const whole = Buffer.alloc(needed);
		await handle.read(whole, 0, needed, offset);
		return whole;
	} finally {
		await handle.close();
	}
}
