import {once} from 'node:events';
import {type AddressInfo, connect, createServer, type Server, type Socket} from 'node:net';

/** A wire that can be cut. */
export interface Wire {
	readonly port: number;
	/** Nobody listens any more and open connections are reset: a process that died. */
	refuse(): Promise<void>;
	/** Nothing comes through and nothing comes back: a network that lost its way. */
	swallow(): void;
	/** New connections come through again; those from before are reset, as by a host that knows nothing of them. */
	pass(): Promise<void>;
	close(): Promise<void>;
}

/** Listens on a free port of loopback and hands every connection on to `target`. */
export async function startWire(target: {readonly host?: string; readonly port: number}): Promise<Wire> {
	const sockets = new Set<Socket>();
	let swallowing = false;
	let server: Server | undefined;
	let port = 0;

	const track = (socket: Socket) => {
		sockets.add(socket);
		socket.unref();
		socket.on('error', () => undefined);
		socket.once('close', () => sockets.delete(socket));
	};
	const accept = (near: Socket) => {
		track(near);
		if (swallowing) return void near.pause();
		const far = connect(target.port, target.host ?? '127.0.0.1');
		track(far);
		near.pipe(far).pipe(near);
		near.once('close', () => far.destroy());
		far.once('close', () => near.destroy());
	};
	const listen = async () => {
		// Not half-open: whoever leaves is gone for both.
		server = createServer(accept).listen(port, '127.0.0.1');
		await once(server, 'listening');
		port = (server.address() as AddressInfo).port;
	};
	const reset = () => {
		for (const socket of sockets) {
			// Node 20 never finishes the reset of a socket that is being shut, and then hangs when it exits.
			if (socket.connecting || socket.writableEnded) socket.destroy();
			else socket.resetAndDestroy();
		}
	};
	const refuse = async () => {
		const closing = server;
		server = undefined;
		reset();
		if (closing) await new Promise(resolve => closing.close(resolve));
	};
	await listen();
	return {
		get port() {
			return port;
		},
		refuse,
		swallow() {
			swallowing = true;
			for (const socket of sockets) {
				socket.unpipe();
				socket.pause();
			}
		},
		async pass() {
			swallowing = false;
			reset();
			if (!server) await listen();
		},
		close: refuse,
	};
}
