import {createServer, type Server, type Socket} from 'node:net';
import {setImmediate as breathe} from 'node:timers/promises';
import {FrameReader, SYNC_MESSAGE, simpleQuery, startupMessage, statusAfter} from './frames.ts';

/** The engine's one session: protocol bytes in, protocol bytes out, which are the caller's. */
export type Execute = (messages: Uint8Array) => Promise<Uint8Array>;

interface Client {
	readonly socket: Socket;
	readonly frames: FrameReader;
	closed: boolean;
}

interface Waiting {
	readonly client: Client;
	readonly bytes: Buffer;
}

export interface GateOptions {
	/** A client idle in its transaction for so long while others wait is cut off and rolled back. */
	readonly idleInTransactionMs: number;
	/** The engine itself failed: nothing after this can be trusted. */
	readonly onFatal: (error: unknown) => void;
}

/**
 * Many connections before a one-session engine (ADR 0004). A batch (Parse .. Sync) runs whole, and a connection
 * keeps the session from BEGIN to the end of its transaction: connections interleave between transactions only.
 */
export class Gate {
	readonly #execute: Execute;
	readonly #options: GateOptions;
	readonly #server: Server;
	readonly #clients = new Set<Client>();
	#greeting: Uint8Array = new Uint8Array();
	#waiting: Waiting[] = [];
	#owner: Client | undefined;
	#patience: NodeJS.Timeout | undefined;
	#pumping = false;
	#idle: Promise<void> = Promise.resolve();

	constructor(execute: Execute, options: GateOptions) {
		this.#execute = execute;
		this.#options = options;
		this.#server = createServer(socket => this.#accept(socket));
	}

	async listen(path: string): Promise<void> {
		// One startup for all: every connection is greeted with the same parameters, even while another holds the session.
		this.#greeting = await this.#execute(startupMessage('postgres', 'postgres'));
		await new Promise<void>((resolve, reject) => {
			this.#server.once('error', reject);
			this.#server.listen(path, resolve);
		});
	}

	/** Cuts all connections, rolls back what was open and waits for the engine to be at rest. */
	async close(): Promise<void> {
		const closed = new Promise<void>(resolve => this.#server.close(() => resolve()));
		for (const client of this.#clients) client.socket.destroy();
		await closed;
		await this.#idle;
	}

	#accept(socket: Socket): void {
		const client: Client = {socket, frames: new FrameReader(), closed: false};
		this.#clients.add(client);
		socket.on('data', chunk => this.#receive(client, chunk));
		socket.on('error', () => socket.destroy());
		socket.on('close', () => this.#leave(client));
	}

	#receive(client: Client, chunk: Buffer): void {
		try {
			for (const frame of client.frames.push(chunk)) {
				if (frame.kind === 'batch') this.#waiting.push({client, bytes: frame.bytes});
				else if (frame.kind === 'refuse_encryption') client.socket.write('N');
				else if (frame.kind === 'startup') client.socket.write(this.#greeting);
				else client.socket.destroy();
			}
		} catch {
			client.socket.destroy();
		}
		this.#wake();
	}

	#leave(client: Client): void {
		client.closed = true;
		this.#clients.delete(client);
		this.#waiting = this.#waiting.filter(waiting => waiting.client !== client);
		this.#wake();
	}

	#wake(): void {
		if (this.#pumping) return;
		this.#pumping = true;
		this.#idle = this.#pump().then(
			() => {
				this.#pumping = false;
				this.#watchOwner();
			},
			error => this.#options.onFatal(error),
		);
	}

	async #pump(): Promise<void> {
		for (;;) {
			if (this.#owner?.closed) {
				// The Sync ends a batch the client left half-way; the engine would skip the ROLLBACK otherwise.
				await this.#execute(Buffer.concat([SYNC_MESSAGE, simpleQuery('ROLLBACK')]));
				this.#owner = undefined;
			}
			const next = this.#take();
			if (!next) return;
			const answer = await this.#execute(next.bytes);
			this.#owner = statusAfter(answer) === 'I' ? undefined : next.client;
			if (!next.client.closed) next.client.socket.write(answer);
			// The engine resolves in microtasks alone: without this, sockets and timers of the thread starve.
			await breathe();
		}
	}

	#take(): Waiting | undefined {
		const owner = this.#owner;
		if (!owner) return this.#waiting.shift();
		const index = this.#waiting.findIndex(waiting => waiting.client === owner);
		return index === -1 ? undefined : this.#waiting.splice(index, 1)[0];
	}

	#watchOwner(): void {
		clearTimeout(this.#patience);
		const owner = this.#owner;
		if (!owner) return;
		this.#patience = setTimeout(() => {
			if (this.#owner === owner && this.#waiting.length > 0 && !this.#pumping) owner.socket.destroy();
			else if (this.#owner === owner) this.#watchOwner();
		}, this.#options.idleInTransactionMs).unref();
	}
}
