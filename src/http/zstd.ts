import {decompress, init} from '@bokuweb/zstd-wasm';
import {DomainError} from '../errors.ts';

/** Unpacked on the event loop at some 400 MB/s: beyond this, other requests would feel it. */
export const MAX_ZSTD_BYTES = 16 * 1024 * 1024;
/** Each costs a fixed effort, however little is in it. */
const MAX_FRAMES = 64;

const FRAME = 0xfd2fb528;
const SKIPPABLE_FRAMES = 0x184d2a50;
const REPEATED_BYTE = 1;

let ready: Promise<void> | undefined;

/**
 * Unpacks a zstd body (RFC 8878) of one or more frames. Nothing longer than `maxBytes` is ever allocated: a frame that
 * states its length is refused by that, another is unpacked into what is left and given up when it does not fit.
 * Errors: `body_too_large`, `body_unreadable`.
 */
export async function unzstd(packed: Buffer, maxBytes: number): Promise<Buffer> {
	const limit = Math.min(maxBytes, MAX_ZSTD_BYTES);
	ready ??= init();
	await ready;
	const parts: Uint8Array[] = [];
	let left = limit;
	for (const frame of framesOf(packed)) {
		if ((frame.contentBytes ?? 0) > left) throw tooLarge(limit);
		const part = unpackFrame(frame.bytes, left, limit);
		left -= part.length;
		parts.push(part);
	}
	return Buffer.concat(parts);
}

function unpackFrame(bytes: Buffer, room: number, limit: number): Uint8Array {
	try {
		return decompress(bytes, {defaultHeapSize: room});
	} catch (error) {
		// zstd's own number for "the destination is too small".
		if (/ -70$/.test((error as Error).message)) throw tooLarge(limit);
		throw unreadable(error);
	}
}

interface Frame {
	readonly bytes: Buffer;
	/** As the frame states it. */
	readonly contentBytes: number | undefined;
}

/** The frames by their headers alone, skippable ones left out; the library takes a single one and trusts its header. */
function framesOf(packed: Buffer): Frame[] {
	const frames: Frame[] = [];
	let at = 0;
	for (let count = 1; at < packed.length; count++) {
		if (count > MAX_FRAMES) throw unreadable(new Error(`more than ${MAX_FRAMES} frames`));
		const magic = at + 8 <= packed.length ? packed.readUInt32LE(at) : 0;
		if (magic >>> 4 === SKIPPABLE_FRAMES >>> 4) {
			at += 8 + packed.readUInt32LE(at + 4);
		} else {
			if (magic !== FRAME) throw unreadable(new Error('no frame begins here'));
			const {end, contentBytes} = extentOf(packed, at);
			frames.push({bytes: packed.subarray(at, end), contentBytes});
			at = end;
		}
	}
	if (at > packed.length) throw unreadable(new Error('the last frame is cut off'));
	return frames;
}

/** Where the frame at `start` ends, and how long it says its content is (RFC 8878, 3.1.1). */
function extentOf(packed: Buffer, start: number): {end: number; contentBytes: number | undefined} {
	const descriptor = packed[start + 4]!;
	const isSingleSegment = (descriptor & 0x20) !== 0;
	const dictionaryIdBytes = [0, 1, 2, 4][descriptor & 3]!;
	const sizeFlag = descriptor >> 6;
	const sizeBytes = sizeFlag === 0 ? Number(isSingleSegment) : 1 << sizeFlag;
	let at = start + 5 + Number(!isSingleSegment) + dictionaryIdBytes;
	const contentBytes = sizeBytes === 0 ? undefined : readSize(packed, at, sizeBytes);
	at += sizeBytes;
	for (let isLast = false; !isLast; ) {
		if (at + 3 > packed.length) throw unreadable(new Error('a block is cut off'));
		const header = packed.readUIntLE(at, 3);
		isLast = (header & 1) === 1;
		at += 3 + (((header >> 1) & 3) === REPEATED_BYTE ? 1 : header >> 3);
	}
	const hasChecksum = (descriptor & 0x04) !== 0;
	return {end: at + (hasChecksum ? 4 : 0), contentBytes};
}

function readSize(packed: Buffer, at: number, bytes: number): number {
	if (at + bytes > packed.length) throw unreadable(new Error('a frame header is cut off'));
	if (bytes === 8) return Number(packed.readBigUInt64LE(at));
	return packed.readUIntLE(at, bytes) + (bytes === 2 ? 256 : 0);
}

function tooLarge(limit: number): DomainError {
	return new DomainError('body_too_large', `the body is longer than ${limit} bytes`);
}

function unreadable(cause: unknown): DomainError {
	return new DomainError('body_unreadable', 'the body is not whole, sound zstd', {cause});
}
