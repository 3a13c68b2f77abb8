import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {ExecutionContext} from 'ava';
import Koa from 'koa';
import {pino} from 'pino';
import type {MountOptions} from '../../src/http/gate.ts';
import {mount} from '../../src/http/mount.ts';
import {problem} from '../../src/http/problem.ts';
import type {Route} from '../../src/http/route.ts';

export interface Answer {
	readonly status: number;
	// biome-ignore lint/suspicious/noExplicitAny: what came over the wire; tests say what they expect of it.
	readonly body: any;
	readonly headers: Headers;
	readonly bytes: Buffer;
}

/** Calls one route: method, path, and a body (JSON, or text, bytes and forms as they are), headers and a token. */
export type Call = (
	method: string,
	path: string,
	options?: {body?: unknown; token?: string; headers?: Record<string, string>},
) => Promise<Answer>;

/** Some routes behind the real door (authentication, policy, schemas, errors), without the rest of the service. */
export async function serveRoutes(
	t: ExecutionContext<unknown>,
	routes: readonly Route[],
	options: Omit<MountOptions, 'maxBodyBytes'>,
): Promise<Call> {
	const app = new Koa();
	app.silent = true;
	app.use(problem(pino({level: 'silent'})));
	app.use(mount(routes, {...options, maxBodyBytes: 1_000_000}).middleware);
	const server = createServer(app.callback()).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	const {port} = server.address() as AddressInfo;
	return async (method, path, {body, token, headers} = {}) => {
		const isJson = !(
			typeof body === 'string' ||
			body instanceof Uint8Array ||
			body instanceof FormData ||
			body === undefined
		);
		const response = await fetch(`http://127.0.0.1:${port}${path}`, {
			method,
			headers: {
				...(isJson ? {'content-type': 'application/json'} : {}),
				...(token === undefined ? {} : {authorization: token}),
				...headers,
			},
			...(body === undefined ? {} : {body: isJson ? JSON.stringify(body) : (body as string)}),
		});
		const bytes = Buffer.from(await response.arrayBuffer());
		return {status: response.status, headers: response.headers, bytes, body: parsed(bytes)};
	};
}

/** Raw answers are no JSON: a test that expects some sees nothing. */
function parsed(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString());
	} catch {
		return undefined;
	}
}
