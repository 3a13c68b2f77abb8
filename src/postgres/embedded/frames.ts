/** Just enough of PostgreSQL's frontend protocol (version 3) to know where a client's batch ends. */

const SSL_REQUEST = 80877103;
const GSS_REQUEST = 80877104;
const CANCEL_REQUEST = 80877102;
const PROTOCOL_3 = 196608;
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

const QUERY = 0x51;
const SYNC = 0x53;
const FLUSH = 0x48;
const TERMINATE = 0x58;
/** CopyData, CopyDone, CopyFail: COPY needs a session of its own, which the embedded engine cannot give. */
const COPY = new Set([0x64, 0x63, 0x66]);

export type Frame =
	| {readonly kind: 'startup' | 'refuse_encryption' | 'end'}
	/** Messages that belong together: up to a Sync, a simple Query or a Flush. */
	| {readonly kind: 'batch'; readonly bytes: Buffer};

/** Cuts one connection's byte stream into frames. */
export class FrameReader {
	#chunks: Buffer[] = [];
	#length = 0;
	/** No use looking before this many bytes are there: keeps a large message from being copied per chunk. */
	#needed = 4;
	#started = false;
	#batch: Buffer[] = [];

	/** What became complete with this chunk, in order. */
	push(chunk: Buffer): Frame[] {
		this.#chunks.push(chunk);
		this.#length += chunk.length;
		if (this.#length < this.#needed) return [];
		let rest = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#length);
		const frames: Frame[] = [];
		for (;;) {
			const size = this.#sizeOfNext(rest);
			if (size === undefined || size > rest.length) {
				this.#needed = size ?? rest.length + 1;
				break;
			}
			const frame = this.#started ? this.#message(rest.subarray(0, size)) : this.#greeting(rest);
			rest = rest.subarray(size);
			if (frame) frames.push(frame);
			if (frame?.kind === 'end') break;
		}
		this.#chunks = rest.length > 0 ? [rest] : [];
		this.#length = rest.length;
		return frames;
	}

	/** Startup messages have no type byte. */
	#sizeOfNext(bytes: Buffer): number | undefined {
		const header = this.#started ? 1 : 0;
		if (bytes.length < header + 4) return undefined;
		const size = header + bytes.readInt32BE(header);
		if (size < header + 4 || size > MAX_MESSAGE_BYTES) throw new RangeError('malformed protocol message');
		return size;
	}

	#greeting(bytes: Buffer): Frame {
		const code = bytes.length >= 8 ? bytes.readInt32BE(4) : 0;
		if (code === SSL_REQUEST || code === GSS_REQUEST) return {kind: 'refuse_encryption'};
		if (code === CANCEL_REQUEST) return {kind: 'end'};
		if (code !== PROTOCOL_3) throw new RangeError(`unknown protocol ${code}`);
		this.#started = true;
		return {kind: 'startup'};
	}

	#message(bytes: Buffer): Frame | undefined {
		const type = bytes[0]!;
		if (type === TERMINATE) return {kind: 'end'};
		if (COPY.has(type)) throw new RangeError('COPY is not available on the embedded engine');
		this.#batch.push(bytes);
		if (type !== QUERY && type !== SYNC && type !== FLUSH) return undefined;
		const batch = this.#batch.length === 1 ? bytes : Buffer.concat(this.#batch);
		this.#batch = [];
		return {kind: 'batch', bytes: batch};
	}
}

/** The transaction status of an answer that ends in ReadyForQuery: idle, in a transaction, or in a failed one. */
export function statusAfter(answer: Uint8Array): 'I' | 'T' | 'E' | undefined {
	const start = answer.length - 6;
	if (start < 0 || answer[start] !== 0x5a || answer[start + 4] !== 5) return undefined;
	const status = String.fromCharCode(answer[start + 5]!);
	return status === 'I' || status === 'T' || status === 'E' ? status : undefined;
}

export function simpleQuery(sql: string): Buffer {
	const text = Buffer.from(`${sql}\0`);
	const message = Buffer.alloc(5 + text.length);
	message[0] = QUERY;
	message.writeInt32BE(4 + text.length, 1);
	text.copy(message, 5);
	return message;
}

export const SYNC_MESSAGE = Buffer.from([SYNC, 0, 0, 0, 4]);

export function startupMessage(user: string, database: string): Buffer {
	const body = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
	const message = Buffer.alloc(8 + body.length);
	message.writeInt32BE(message.length, 0);
	message.writeInt32BE(PROTOCOL_3, 4);
	body.copy(message, 8);
	return message;
}
