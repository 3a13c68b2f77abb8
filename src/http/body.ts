import {isUtf8} from 'node:buffer';
import type {IncomingMessage} from 'node:http';
import {promisify} from 'node:util';
import {brotliDecompress, gunzip, inflate} from 'node:zlib';
import {DomainError} from '../errors.ts';
import {unzstd} from './zstd.ts';

type Unpack = (packed: Buffer, maxBytes: number) => Promise<Buffer>;

/** Larger pieces than zlib's 16 KiB: fewer ways between its thread and ours. */
const CHUNK_BYTES = 64 * 1024;

/** The limit holds while unpacking: zlib stops at the first piece beyond it. */
function withZlib(
	unpack: (packed: Buffer, options: {maxOutputLength: number; chunkSize: number}) => Promise<Buffer>,
): Unpack {
	return async (packed, maxBytes) => {
		try {
			return await unpack(packed, {maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES});
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
			throw unreadable(error);
		}
	};
}

const UNPACKERS: Readonly<Record<string, Unpack>> = {
	gzip: withZlib(promisify(gunzip)),
	'x-gzip': withZlib(promisify(gunzip)),
	deflate: withZlib(promisify(inflate)),
	br: withZlib(promisify(brotliDecompress)),
	zstd: unzstd,
};

/**
 * The body, unpacked; at most `maxBytes` of it, packed as well as unpacked.
 * Errors: `body_too_large`, `encoding_unsupported`, `body_unreadable` (cut off, or not what its encoding says).
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
	const unpack = unpackerOf(request);
	const received = await receiveBody(request, maxBytes);
	return unpack ? unpack(received, maxBytes) : received;
}

/** The second half of `readBody`, for bytes that were received already: signatures are over what came. */
export async function unpackBody(
	request: IncomingMessage,
	received: Buffer,
	maxBytes: number,
): Promise<Buffer> {
	const unpack = unpackerOf(request);
	return unpack ? unpack(received, maxBytes) : received;
}

/** Error: `encoding_unsupported`. */
function unpackerOf(request: IncomingMessage): Unpack | undefined {
	const encoding = request.headers['content-encoding']?.trim().toLowerCase();
	if (encoding === undefined || encoding === 'identity') return undefined;
	const unpack = Object.hasOwn(UNPACKERS, encoding) ? UNPACKERS[encoding] : undefined;
	if (!unpack) {
		throw new DomainError(
			'encoding_unsupported',
			`Content-Encoding ${encoding.slice(0, 50)} is not one of gzip, deflate, br, zstd`,
		);
	}
	return unpack;
}

/**
 * Collected by hand: every activity passes here, and a small body is one piece that needs no copy. Listening to events
 * costs 10 us more a request than the iterator, and a body that is left early must not take the connection with it.
 */
export async function receiveBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
	if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
	const pieces: Buffer[] = [];
	let length = 0;
	try {
		for await (const piece of request.iterator({destroyOnReturn: false}) as AsyncIterable<Buffer>) {
			length += piece.length;
			if (length > maxBytes) break;
			pieces.push(piece);
		}
	} catch (error) {
		throw unreadable(error);
	}
	if (length > maxBytes) throw tooLarge(maxBytes);
	return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, length);
}

export function tooLarge(maxBytes: number): DomainError {
	return new DomainError('body_too_large', `the body is longer than ${maxBytes} bytes`);
}

export function unreadable(cause: unknown): DomainError {
	return new DomainError('body_unreadable', 'the body could not be read whole', {cause});
}

/** Some clients begin with a byte order mark, which is no part of the text. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
	return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/**
 * JSON is UTF-8. Another encoding's letters would all become the same sign, and people whose names differ in them one
 * person. Errors: `json_malformed`.
 */
export function textOf(bytes: Buffer): string {
	if (!isUtf8(bytes)) throw new DomainError('json_malformed', 'the body is not UTF-8');
	return bytes.toString('utf8');
}

/** Errors: `body_missing`, `json_malformed`. */
export function parseJson(bytes: Buffer): unknown {
	if (bytes.length === 0) throw new DomainError('body_missing', 'a JSON body is needed');
	const text = textOf(bytes);
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new DomainError(
			'json_malformed',
			`the body is not valid JSON: ${(error as Error).message.slice(0, 200)}`,
		);
	}
}
