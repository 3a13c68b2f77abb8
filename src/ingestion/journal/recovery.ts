import {type FileHandle, mkdir, rm, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {syncDirectory} from '../../lib/files.ts';
import {
	cutTail,
	isBefore,
	type JournalPosition,
	listSegments,
	openSegment,
	segmentFile,
	soundPart,
} from './segments.ts';

export interface RecoveryOptions {
	readonly directory: string;
	/** The first arrival that is certainly free, from the drain's checkpoint. */
	readonly nextArrival: number;
	/** How far the stores have it, from the drain's checkpoint. */
	readonly confirmed?: JournalPosition;
	/** Told of a tail that a crash left half written and that is cut off. */
	readonly onCut?: (cut: {segment: number; offset: number; bytes: number}) => void;
}

/** What a journal goes on from; everything in it is on disk. */
export interface Recovered {
	/** Of the newest segment, open for writing. */
	readonly handle: FileHandle;
	readonly segment: number;
	readonly length: number;
	/** Bytes of the closed segments by number, oldest first. */
	readonly sizes: Map<number, number>;
	readonly nextArrival: number;
}

/**
 * Opens the directory of a journal, however the last one ended, and makes it when missing.
 * Errors: what the stores do not have yet, or had, is missing or damaged: a crash does not leave that behind.
 */
export async function recover(options: RecoveryOptions): Promise<Recovered> {
	const {directory, confirmed} = options;
	await mkdir(directory, {recursive: true, mode: 0o700});
	// A new directory's own name has to survive a power cut as well.
	await syncDirectory(dirname(directory));
	const segments = await segmentsInUse(directory, confirmed);
	let {nextArrival} = options;
	const sizes = new Map<number, number>();
	for (const segment of segments.slice(0, -1)) {
		sizes.set(segment, (await stat(segmentFile(directory, segment))).size);
	}
	const newest = segments.at(-1);
	let length = 0;
	if (newest !== undefined) {
		const tail = await soundPart(directory, newest);
		length = tail.length;
		nextArrival = Math.max(nextArrival, tail.nextArrival);
		if (tail.nextArrival === 0 && segments.length > 1) {
			const before = await soundPart(directory, segments.at(-2)!);
			nextArrival = Math.max(nextArrival, before.nextArrival);
		}
		// What the stores have was sound once: this is damage, and not what a crash leaves behind.
		if (confirmed && isBefore({segment: newest, offset: length}, confirmed)) {
			throw new Error(`journal segment ${newest} is damaged at byte ${length}, before what was drained`);
		}
		if (tail.rest > 0) {
			options.onCut?.({segment: newest, offset: length, bytes: tail.rest});
			await cutTail(directory, newest, length);
		}
	}
	const segment = newest ?? 1;
	const handle = await openSegment(directory, segment);
	// After a kill the end of the segment may be in memory alone.
	await handle.datasync();
	await syncDirectory(directory);
	return {handle, segment, length, sizes, nextArrival};
}

/**
 * Those that follow one another up to the newest. Segments before a gap were released, and a power cut brought their
 * names back: they go. A gap in what was not released is damage.
 */
async function segmentsInUse(directory: string, confirmed: JournalPosition | undefined): Promise<number[]> {
	const listed = await listSegments(directory);
	const newest = listed.at(-1);
	const afterGap = listed.findLastIndex((segment, index) => index > 0 && listed[index - 1] !== segment - 1);
	const inUse = listed.slice(Math.max(0, afterGap));
	const needed = confirmed?.segment ?? inUse[0] ?? 1;
	const missing = newest === undefined ? needed > 1 : inUse[0]! > needed || newest < needed;
	if (missing)
		throw new Error(`journal segment ${needed} is missing, and what it held is not in every store`);
	for (const segment of listed.slice(0, Math.max(0, afterGap))) {
		await rm(segmentFile(directory, segment), {force: true});
	}
	return inUse;
}
