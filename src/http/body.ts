import type {IncomingMessage} from 'node:http';
import {pipeline, type Readable} from 'node:stream';
import {createBrotliDecompress, createGunzip, createInflate} from 'node:zlib';
import rawBody from 'raw-body';
import {DomainError} from '../errors.ts';

const UNPACKERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
	gzip: createGunzip,
	'x-gzip': createGunzip,
	deflate: createInflate,
	br: createBrotliDecompress,
};

/**
 * The body, unpacked; at most `maxBytes` of it, packed or not.
 * Errors: `body_too_large`, `encoding_unsupported`, `body_unreadable` (cut off, or not what its encoding says).
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
	const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
	if (encoding !== 'identity' && !Object.hasOwn(UNPACKERS, encoding)) {
		throw new DomainError(
			'encoding_unsupported',
			`Content-Encoding ${encoding} is not one of gzip, deflate, br`,
		);
	}
	const length = encoding === 'identity' ? request.headers['content-length'] : undefined;
	try {
		return await rawBody(unpacked(request, encoding), {limit: maxBytes, length: length ?? null});
	} catch (error) {
		if ((error as {type?: string}).type === 'entity.too.large') {
			throw new DomainError('body_too_large', `the body is longer than ${maxBytes} bytes`);
		}
		throw new DomainError('body_unreadable', 'the body could not be read whole', {cause: error});
	}
}

function unpacked(request: IncomingMessage, encoding: string): Readable {
	const unpacker = UNPACKERS[encoding]?.();
	// `pipeline` ends the unpacker with an error when the request is cut off; rawBody tells of it.
	return unpacker ? pipeline(request, unpacker, () => {}) : request;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Some clients begin with a byte order mark, which is no part of the text. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
	return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

/** Errors: `body_missing`, `json_malformed`. */
export function parseJson(bytes: Buffer): unknown {
	if (bytes.length === 0) throw new DomainError('body_missing', 'a JSON body is needed');
	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch (error) {
		throw new DomainError(
			'json_malformed',
			`the body is not valid JSON: ${(error as Error).message.slice(0, 200)}`,
		);
	}
}
