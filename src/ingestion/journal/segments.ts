import {constants} from 'node:fs';
import {type FileHandle, open, readdir, readFile, truncate} from 'node:fs/promises';
import path from 'node:path';
import {decodeRecord, type JournalRecord} from './record.ts';

/** A place in the journal: which segment, how many bytes into it. */
export interface JournalPosition {
	readonly segment: number;
	readonly offset: number;
}

/** A record and where it lies. */
export interface PlacedRecord {
	readonly record: JournalRecord;
	readonly at: JournalPosition;
}

const SUFFIX = '.journal';

export function segmentFile(directory: string, segment: number): string {
	return path.join(directory, String(segment).padStart(10, '0') + SUFFIX);
}

/** O_DSYNC: a write returns once it is on disk, one trip to the thread pool instead of two. */
const OPEN_SEGMENT = constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC;

/** For writing; made when missing. */
export function openSegment(directory: string, segment: number): Promise<FileHandle> {
	return open(segmentFile(directory, segment), OPEN_SEGMENT, 0o600);
}

/** Numbers of the segments on disk, oldest first. */
export async function listSegments(directory: string): Promise<number[]> {
	const names = await readdir(directory);
	return names
		.filter(name => name.endsWith(SUFFIX))
		.map(name => Number.parseInt(name, 10))
		.sort((a, b) => a - b);
}

export function isBefore(a: JournalPosition, b: JournalPosition): boolean {
	return a.segment < b.segment || (a.segment === b.segment && a.offset < b.offset);
}

/** A segment's sound beginning, and the first arrival that is free after it (0 where it has no record). */
export interface SoundPart {
	readonly length: number;
	readonly nextArrival: number;
	/** Bytes behind the sound part. */
	readonly rest: number;
}

export async function soundPart(directory: string, segment: number): Promise<SoundPart> {
	const bytes = await readFile(segmentFile(directory, segment));
	let length = 0;
	let nextArrival = 0;
	for (let decoded = decodeRecord(bytes, 0); decoded; decoded = decodeRecord(bytes, length)) {
		length = decoded.next;
		nextArrival = decoded.record.arrival + decoded.record.rows;
	}
	return {length, nextArrival, rest: bytes.length - length};
}

/** Cuts what a crash left half written at the end of the newest segment: nobody was answered for it. */
export async function cutTail(directory: string, segment: number, length: number): Promise<void> {
	await truncate(segmentFile(directory, segment), length);
}
