import {crc32} from 'node:zlib';

/**
 * One accepted activity as the journal keeps it: everything the drain needs, so that a replay depends on nothing else.
 * On disk: u32 length, u32 crc32 of the payload, payload (fixed header, replay and keys where
 * flagged, wait or outcome where flagged, user agent, body), little endian.
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
	/** Keyed hashes (16 bytes, at most 3) under which it is accepted once; none for most. */
	readonly keys?: readonly Buffer[];
	/** Present where the activity comes again from the dead letters. */
	readonly replay?: Replay;
	/** Accepted, and on its way through its channel's analyzers: what is stored is their outcome, a record behind it. */
	readonly waits?: {readonly channelId: number};
	/** Present where the activity comes out of the analyzers it waited for. */
	readonly outcome?: Outcome;
	/** No activity: what a query cost whoever asked it (analytics/resource-usage/usage-facts.ts). */
	readonly usage?: true;
	/** No activity: it links identifiers to one person. Its body holds `$user_identifiers` alone, and no row comes of it. */
	readonly association?: true;
}

/** What the analyzers made of a waiting record. */
export interface Outcome {
	/** The arrival of the record that waited. */
	readonly of: number;
	/**
	 * `kept`: it stands in that record's place; `moved`: it has more rows than that one reserved and stands in its own;
	 * `dropped`: it is not stored, and has no body; `unanalysed`: they could not be asked, and it becomes a dead letter.
	 */
	readonly kind: 'kept' | 'moved' | 'dropped' | 'unanalysed';
}

/** Whether the stores get rows of it as an activity: one that waits is passed over, its outcome comes behind it. */
export function isDue(record: JournalRecord): boolean {
	return !record.usage && record.waits === undefined && record.outcome?.kind !== 'dropped';
}

/** Whether it is an activity as somebody sent it, and not one that is already accepted on its way again. */
export function isAcceptance({usage, replay, outcome}: JournalRecord): boolean {
	return !(usage || replay || outcome);
}

/** Where a record's rows stand in the order of arrival: its own place, or that of the acceptance it completes. */
export function placeOf({arrival, replay, outcome}: JournalRecord, instance: number): Stamp {
	if (replay?.stamp) return replay.stamp;
	const isInItsPlace = outcome?.kind === 'kept' || outcome?.kind === 'unanalysed';
	return {instance, arrival: isInItsPlace ? outcome.of : arrival};
}

/** A record that replays a letter. */
export type ReplayRecord = JournalRecord & {readonly replay: Replay};

/** What a replay keeps of the acceptance it repeats. */
export interface Replay {
	/** Of several records that replay one letter the stores take the first they meet. */
	readonly letterId: number;
	/** The stamp of the first acceptance; absent where the activity now needs more rows than that one reserved. */
	readonly stamp?: Stamp;
}

/** Who accepted an activity, and as which: its place among rows of one ms. */
export interface Stamp {
	readonly instance: number;
	readonly arrival: number;
}

const FRAME_BYTES = 8;
const HEADER_BYTES = 32;
const VERSION = 1;
/** Flag: letter (f64), instance (u16, 0 without a stamp) and arrival (f64) of a replay follow the header. */
const HAS_REPLAY = 1;
const REPLAY_BYTES = 18;
/** Two bits of the flags: how many keys follow. */
const KEYS_SHIFT = 1;
const KEYS_MASK = 0b11;
const KEY_BYTES = 16;
/** Flag: the channel (f64) follows the keys. */
const WAITS = 8;
const WAITS_BYTES = 8;
/** Flag: the arrival that waited (f64) and the kind (u8) follow the keys. */
const HAS_OUTCOME = 16;
const OUTCOME_BYTES = 9;
const IS_USAGE = 64;
const IS_ASSOCIATION = 32;
const OUTCOME_KINDS = ['kept', 'moved', 'dropped', 'unanalysed'] as const;
const NO_KEYS: readonly Buffer[] = [];
/** A length beyond this is a torn or foreign frame, not a record. */
export const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

/** Its arrival beside it: a copy of every record that has one would cost as much as encoding it. */
export function encodeRecord(record: Omit<JournalRecord, 'arrival'>, arrival: number): Buffer {
	const userAgent = Buffer.from(record.userAgent.slice(0, 1024), 'utf8');
	const {replay, waits, outcome, keys = NO_KEYS} = record;
	const optionalBytes =
		(replay ? REPLAY_BYTES : 0) + (waits ? WAITS_BYTES : 0) + (outcome ? OUTCOME_BYTES : 0);
	const payloadBytes =
		HEADER_BYTES + optionalBytes + keys.length * KEY_BYTES + userAgent.length + record.body.length;
	if (payloadBytes > MAX_PAYLOAD_BYTES) throw new RangeError(`a record of ${payloadBytes} bytes is too long`);
	const frame = Buffer.allocUnsafe(FRAME_BYTES + payloadBytes);
	let at = FRAME_BYTES;
	at = frame.writeUInt8(VERSION, at);
	at = frame.writeUInt8(flagsOf(record) | (keys.length << KEYS_SHIFT), at);
	at = frame.writeUInt16LE(userAgent.length, at);
	at = frame.writeUInt32LE(record.datamartId, at);
	at = frame.writeDoubleLE(record.receivedMs, at);
	at = frame.writeDoubleLE(arrival, at);
	at = frame.writeUInt32LE(record.rows, at);
	at = frame.writeUInt32LE(record.defaultCompartmentId, at);
	if (replay) {
		at = frame.writeDoubleLE(replay.letterId, at);
		at = frame.writeUInt16LE(replay.stamp?.instance ?? 0, at);
		at = frame.writeDoubleLE(replay.stamp?.arrival ?? 0, at);
	}
	for (const key of keys) at += key.copy(frame, at, 0, KEY_BYTES);
	if (waits) at = frame.writeDoubleLE(waits.channelId, at);
	if (outcome) {
		at = frame.writeDoubleLE(outcome.of, at);
		at = frame.writeUInt8(OUTCOME_KINDS.indexOf(outcome.kind), at);
	}
	at += userAgent.copy(frame, at);
	record.body.copy(frame, at);
	frame.writeUInt32LE(payloadBytes, 0);
	frame.writeUInt32LE(crc32(frame.subarray(FRAME_BYTES)), 4);
	return frame;
}

function flagsOf({replay, waits, outcome, usage, association}: Omit<JournalRecord, 'arrival'>): number {
	return (
		(replay ? HAS_REPLAY : 0) |
		(waits ? WAITS : 0) |
		(outcome ? HAS_OUTCOME : 0) |
		(usage ? IS_USAGE : 0) |
		(association ? IS_ASSOCIATION : 0)
	);
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
	const flags = payload.readUInt8(1);
	const hasReplay = (flags & HAS_REPLAY) !== 0;
	const keysAt = HEADER_BYTES + (hasReplay ? REPLAY_BYTES : 0);
	const waitsAt = keysAt + ((flags >> KEYS_SHIFT) & KEYS_MASK) * KEY_BYTES;
	const waits = (flags & WAITS) !== 0;
	const outcomeAt = waitsAt + (waits ? WAITS_BYTES : 0);
	const hasOutcome = (flags & HAS_OUTCOME) !== 0;
	const userAgentAt = outcomeAt + (hasOutcome ? OUTCOME_BYTES : 0);
	const bodyAt = userAgentAt + payload.readUInt16LE(2);
	const record: Writable<JournalRecord> = {
		datamartId: payload.readUInt32LE(4),
		receivedMs: payload.readDoubleLE(8),
		arrival: payload.readDoubleLE(16),
		rows: payload.readUInt32LE(24),
		defaultCompartmentId: payload.readUInt32LE(28),
		userAgent: payload.toString('utf8', userAgentAt, bodyAt),
		body: payload.subarray(bodyAt),
	};
	// Added where they are there: nearly every record is a plain activity, and all of those are of one shape.
	if (waitsAt > keysAt) record.keys = readKeys(payload.subarray(keysAt, waitsAt));
	if (hasReplay) record.replay = readReplay(payload);
	if (waits) record.waits = {channelId: payload.readDoubleLE(waitsAt)};
	if (hasOutcome) record.outcome = readOutcome(payload, outcomeAt);
	if ((flags & IS_USAGE) !== 0) record.usage = true;
	if ((flags & IS_ASSOCIATION) !== 0) record.association = true;
	return {next, record};
}

type Writable<Type> = {-readonly [Key in keyof Type]: Type[Key]};

function readKeys(bytes: Buffer): Buffer[] {
	return Array.from({length: bytes.length / KEY_BYTES}, (_, index) =>
		bytes.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES),
	);
}

function readReplay(payload: Buffer): Replay {
	const letterId = payload.readDoubleLE(HEADER_BYTES);
	const instance = payload.readUInt16LE(HEADER_BYTES + 8);
	const arrival = payload.readDoubleLE(HEADER_BYTES + 10);
	return instance === 0 ? {letterId} : {letterId, stamp: {instance, arrival}};
}

function readOutcome(payload: Buffer, at: number): Outcome {
	return {of: payload.readDoubleLE(at), kind: OUTCOME_KINDS[payload.readUInt8(at + 8)] ?? 'kept'};
}

/** Length of the frame that begins at `offset`, when its first bytes are there; for reading ahead. */
export function frameLength(bytes: Buffer, offset: number): number | undefined {
	return offset + 4 > bytes.length ? undefined : FRAME_BYTES + bytes.readUInt32LE(offset);
}
