import {EngineError} from './engine-error.ts';

/** Text fields of a `multipart/form-data` body: how the client sends a statement with long parameters. */
export function readMultipart(contentType: string, body: Buffer): Map<string, string> {
	const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
	const fields = new Map<string, string>();
	if (!boundary) throw malformed();
	const delimiter = Buffer.from(`--${boundary}`);
	let at = body.indexOf(delimiter);
	while (at >= 0) {
		const start = at + delimiter.length;
		if (body.subarray(start, start + 2).toString('latin1') === '--') return fields;
		const next = body.indexOf(Buffer.from(`\r\n--${boundary}`), start);
		if (next < 0) break;
		const part = body.subarray(start + 2, next);
		const headEnd = part.indexOf('\r\n\r\n');
		const name = /name="([^"]+)"/.exec(part.subarray(0, Math.max(headEnd, 0)).toString('latin1'))?.[1];
		if (headEnd < 0 || !name) break;
		fields.set(name, part.subarray(headEnd + 4).toString('utf8'));
		at = next + 2;
	}
	throw malformed();
}

function malformed(): EngineError {
	return new EngineError(36, 'BAD_ARGUMENTS', 'The multipart body could not be read');
}
