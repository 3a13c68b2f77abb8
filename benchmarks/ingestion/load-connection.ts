import {connect, type Socket} from 'node:net';

/** Whom a connection tells: of every request that it was answered or will never be. */
export interface Told {
	/** It may be sent over, from now on or again. */
	opened(connection: LoadConnection): void;
	answered(connection: LoadConnection, status: number, ms: number): void;
	broken(connection: LoadConnection): void;
	/** There is no new connection: nothing more comes from this one. */
	refused(connection: LoadConnection, error: Error): void;
}

/** All connections read into the same bytes: each is through with them before the next one reads. */
const READ = Buffer.allocUnsafe(64 * 1024);

/**
 * One keep-alive connection with one request in hand, over a plain socket: whoever measures shares the processor with what
 * is measured, and an HTTP client costs as much as the smallest server (docs/adr/0017).
 */
export class LoadConnection {
	readonly #target: {readonly host: string; readonly port: number};
	readonly #told: Told;
	#socket: Socket;
	#isOpen = false;
	#held: Buffer | undefined;
	#sentMs: number | undefined;

	constructor({hostname, port}: URL, told: Told) {
		this.#target = {host: hostname, port: Number(port)};
		this.#told = told;
		this.#socket = this.#open();
	}

	/** When the request in hand was sent; undefined where there is none. */
	get sentMs(): number | undefined {
		return this.#sentMs;
	}

	/** A whole request, head and body. */
	send(request: Buffer): void {
		this.#sentMs = performance.now();
		this.#socket.write(request);
	}

	/** Its request is given up. */
	breakOff(): void {
		this.#socket.destroy();
	}

	close(): void {
		this.#socket.removeAllListeners('close');
		this.#socket.destroy();
	}

	#open(): Socket {
		this.#isOpen = false;
		this.#held = undefined;
		const onread = {
			buffer: READ,
			callback: (length: number) => {
				this.#read(READ.subarray(0, length));
				return true;
			},
		};
		const socket = connect({...this.#target, noDelay: true, onread});
		let failure = new Error('the connection was closed before it was open');
		socket.once('connect', () => {
			this.#isOpen = true;
			this.#told.opened(this);
		});
		socket.on('error', error => {
			failure = error;
		});
		socket.once('close', () => this.#closed(failure));
		return socket;
	}

	#closed(failure: Error): void {
		if (!this.#isOpen) {
			this.#told.refused(this, failure);
			return;
		}
		if (this.#sentMs !== undefined) {
			this.#sentMs = undefined;
			this.#told.broken(this);
		}
		this.#socket = this.#open();
	}

	#read(bytes: Buffer): void {
		const all = this.#held ? Buffer.concat([this.#held, bytes]) : bytes;
		const answer = answerIn(all);
		if (answer === undefined) {
			this.#held = Buffer.from(all);
			return;
		}
		this.#held = undefined;
		// What nobody asked for is no answer to anything.
		if (this.#sentMs === undefined || answer.length !== all.length) {
			this.breakOff();
			return;
		}
		const ms = performance.now() - this.#sentMs;
		this.#sentMs = undefined;
		this.#told.answered(this, answer.status, ms);
	}
}

/** The first whole answer; undefined as long as there is more to come. */
function answerIn(bytes: Buffer): {readonly status: number; readonly length: number} | undefined {
	const text = bytes.toString('latin1');
	const end = text.indexOf('\r\n\r\n');
	if (end < 0) return undefined;
	const length = end + 4 + Number(/\ncontent-length: *(\d+)/i.exec(text)?.[1]);
	// Without a length: nothing of ours answers so, and it counts as broken.
	if (length > bytes.length) return undefined;
	return {status: Number(text.slice(9, 12)), length};
}
