/** A message authentication key, as it was shown when it was made. */
export interface SigningKey {
	readonly keyId: string;
	/** 32 hexadecimal digits, used as the text they are. */
	readonly secretKey: string;
	/** The word in the headers' names; `Svc`. */
	readonly brand?: string;
}

export interface SignedCall {
	/** As it is called, escapes and all, beginning with /v1; a query is not signed and may stand there. */
	readonly path: string;
	/** The very bytes that are sent, packed if they are; absent where nothing is. */
	readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
	/** Epoch ms; now. The service takes five minutes either way. */
	readonly ts?: number;
}

/**
 * The headers of a signed call (specification, "Signature rules"), for this client's own or for an app whose back end
 * keeps the secret. What they sign may be posting activities, and reading a person's segments by an identifier.
 * Throws `TypeError` where the path is not one.
 */
export async function signatureHeaders(
	{keyId, secretKey, brand = 'Svc'}: SigningKey,
	{path, body, ts = Date.now()}: SignedCall,
): Promise<Record<string, string>> {
	const [called = ''] = path.split('?');
	if (!called.startsWith('/v1/')) throw new TypeError(`${called} cannot be signed: paths begin with /v1/`);
	const encoder = new TextEncoder();
	const head = encoder.encode([called, keyId, ts].join('\n'));
	const message =
		body === undefined
			? head
			: concat(head, encoder.encode('\n'), typeof body === 'string' ? encoder.encode(body) : body);
	const key = await subtle().importKey(
		'raw',
		encoder.encode(secretKey),
		{name: 'HMAC', hash: 'SHA-256'},
		false,
		['sign'],
	);
	const mac = new Uint8Array(await subtle().sign('HMAC', key, message));
	return {
		[`X-${brand}-Mac`]: btoa(String.fromCharCode(...mac)),
		[`X-${brand}-Key-Id`]: keyId,
		[`X-${brand}-Ts`]: String(ts),
	};
}

function subtle() {
	// Browsers have it only on pages that came over https.
	if (!globalThis.crypto?.subtle) throw new TypeError('signing needs WebCrypto: https, or Node');
	return globalThis.crypto.subtle;
}

function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
	const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}
