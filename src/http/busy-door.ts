import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http';
import type {Logger} from 'pino';
import {assertCredential} from '../identity/policy.ts';
import {servedTraced} from '../lib/tracer.ts';
import {withoutByteOrderMark} from './body.ts';
import {RawAnswer} from './envelope.ts';
import {authenticate, type Door, theirs} from './gate.ts';
import {INTERFACE_HEADERS} from './interface-headers.ts';
import {LetIn} from './let-in.ts';
import {problemOf} from './problem.ts';
import type {Charge} from './rate-limit.ts';
import {REQUEST_ID, requestIdOf} from './request-id.ts';
import type {Route} from './route.ts';

/** A request that was answered. */
export interface Answered {
	readonly requestId: string;
	readonly method: string;
	/** Its route's path, not its own. */
	readonly route: string;
	readonly status: number;
	readonly ms: number;
	/** Of what it asked the warehouse, where it did (`X-Query-Id`). */
	readonly queryId?: string | undefined;
}

/** Whom the door tells of what it answered, and of what went wrong. */
export interface Reporting {
	readonly log: Logger;
	readonly observe: (answered: Answered) => void;
}

interface BusyRoute {
	readonly route: Route;
	/** Of paths without anything escaped; one group for each name. */
	readonly pattern: RegExp;
	readonly names: readonly string[];
	/** What the handler is given where the address has no query. */
	readonly query: unknown;
}

interface Waiting {
	readonly busy: BusyRoute;
	readonly params: Readonly<Record<string, string>>;
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly otherwise: RequestListener;
	readonly beganMs: number;
}

/** A larger body is no plain request, and what Koa costs does not show beside it. */
const MAX_PLAIN_BYTES = 32 * 1024;
/** Headers that change how a request is read or answered. */
const NOT_PLAIN = ['origin', 'content-encoding', 'transfer-encoding', 'expect', 'upgrade'] as const;
const HEADERS = Object.entries(INTERFACE_HEADERS).flat();
const UNCOUNTED: Charge = () => {};
const NO_BYTES = Buffer.alloc(0);

/**
 * Past Koa and its router, for plain requests to the busiest routes: they cost more than all else such a request costs
 * (docs/adr/0017). The checks are those of every route (gate.ts). Whatever is not plain, and what is not there as a
 * whole when the event loop has been around once, goes the way of all others, which answers the same.
 */
export class BusyDoor {
	readonly #door: Door;
	readonly #reporting: Reporting;
	readonly #routes: readonly BusyRoute[];
	#waiting: Waiting[] = [];

	/** Serves those of the routes that are `busy`. */
	constructor(routes: readonly Route[], door: Door, reporting: Reporting) {
		this.#door = door;
		this.#reporting = reporting;
		this.#routes = routes
			.filter(route => route.busy && route.body === 'raw' && !route.audit && !route.maxBodyBytes)
			.flatMap(route => [route.path, ...(route.aliases ?? [])].map(path => toBusyRoute(route, path)));
	}

	/** Answers the request, or has `otherwise` do it. */
	enter(request: IncomingMessage, response: ServerResponse, otherwise: RequestListener): void {
		const beganMs = performance.now();
		const found = isPlain(request, this.#door.maxBodyBytes) && this.#find(request);
		if (!found) {
			otherwise(request, response);
			return;
		}
		// Body and all are there once the loop has been around; those that came together go on together.
		if (this.#waiting.length === 0) setImmediate(() => this.#letIn());
		// Property by property: an object that begins as a copy of another costs 2 us, and each look at it as much again.
		const {busy, params} = found;
		this.#waiting.push({busy, params, request, response, otherwise, beganMs});
	}

	#find({method, url = ''}: IncomingMessage): Pick<Waiting, 'busy' | 'params'> | undefined {
		for (const busy of this.#routes) {
			if (busy.route.method !== method) continue;
			const match = busy.pattern.exec(url);
			if (!match) continue;
			const params: Record<string, string> = {};
			for (const [index, name] of busy.names.entries()) params[name] = match[index + 1]!;
			return {busy, params};
		}
		return undefined;
	}

	#letIn(): void {
		const waiting = this.#waiting;
		this.#waiting = [];
		for (const one of waiting) {
			if (one.request.complete) void servedTraced(one.request.headers, () => this.#answer(one));
			else one.otherwise(one.request, one.response);
		}
	}

	async #answer(one: Waiting): Promise<Answered> {
		const {busy, request, response, beganMs} = one;
		const requestId = requestIdOf(request);
		const told: Told = {status: 200, headers: [...HEADERS, REQUEST_ID, requestId], text: ''};
		try {
			await this.#handle(one, told);
		} catch (error) {
			const {status, headers, body} = problemOf(error, this.#reporting.log, {
				requestId,
				route: busy.route.path,
			});
			told.status = status;
			for (const [name, value] of Object.entries(headers)) told.headers.push(name, value);
			told.text = JSON.stringify(body);
		}
		told.headers.push('Content-Type', 'application/json; charset=utf-8');
		told.headers.push('Content-Length', String(Buffer.byteLength(told.text)));
		response.writeHead(told.status, told.headers).end(told.text);
		const {status} = told;
		const ms = performance.now() - beganMs;
		const answered = {requestId, method: request.method!, route: busy.route.path, status, ms};
		this.#reporting.observe(answered);
		return answered;
	}

	async #handle({busy, params, request, response}: Waiting, told: Told): Promise<void> {
		const door = this.#door;
		const {route, query} = busy;
		const principal = (await authenticate(route, door, request))!;
		assertCredential(principal, route.action);
		const datamart = theirs(route, door.directory, principal, params)!;
		const setHeader = headerSetter(told.headers);
		const charge = door.rateLimit?.admit(principal, datamart?.id, setHeader) ?? UNCOUNTED;
		const known = {
			method: request.method!,
			principal,
			datamart,
			params,
			query,
			body: undefined,
			bytes: withoutByteOrderMark((request.read() as Buffer | null) ?? NO_BYTES),
			headers: request.headers,
			mac: undefined,
			setHeader,
			trail: {},
			charge,
		};
		const exchange = {req: request, res: response, door, maxBytes: MAX_PLAIN_BYTES};
		const answer = await route.handle(new LetIn(known, exchange));
		if (answer instanceof RawAnswer) throw new TypeError(`${route.path} is busy and answers bytes`);
		told.text = JSON.stringify(answer);
	}
}

interface Told {
	status: number;
	readonly headers: string[];
	text: string;
}

function toBusyRoute(route: Route, path: string): BusyRoute {
	const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
	const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '([\\w.~-]+)')}$`);
	return {route, pattern, names, query: route.query?.parse({})};
}

/** With a token and a body of a known, small length; nothing packed, signed, from a browser or still to be asked for. */
function isPlain({headers, httpVersion}: IncomingMessage, maxBytes: number): boolean {
	if (headers.authorization === undefined || httpVersion !== '1.1') return false;
	for (const name of NOT_PLAIN) if (headers[name] !== undefined) return false;
	return Number(headers['content-length']) <= Math.min(maxBytes, MAX_PLAIN_BYTES);
}

/** As `Headers.set` does: a name stands once. */
function headerSetter(headers: string[]): (name: string, value: string) => void {
	return (name, value) => {
		for (let at = 0; at < headers.length; at += 2) {
			if (headers[at] !== name) continue;
			headers[at + 1] = value;
			return;
		}
		headers.push(name, value);
	};
}
