import {hash, randomBytes} from 'node:crypto';
import {crc32} from 'node:zlib';

/** Says at a glance, to people and to scanners, what a leaked string is (field guide, section 0.6). */
export const API_TOKEN_PREFIX = 'api:';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 36 letters of 62: 214 random bits. */
const RANDOM_LENGTH = 36;
const CHECKSUM_LENGTH = 6;
const START_LENGTH = 4;
/** Clients send the value as it is, without its prefix, or with a second one in front. */
const SENT = /^(?:api:){0,2}([0-9A-Za-z]{42})$/;

/** `api:`, 36 random letters, and their checksum. */
export function newApiToken(): string {
	return newTypedToken(API_TOKEN_PREFIX);
}

/** A prefix, 36 random letters, and the CRC32 of both as 6 more. */
export function newTypedToken(prefix: string): string {
	const text = prefix + randomLetters(RANDOM_LENGTH);
	return text + checksumOf(text);
}

/** The token in its one written form; undefined for anything that never was one, a typing error included. */
export function readApiToken(sent: string): string | undefined {
	const letters = SENT.exec(sent)?.[1];
	if (letters === undefined) return undefined;
	const text = API_TOKEN_PREFIX + letters.slice(0, RANDOM_LENGTH);
	return letters.slice(RANDOM_LENGTH) === checksumOf(text) ? text + letters.slice(RANDOM_LENGTH) : undefined;
}

/** SHA-256, hex: all that is kept of a token. */
export function digestOf(token: string): string {
	return hash('sha256', token, 'hex');
}

/** Enough to tell one's own tokens apart. */
export function startOf(token: string): string {
	return token.slice(0, API_TOKEN_PREFIX.length + START_LENGTH);
}

/** As lists show it; of the same length whatever the token. */
export function masked(start: string): string {
	return start.padEnd(API_TOKEN_PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH, '*');
}

function checksumOf(text: string): string {
	let rest = crc32(text);
	let letters = '';
	for (let place = 0; place < CHECKSUM_LENGTH; place++) {
		letters = ALPHABET[rest % 62]! + letters;
		rest = Math.floor(rest / 62);
	}
	return letters;
}

/** Bytes beyond the last whole multiple of 62 are thrown away, so that every letter is as likely. */
function randomLetters(length: number): string {
	let letters = '';
	while (letters.length < length) {
		for (const byte of randomBytes(length)) {
			if (byte < 248 && letters.length < length) letters += ALPHABET[byte % 62];
		}
	}
	return letters;
}
