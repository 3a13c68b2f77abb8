import {open} from 'node:fs/promises';
import {type Place, readValues, START, type Visitor} from './json-values.ts';

/** The part of a file that one job of the pool reads, and where the next one begins. */
export interface Portion {
	readonly next: Place;
	readonly isLast: boolean;
}

/** A few thousand short lines: as long as others may have to wait for the transaction that writes them. */
export const PORTION_BYTES = 512 * 1024;

/** Reads on from a place for about `PORTION_BYTES`, more where a single value is longer. */
export async function readPortion(file: string, from: Place, visitor: Visitor): Promise<Portion> {
	const handle = await open(file, 'r');
	try {
		const {size} = await handle.stat();
		let at = from;
		for (let bytes = PORTION_BYTES; ; bytes *= 2) {
			const length = Math.min(bytes, size - at.offset);
			const buffer = Buffer.allocUnsafe(length);
			await handle.read(buffer, 0, length, at.offset);
			const isLast = at.offset + length >= size;
			if (at.offset === 0 && hasByteOrderMark(buffer)) {
				at = {...START, offset: 3};
				bytes /= 2;
				continue;
			}
			const next = readValues(buffer, at, isLast, visitor);
			if (next.offset > at.offset || isLast) return {next, isLast};
		}
	} finally {
		await handle.close();
	}
}

function hasByteOrderMark(bytes: Buffer): boolean {
	return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
