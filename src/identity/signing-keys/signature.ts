import {createHmac, type KeyObject, timingSafeEqual} from 'node:crypto';

/** What the three headers of a signed request say; nothing of it is checked yet. */
export interface Signature {
	/** The digest, Base64. */
	readonly mac: string;
	readonly keyId: string;
	/** Epoch ms, as it was written. */
	readonly ts: string;
}

/** Clocks may be this far off, either way. */
export const WINDOW_MS = 5 * 60_000;

/** A key id stands alone on a line of the signed message and in a header: visible ASCII. */
export const KEY_ID = /^[\x21-\x7e]{1,255}$/;
const TIMESTAMP = /^\d{1,15}$/;

/** Whether it could be right at all, told without key and body. */
export function isTimely({keyId, ts}: Signature, nowMs: number): boolean {
	return KEY_ID.test(keyId) && TIMESTAMP.test(ts) && Math.abs(nowMs - Number(ts)) <= WINDOW_MS;
}

/**
 * The digest of a request (specification, Signature rules 3 and 4): path as called, key id, timestamp and the body's
 * bytes as sent, with a newline between them; without a body the first three. Base64, always in the one full form.
 */
export function digestOf(
	secret: KeyObject,
	path: string,
	{keyId, ts}: Signature,
	body: Buffer | undefined,
): string {
	const hmac = createHmac('sha256', secret).update(`${path}\n${keyId}\n${ts}`, 'latin1');
	if (body && body.length > 0) hmac.update('\n').update(body);
	return hmac.digest('base64');
}

/** Compared as text, so that no other spelling of the same digest passes; in a time that tells nothing. */
export function isSame(digest: string, mac: string): boolean {
	const [expected, given] = [Buffer.from(digest, 'latin1'), Buffer.from(mac, 'latin1')];
	return given.length === expected.length && timingSafeEqual(given, expected);
}
