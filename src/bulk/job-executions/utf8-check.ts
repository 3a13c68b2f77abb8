import {isUtf8} from 'node:buffer';
import {DomainError} from '../../errors.ts';

const NEWLINE = 0x0a;
const NONE = Buffer.alloc(0);

/** Whether pieces make UTF-8 together. Error: `encoding_invalid`, naming the line. */
export class Utf8Check {
	/** A character that is cut by the end of a piece. */
	#rest: Buffer = NONE;
	#lines = 1;

	push(piece: Buffer): void {
		const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : piece;
		const whole = bytes.length - cutBytes(bytes);
		this.#check(bytes.subarray(0, whole));
		this.#rest = Buffer.from(bytes.subarray(whole));
	}

	end(): void {
		this.#check(this.#rest);
	}

	#check(bytes: Buffer): void {
		if (!isUtf8(bytes)) throw this.#wrong(bytes);
		for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) this.#lines++;
	}

	#wrong(bytes: Buffer): DomainError {
		let line = this.#lines;
		for (let at = 0; ; line++) {
			const end = bytes.indexOf(NEWLINE, at);
			if (end < 0 || !isUtf8(bytes.subarray(at, end))) break;
			at = end + 1;
		}
		return new DomainError('encoding_invalid', `line ${line} is not UTF-8`, {
			faults: [{pointer: `/${line - 1}`, message: 'is not UTF-8'}],
		});
	}
}

/** How many bytes at the end begin a character of UTF-8 that goes on behind them, at most 3. */
function cutBytes(bytes: Buffer): number {
	for (let back = 1; back <= Math.min(3, bytes.length); back++) {
		const byte = bytes[bytes.length - back]!;
		if ((byte & 0xc0) === 0x80) continue;
		const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
		return needed > back ? back : 0;
	}
	return 0;
}
