/**
 * The good lines of a portion of a deletion's file, hashed. A hundred thousand texts a second would be the main thread's
 * garbage: these are bytes, with the receipt as if nobody had any of the identifiers.
 */
export interface DeletionLines {
	/** Keyed hashes of the identifiers, one behind the other, each once, in order. */
	readonly keys: Uint8Array;
	/** Lines of the receipt's file, ndjson: each identifier by its hash alone. */
	readonly receipt: Uint8Array;
	/** Of each key, where in the receipt the result of its first line stands, in bytes. */
	readonly results: Uint32Array;
}

/** As long as each other, so that one can be put in the other's place. */
const [UNKNOWN, REMOVED] = ['unknown', 'removed'] as const;

export class ReceiptLines {
	readonly #results = new Map<string, number>();
	readonly #lines: string[] = [];
	#bytes = 0;

	/** `line` is of the file, from 1. */
	add(line: number, key: Buffer): void {
		const hash = key.toString('hex');
		const before = `{"line":${line},"identifier_hash":"${hash}","result":"`;
		// A second line with it finds nothing any more.
		if (!this.#results.has(hash)) this.#results.set(hash, this.#bytes + before.length);
		const text = `${before}${UNKNOWN}"}\n`;
		this.#lines.push(text);
		this.#bytes += text.length;
	}

	end(): DeletionLines {
		const hashes = [...this.#results.keys()].sort();
		return {
			keys: Buffer.from(hashes.join(''), 'hex'),
			receipt: Buffer.from(this.#lines.join(''), 'latin1'),
			results: Uint32Array.from(hashes, hash => this.#results.get(hash)!),
		};
	}
}

/** The receipt, in the same memory, once it is known which keys (by their places, from 0) were somebody's. */
export function receiptOf({receipt, results}: DeletionLines, removed: readonly number[]): Buffer {
	const text = Buffer.from(receipt.buffer, receipt.byteOffset, receipt.byteLength);
	for (const place of removed) text.write(REMOVED, results[place]!, 'latin1');
	return text;
}
