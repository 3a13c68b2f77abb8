import type {IncomingMessage} from 'node:http';
import type {Transform} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {createBrotliDecompress, createGunzip, createInflate} from 'node:zlib';
import {DomainError} from '../errors.ts';
import {readBody, tooLarge, unreadable} from './body.ts';

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
	gzip: createGunzip,
	'x-gzip': createGunzip,
	deflate: createInflate,
	br: createBrotliDecompress,
};

/**
 * The body piece by piece, unpacked; at most `maxBytes` of it, packed as well as unpacked. Nothing is received before
 * the first piece is asked for. Errors, while reading: `body_too_large`, `encoding_unsupported`, `body_unreadable`.
 */
export async function* streamBody(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
	if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
	const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
	const received = capped(receive(request), maxBytes);
	if (encoding === 'identity') {
		yield* received;
	} else if (Object.hasOwn(UNPACKERS, encoding)) {
		yield* capped(unpacked(received, UNPACKERS[encoding]!()), maxBytes);
	} else {
		// zstd is unpacked whole, within its own bound; what else is asked for is refused there.
		yield await readBody(request, maxBytes);
	}
}

async function* receive(request: IncomingMessage): AsyncGenerator<Buffer> {
	try {
		// A body that is left early must not take the connection with it.
		for await (const piece of request.iterator({destroyOnReturn: false})) yield piece as Buffer;
	} catch (error) {
		throw unreadable(error);
	}
}

async function* unpacked(packed: AsyncIterable<Buffer>, unpacker: Transform): AsyncGenerator<Buffer> {
	// Its failure ends the unpacker, which tells it below.
	pipeline(packed, unpacker).catch(() => {});
	try {
		for await (const piece of unpacker) yield piece as Buffer;
	} catch (error) {
		throw error instanceof DomainError ? error : unreadable(error);
	}
}

async function* capped(pieces: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
	let length = 0;
	for await (const piece of pieces) {
		length += piece.length;
		if (length > maxBytes) throw tooLarge(maxBytes);
		yield piece;
	}
}
