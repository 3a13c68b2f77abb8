import type {Readable} from 'node:stream';
import {z} from 'zod';

/** The one success envelope (decisions.md, "Envelope, errors, lists"): always HTTP 200, `{status: 'ok', data}`. */
export interface Envelope<Data> {
	readonly status: 'ok';
	readonly data: Data;
}

export function ok<Data>(data: Data): Envelope<Data> {
	return {status: 'ok', data};
}

/**
 * Bytes sent as they are (data files, layouts): the only answers without an envelope. One whose `etag` the client has
 * already (`If-None-Match`) is a 304 without a body.
 */
export class RawAnswer {
	readonly bytes: Buffer | Readable;
	readonly contentType: string;
	/** Without quotes. */
	readonly etag: string | undefined;
	/** Of a stream, where it is known. */
	readonly length: number | undefined;

	constructor(
		bytes: Buffer | Readable,
		contentType = 'application/octet-stream',
		{etag, length}: {readonly etag?: string; readonly length?: number} = {},
	) {
		this.bytes = bytes;
		this.contentType = contentType;
		this.etag = etag;
		this.length = length;
	}
}

/** The `data` of what was done and has nothing to say of it. */
export const Nothing = z.object({});
