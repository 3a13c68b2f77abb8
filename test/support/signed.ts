import {createHmac} from 'node:crypto';
import {request} from 'node:http';

export interface TestKey {
	readonly keyId: string;
	readonly secretKey: string;
}

/** What a client sends to sign a call; the message has a fourth line only where there is a body. */
export function signatureHeaders(
	{keyId, secretKey}: TestKey,
	path: string,
	body?: string | Uint8Array,
	{ts = Date.now(), brand = 'Svc'}: {ts?: number | string; brand?: string} = {},
): Record<string, string> {
	const hmac = createHmac('sha256', secretKey).update([path, keyId, ts].join('\n'));
	if (body !== undefined) hmac.update('\n').update(body);
	return {
		[`X-${brand}-Mac`]: hmac.digest('base64'),
		[`X-${brand}-Key-Id`]: keyId,
		[`X-${brand}-Ts`]: String(ts),
	};
}

export interface RawAnswer {
	readonly status: number;
	// biome-ignore lint/suspicious/noExplicitAny: what came over the wire; tests say what they expect of it.
	readonly body: any;
}

/** A call whose path and bytes leave exactly as they are given: `fetch` would tidy the path. */
export function callRaw(
	url: string,
	method: string,
	path: string,
	headers: Record<string, string>,
	body?: string | Uint8Array,
): Promise<RawAnswer> {
	const {hostname, port} = new URL(url);
	const length = body === undefined ? {} : {'Content-Length': String(Buffer.byteLength(body))};
	return new Promise((resolve, reject) => {
		const outgoing = request(
			{hostname, port, method, path, headers: {...headers, ...length}, agent: false},
			answer => {
				let text = '';
				answer.setEncoding('utf8');
				answer.on('data', piece => (text += piece));
				answer.on('end', () => resolve({status: answer.statusCode ?? 0, body: parsed(text)}));
			},
		);
		outgoing.on('error', reject);
		outgoing.end(body);
	});
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
