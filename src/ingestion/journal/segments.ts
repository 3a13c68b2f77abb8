import {readdir, readFile, truncate} from 'node:fs/promises';
import path from 'node:path';
import {decodeRecord} from './record.ts';

/** A place in the journal: which segment, how many bytes into it. */
export interface JournalPosition {
	readonly segment: number;
	readonly offset: number;
}

const SUFFIX = '.journal';

export function segmentFile(directory: string, segment: number): string {
	return path.join(directory, String(segment).padStart(10, '0') + SUFFIX);
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

/**
 * Cuts what a crash left half written at the end of the newest segment: nobody was answered for it.
 * Answers the sound length and the first arrival that is free after it (0 where the segment is empty).
 */
export async function repairTail(
	directory: string,
	segment: number,
): Promise<{length: number; nextArrival: number; cutBytes: number}> {
	const file = segmentFile(directory, segment);
	const bytes = await readFile(file);
	let offset = 0;
	let nextArrival = 0;
	for (let decoded = decodeRecord(bytes, 0); decoded; decoded = decodeRecord(bytes, offset)) {
		offset = decoded.next;
		nextArrival = decoded.record.arrival + decoded.record.rows;
	}
	if (offset < bytes.length) await truncate(file, offset);
	return {length: offset, nextArrival, cutBytes: bytes.length - offset};
}
