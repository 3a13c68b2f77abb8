import {LRUCache} from 'lru-cache';
import {Pool} from 'undici';
import type {Networks} from './networks.ts';

export interface ConnectionLimits {
	/** Open to one plugin worker, from one thread. */
	readonly connections: number;
	readonly connectMs: number;
	readonly maxAnswerBytes: number;
}

/** Plugin workers whose connections are kept open; the one not called for longest goes first. */
const MOST_WORKERS = 500;
/** Node's own servers close a connection that idles for 5 s: ours go before. */
const KEEP_ALIVE_MS = 4_000;

/** Open connections by plugin worker, each to an address that was checked when it was made. */
export class Connections {
	readonly #pools: LRUCache<string, Pool>;
	readonly #networks: Networks;
	readonly #limits: ConnectionLimits;

	constructor(networks: Networks, limits: ConnectionLimits) {
		this.#networks = networks;
		this.#limits = limits;
		this.#pools = new LRUCache({
			max: MOST_WORKERS,
			dispose: pool => void pool.close().catch(() => undefined),
		});
	}

	/**
	 * `name` tells plugin workers apart, so that two at one address do not share connections. `isOnce`: each request has a
	 * connection of its own, since a kept one may be closed under it, and nobody knows what arrived. Error:
	 * `address_refused`.
	 */
	to(name: string, url: URL, {isOnce = false} = {}): Pool {
		const key = isOnce ? `${name} once` : name;
		const known = this.#pools.get(key);
		if (known) return known;
		this.#networks.assertHost(url.hostname);
		const {connections, connectMs, maxAnswerBytes} = this.#limits;
		const pool = new Pool(url.origin, {
			connections,
			...(isOnce && {pipelining: 0}),
			connect: {lookup: this.#networks.lookup, timeout: connectMs},
			keepAliveTimeout: KEEP_ALIVE_MS,
			keepAliveMaxTimeout: 60_000,
			maxResponseSize: maxAnswerBytes,
			// The call's own deadline counts: these have a coarse clock.
			headersTimeout: 0,
			bodyTimeout: 0,
		});
		this.#pools.set(key, pool);
		return pool;
	}

	async close(): Promise<void> {
		const pools = [...this.#pools.values()];
		await Promise.all(pools.map(pool => pool.destroy()));
	}
}
