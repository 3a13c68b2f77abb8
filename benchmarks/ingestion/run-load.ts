import {percentile} from '../support/bench.ts';
import type {Load, LoadResult} from './load.ts';
import {LoadConnection, type Told} from './load-connection.ts';
import {type NextRequest, requestsOf} from './load-requests.ts';

/** An answer that has not come within this is missing. */
const PATIENCE_MS = 30_000;

/**
 * Sends a load, one request at a time over each connection, until its time or its number is up and all that was sent is
 * answered or broken. Error: a server that takes no connection.
 */
export function runLoad(load: Load, {patienceMs = PATIENCE_MS} = {}): Promise<LoadResult> {
	return new Promise((resolve, reject) => new LoadRun(load, patienceMs, {resolve, reject}).start());
}

interface Outcome {
	resolve(result: LoadResult): void;
	reject(error: Error): void;
}

class LoadRun implements Told {
	readonly #load: Load;
	readonly #patienceMs: number;
	readonly #outcome: Outcome;
	readonly #next: NextRequest;
	readonly #places = new Map<LoadConnection, number>();
	readonly #cpu = process.cpuUsage();
	/** Of good answers. */
	readonly #times: number[] = [];
	/** Whose next request waits for its time. */
	readonly #paced = new Set<LoadConnection>();
	#failures = 0;
	/** Requests that were sent or have their time. */
	#begun = 0;
	#inHand = 0;
	#firstMs = 0;
	#lastMs = 0;
	#look: NodeJS.Timeout | undefined;

	constructor(load: Load, patienceMs: number, outcome: Outcome) {
		this.#load = load;
		this.#patienceMs = patienceMs;
		this.#outcome = outcome;
		this.#next = requestsOf(load);
	}

	start(): void {
		this.#firstMs = performance.now();
		const url = new URL(this.#load.url);
		for (let place = 0; place < this.#load.connections; place++) {
			this.#places.set(new LoadConnection(url, this), place);
		}
		this.#look = setInterval(() => this.#breakOffLate(), Math.min(1_000, this.#patienceMs));
	}

	opened(connection: LoadConnection): void {
		if (!this.#paced.has(connection)) this.#goOn(connection);
	}

	answered(connection: LoadConnection, status: number, ms: number): void {
		this.#inHand--;
		this.#lastMs = performance.now();
		if (status >= 200 && status < 300) this.#times.push(ms);
		else this.#failures++;
		this.#goOn(connection);
	}

	broken(): void {
		this.#inHand--;
		this.#failures++;
	}

	refused(_connection: LoadConnection, error: Error): void {
		this.#end();
		this.#outcome.reject(error);
	}

	#goOn(connection: LoadConnection): void {
		const now = performance.now();
		const {seconds, requests, perSecond} = this.#load;
		const dueMs = perSecond === undefined ? now : this.#firstMs + (this.#begun * 1000) / perSecond;
		const isOver = requests === undefined ? dueMs > this.#firstMs + seconds! * 1000 : this.#begun >= requests;
		if (isOver) {
			if (this.#inHand === 0) this.#finish();
			return;
		}
		this.#begun++;
		this.#inHand++;
		if (dueMs <= now) {
			this.#send(connection);
			return;
		}
		this.#paced.add(connection);
		setTimeout(() => this.#send(connection), dueMs - now);
	}

	#send(connection: LoadConnection): void {
		this.#paced.delete(connection);
		connection.send(this.#next(this.#places.get(connection)!));
	}

	#breakOffLate(): void {
		const since = performance.now() - this.#patienceMs;
		for (const connection of this.#places.keys()) {
			if ((connection.sentMs ?? Number.POSITIVE_INFINITY) < since) connection.breakOff();
		}
	}

	#end(): void {
		clearInterval(this.#look);
		for (const connection of this.#places.keys()) connection.close();
	}

	#finish(): void {
		this.#end();
		const times = this.#times;
		const {user, system} = process.cpuUsage(this.#cpu);
		this.#outcome.resolve({
			requests: times.length,
			seconds: (this.#lastMs - this.#firstMs) / 1000,
			failures: this.#failures,
			p50Ms: percentile(times, 0.5),
			p99Ms: percentile(times, 0.99),
			maxMs: times.reduce((longest, ms) => Math.max(longest, ms), 0),
			cpuMs: (user + system) / 1000,
		});
	}
}
