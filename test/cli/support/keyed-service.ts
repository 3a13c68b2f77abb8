import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import type {ExecutionContext} from 'ava';

/** A service that stores lines once for each idempotency key, and may break a connection after it has stored. */
export interface KeyedService {
	readonly url: string;
	/** The answer to this request, counted from 1, is never sent. */
	breakAfter(request: number): void;
	/** The `line` of every object, in order of arrival. */
	stored(): number[];
}

export async function serveKeys(t: ExecutionContext): Promise<KeyedService> {
	const batches = new Map<string, number[]>();
	let requests = 0;
	let breaking: number | undefined;
	const server = createServer(async (request, response) => {
		const lines = (await text(request)).split('\n').map(line => (JSON.parse(line) as {line: number}).line);
		const key = String(request.headers['idempotency-key']);
		const isKnown = batches.has(key);
		if (!isKnown) batches.set(key, lines);
		if (++requests === breaking) return request.socket.destroy();
		const result = isKnown ? 'duplicate' : 'accepted';
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({status: 'ok', data: {records: lines.map((_, index) => ({index, result}))}}));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		breakAfter(request) {
			breaking = request;
		},
		stored: () => [...batches.values()].flat(),
	};
}
