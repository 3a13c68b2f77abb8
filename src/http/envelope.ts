/** The one success envelope (decisions.md, "Envelope, errors, lists"): always HTTP 200, `{status: 'ok', data}`. */
export interface Envelope<Data> {
	readonly status: 'ok';
	readonly data: Data;
}

export function ok<Data>(data: Data): Envelope<Data> {
	return {status: 'ok', data};
}

/** Bytes sent as they are (data files, layouts): the only answers without an envelope. */
export class RawAnswer {
	readonly bytes: Buffer;
	readonly contentType: string;

	constructor(bytes: Buffer, contentType = 'application/octet-stream') {
		this.bytes = bytes;
		this.contentType = contentType;
	}
}
