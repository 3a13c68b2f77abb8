/** The part of autocannon that the load uses; it brings no types of its own. */
declare module 'autocannon' {
	import type {EventEmitter} from 'node:events';

	interface Request {
		body?: string;
		setupRequest?: (request: Request) => Request;
	}

	interface Options {
		readonly url: string;
		readonly method: 'POST';
		readonly headers: Readonly<Record<string, string>>;
		readonly connections: number;
		/** Seconds; ignored where `amount` is given. */
		readonly duration?: number;
		readonly amount?: number;
		/** How often it looks whether it is over, in ms. */
		readonly sampleInt: number;
		/** Seconds until an answer counts as missing. */
		readonly timeout: number;
		readonly setupClient: (client: {setRequests(requests: readonly Request[]): void}) => void;
	}

	interface Result {
		readonly '2xx': number;
		readonly non2xx: number;
		readonly errors: number;
		readonly timeouts: number;
	}

	export default function autocannon(options: Options): EventEmitter & PromiseLike<Result>;
}
