import type {IncomingMessage} from 'node:http';

/** How long what a refused client goes on sending is read. */
export const LINGER_MS = 5_000;

/**
 * For an answer that closes its connection before the body is read. Closed at once, the connection is reset, and clients
 * that send all they have before they read find an error of the network. So the rest is read and thrown away first.
 */
export function lingerAfter(request: IncomingMessage): void {
	const {socket} = request;
	const close = socket.destroySoon.bind(socket);
	// What Node calls when such an answer is written.
	socket.destroySoon = () => {
		const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
		socket.once('close', () => clearTimeout(cut));
		socket.end();
		request.once('end', close);
		request.resume();
	};
}
