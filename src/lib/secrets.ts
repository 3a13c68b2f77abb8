import {createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes} from 'node:crypto';

/** Keys derived from the one configured secret, one a purpose. */
export class Secrets {
	readonly #master: Buffer;
	readonly #keys = new Map<string, Buffer>();

	constructor(secretKey: string) {
		this.#master = Buffer.from(secretKey, 'utf8');
	}

	/** A keyed hash (HMAC-SHA256 cut to 16 bytes): equal texts meet, the text cannot be found from it. */
	fingerprint(purpose: string, text: string): Buffer {
		return createHmac('sha256', this.#key(purpose)).update(text).digest().subarray(0, 16);
	}

	/** AES-256-GCM: 12 bytes nonce, 16 bytes tag, ciphertext. */
	seal(purpose: string, text: string | Buffer): Buffer {
		const nonce = randomBytes(12);
		const cipher = createCipheriv('aes-256-gcm', this.#key(purpose), nonce);
		const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
		return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
	}

	/** Throws where the key or the bytes are not those of `seal`. */
	open(purpose: string, sealed: Buffer): Buffer {
		const decipher = createDecipheriv('aes-256-gcm', this.#key(purpose), sealed.subarray(0, 12));
		decipher.setAuthTag(sealed.subarray(12, 28));
		return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
	}

	#key(purpose: string): Buffer {
		let key = this.#keys.get(purpose);
		if (!key) {
			key = Buffer.from(hkdfSync('sha256', this.#master, 'millrace', purpose, 32));
			this.#keys.set(purpose, key);
		}
		return key;
	}
}
