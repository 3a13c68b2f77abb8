import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';

/** A request as the plugin worker got it; `body` is its JSON. */
export interface WorkerRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingMessage['headers'];
	// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent.
	readonly body: any;
	/** How many came before it. */
	readonly index: number;
}

export type Answering = (request: WorkerRequest, response: ServerResponse) => void;

export interface AnalyzerWorker {
	readonly url: string;
	readonly port: number;
	readonly requests: readonly WorkerRequest[];
	/** Connections that were made to it. */
	readonly connections: number;
	/** How it answers from now on. */
	answer(answering: Answering): void;
	close(): Promise<void>;
}

/** A stranger's plugin worker on 127.0.0.1 that answers however a test wants it to. */
export async function startAnalyzerWorker(
	answering: Answering = unchanged,
	port = 0,
): Promise<AnalyzerWorker> {
	let current = answering;
	let connections = 0;
	const requests: WorkerRequest[] = [];
	const server = createServer(async (incoming, response) => {
		const chunks: Buffer[] = [];
		try {
			for await (const chunk of incoming) chunks.push(chunk as Buffer);
		} catch {
			return;
		}
		const text = Buffer.concat(chunks).toString('utf8');
		const {method = '', url = '', headers} = incoming;
		// As every plugin worker is greeted; what a test looks at are the calls behind that.
		if (url === '/v1/init' || url === '/v1/status') return void response.end();
		const body = text === '' ? undefined : JSON.parse(text);
		const request = {method, path: url, headers, body, index: requests.length};
		requests.push(request);
		current(request, response);
	});
	server.on('connection', () => {
		connections += 1;
	});
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${address.port}`,
		port: address.port,
		requests,
		get connections() {
			return connections;
		},
		answer(next) {
			current = next;
		},
		async close() {
			if (!server.listening) return;
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

/** As the published SDK answers: JSON under `text/html`. */
export function send(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, {'content-type': 'text/html; charset=utf-8'});
	response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Answers the activity it was given. */
export const unchanged: Answering = ({body}, response) =>
	send(response, 200, {status: 'ok', data: body.activity});

/** Answers the activity with something more. */
export function adding(more: object | ((activity: Record<string, unknown>) => object)): Answering {
	return ({body}, response) => {
		const added = typeof more === 'function' ? more(body.activity) : more;
		send(response, 200, {status: 'ok', data: {...body.activity, ...added}});
	};
}

export function status(code: number, body: unknown = 'Error: it broke \n at plugin.ts:12'): Answering {
	return (_, response) => send(response, code, body);
}

/** Begins an answer and closes the connection. */
export const cutShort: Answering = (_, response) => {
	response.writeHead(200, {'content-length': '1000'});
	response.write('{"status":"ok","data":');
	setTimeout(() => response.socket?.resetAndDestroy(), 5);
};

/** Never answers. */
export const hang: Answering = () => undefined;

/** Too busy this many times, then as `then`. */
export function busyFirst(times: number, then: Answering = unchanged): Answering {
	let left = times;
	return (request, response) => {
		if (left-- > 0) return send(response, 429, {status: 'RETRY', message: "I'm busy right now, sorry."});
		then(request, response);
	};
}
