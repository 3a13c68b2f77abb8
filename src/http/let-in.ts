import type {IncomingMessage, ServerResponse} from 'node:http';
import {DomainError} from '../errors.ts';
import {streamBody} from './body-stream.ts';
import type {Door} from './gate.ts';
import type {RouteRequest} from './route.ts';

/** What is known of a request once it is let in. */
type Known = Omit<RouteRequest<unknown, unknown>, 'stream' | 'remoteAddress' | 'signal' | 'read'>;

/** Where it came from. */
interface Exchange {
	readonly req: IncomingMessage;
	readonly res: ServerResponse;
	readonly door: Door;
	readonly maxBytes: number;
}

/** A request as a handler is given it. What only some routes ask for is made when they do: the busiest never do. */
export class LetIn implements RouteRequest<unknown, unknown> {
	readonly method: Known['method'];
	readonly principal: Known['principal'];
	readonly datamart: Known['datamart'];
	readonly params: Known['params'];
	readonly query: unknown;
	readonly body: unknown;
	readonly bytes: Buffer;
	readonly headers: Known['headers'];
	readonly mac: Known['mac'];
	readonly setHeader: Known['setHeader'];
	readonly trail: Known['trail'];
	readonly charge: Known['charge'];
	readonly #exchange: Exchange;
	#read: RouteRequest<unknown, unknown>['read'] | undefined;

	constructor(known: Known, exchange: Exchange) {
		this.method = known.method;
		this.principal = known.principal;
		this.datamart = known.datamart;
		this.params = known.params;
		this.query = known.query;
		this.body = known.body;
		this.bytes = known.bytes;
		this.headers = known.headers;
		this.mac = known.mac;
		this.setHeader = known.setHeader;
		this.trail = known.trail;
		this.charge = known.charge;
		this.#exchange = exchange;
	}

	get stream(): RouteRequest<unknown, unknown>['stream'] {
		return streamBody(this.#exchange.req, this.#exchange.maxBytes);
	}

	get remoteAddress(): string {
		return this.#exchange.door.remoteAddressOf(this.#exchange.req);
	}

	get signal(): AbortSignal {
		return abortedWith(this.#exchange.res);
	}

	/** One for the request, however often it is asked for: all that is asked of the warehouse goes by one id. */
	get read(): RouteRequest<unknown, unknown>['read'] {
		if (this.#read) return this.#read;
		const {principal, datamart, headers, signal, setHeader} = this;
		const {questions, usage} = this.#exchange.door;
		const manners = principal && questions?.readFor({principal, datamart, signal, setHeader});
		const onCost = principal && usage?.chargeTo({principal, datamart, headers});
		this.#read = {signal, ...manners, ...(onCost && {onCost})};
		return this.#read;
	}
}

function abortedWith(response: ServerResponse): AbortSignal {
	const controller = new AbortController();
	response.once('close', () => {
		if (!response.writableFinished)
			controller.abort(new DomainError('shutting_down', 'the client went away'));
	});
	return controller.signal;
}
