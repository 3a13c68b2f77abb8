import {crc32} from 'node:zlib';

/**
 * One accepted activity as the journal keeps it: everything the drain needs, so that a replay depends on nothing else.
 * On disk: u32 length, u32 crc32 of the payload, payload (fixed header, user agent, body), little endian.
 */
export interface JournalRecord {
	readonly datamartId: number;
	/** The compartment of account identifiers that name none. */
	readonly defaultCompartmentId: number;
	/** Receipt, epoch ms: the activity's time where it brings none. */
	readonly receivedMs: number;
	/** Row counter of this instance at acceptance: the tie-break of the timeline. Strictly rising. */
	readonly arrival: number;
	/** How many of the counter's values the activity takes: one a fact row, at least one. */
	readonly rows: number;
	/** The request's own User-Agent header, '' when it had none. */
	readonly userAgent: string;
	/** The activity as JSON text in UTF-8. */
	readonly body: Buffer;
}

const FRAME_BYTES = 8;
const HEADER_BYTES = 32;
const VERSION = 1;
/** A length beyond this is a torn or foreign frame, not a record. */
export const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

export function encodeRecord(record: JournalRecord): Buffer {
	const userAgent = Buffer.from(record.userAgent.slice(0, 1024), 'utf8');
	const payloadBytes = HEADER_BYTES + userAgent.length + record.body.length;
	const frame = Buffer.allocUnsafe(FRAME_BYTES + payloadBytes);
	let at = FRAME_BYTES;
	at = frame.writeUInt8(VERSION, at);
	at = frame.writeUInt8(0, at);
	at = frame.writeUInt16LE(userAgent.length, at);
	at = frame.writeUInt32LE(record.datamartId, at);
	at = frame.writeDoubleLE(record.receivedMs, at);
	at = frame.writeDoubleLE(record.arrival, at);
	at = frame.writeUInt32LE(record.rows, at);
	at = frame.writeUInt32LE(record.defaultCompartmentId, at);
	at += userAgent.copy(frame, at);
	record.body.copy(frame, at);
	frame.writeUInt32LE(payloadBytes, 0);
	frame.writeUInt32LE(crc32(frame.subarray(FRAME_BYTES)), 4);
	return frame;
}

export interface DecodedRecord {
	readonly record: JournalRecord;
	/** Offset of the first byte after the record. */
	readonly next: number;
}

/** The record at `offset`, or `undefined` where no whole, sound record begins. */
export function decodeRecord(bytes: Buffer, offset: number): DecodedRecord | undefined {
	if (offset + FRAME_BYTES + HEADER_BYTES > bytes.length) return undefined;
	const length = bytes.readUInt32LE(offset);
	const next = offset + FRAME_BYTES + length;
	if (length < HEADER_BYTES || length > MAX_PAYLOAD_BYTES || next > bytes.length) return undefined;
	const payload = bytes.subarray(offset + FRAME_BYTES, next);
	if (crc32(payload) !== bytes.readUInt32LE(offset + 4) || payload.readUInt8(0) !== VERSION) return undefined;
	const bodyAt = HEADER_BYTES + payload.readUInt16LE(2);
	return {
		next,
		record: {
			datamartId: payload.readUInt32LE(4),
			receivedMs: payload.readDoubleLE(8),
			arrival: payload.readDoubleLE(16),
			rows: payload.readUInt32LE(24),
			defaultCompartmentId: payload.readUInt32LE(28),
			userAgent: payload.toString('utf8', HEADER_BYTES, bodyAt),
			body: payload.subarray(bodyAt),
		},
	};
}

/** Length of the frame that begins at `offset`, when its first bytes are there; for reading ahead. */
export function frameLength(bytes: Buffer, offset: number): number | undefined {
	return offset + 4 > bytes.length ? undefined : FRAME_BYTES + bytes.readUInt32LE(offset);
}
