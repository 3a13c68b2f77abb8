import {createReadStream, type ReadStream} from 'node:fs';
import {open} from 'node:fs/promises';
import {pipeline, type Readable} from 'node:stream';
import {StringDecoder} from 'node:string_decoder';
import {createGunzip} from 'node:zlib';

/** One line that is not blank, with its number in the file, from 1. */
export interface Line {
	readonly number: number;
	readonly text: string;
}

/** Nothing the service takes is this long; without a bound a file without line ends would fill the memory. */
const MAX_LINE_LENGTH = 64 * 1024 * 1024;

/** The lines of an ndjson file, packed (gzip, known by its first bytes) or not; read as they are asked for. */
export class LineFile {
	readonly sizeBytes: number;
	readonly #raw: ReadStream;
	readonly #isPacked: boolean;

	private constructor(raw: ReadStream, sizeBytes: number, isPacked: boolean) {
		this.#raw = raw;
		this.sizeBytes = sizeBytes;
		this.#isPacked = isPacked;
	}

	/** Throws the file system's errors: ENOENT, EACCES, EISDIR. */
	static async open(path: string): Promise<LineFile> {
		const file = await open(path);
		try {
			const {size} = await file.stat();
			const {buffer, bytesRead} = await file.read(Buffer.alloc(2), 0, 2, 0);
			return new LineFile(createReadStream(path), size, bytesRead === 2 && buffer.readUInt16BE() === 0x1f8b);
		} finally {
			await file.close();
		}
	}

	/** How much of the file, as it lies on disk, has been read. */
	get bytesRead(): number {
		return this.#raw.bytesRead;
	}

	async *lines(): AsyncGenerator<Line> {
		// The pipeline's error comes out of the gunzip stream, so the callback has nothing to add.
		const stream: Readable = this.#isPacked ? pipeline(this.#raw, createGunzip(), () => {}) : this.#raw;
		yield* splitLines(stream);
	}
}

/** Blank lines are counted and left out; a byte order mark and carriage returns at line ends are dropped. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
	const decoder = new StringDecoder('utf8');
	let rest = '';
	let number = 0;
	for await (const chunk of chunks) {
		const parts = (rest + decoder.write(chunk)).split('\n');
		rest = parts.pop()!;
		if (rest.length > MAX_LINE_LENGTH)
			throw new Error(`line ${number + parts.length + 1} is too long to be an activity`);
		for (const part of parts) {
			number++;
			const text = clean(part, number);
			if (text !== '') yield {number, text};
		}
	}
	const text = clean(rest + decoder.end(), number + 1);
	if (text !== '') yield {number: number + 1, text};
}

function clean(text: string, number: number): string {
	return (number === 1 ? text.replace(/^\uFEFF/, '') : text).trim();
}
