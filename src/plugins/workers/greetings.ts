import {Picture} from '../../lib/picture.ts';
import type {CallWorker} from '../worker-client/worker-client.ts';
import type {StoredWorker, WorkerStore} from './workers.store.ts';
import type {PluginWorker} from './workers.ts';

export interface GreetingServices {
	readonly workers: Pick<WorkerStore, 'all' | 'noteReachable'>;
	readonly toPluginWorker: (stored: StoredWorker) => PluginWorker;
	readonly callWorker: CallWorker;
}

const DEADLINE_MS = 2_000;
const TICK_MS = 500;
/** A worker that was there may have been restarted: older ones forget who they are then. */
const AGAIN_MS = 30_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
const MAX_AT_ONCE = 8;

interface Turn {
	readonly atMs: number;
	/** The last pause after a failure; 0 after a success. */
	readonly waitMs: number;
}

/**
 * Tells every plugin worker who it is (`/v1/init`) and whether it is ready (`/v1/status`): at once when it is set, then
 * again and again. One that cannot be reached is tried after 1 s, 2 s, up to every minute (field guide, section 2).
 */
export class Greetings {
	readonly #services: GreetingServices;
	readonly #now: () => number;
	readonly #known: Picture<readonly PluginWorker[]>;
	/** Worker id -> when it is greeted next. */
	readonly #turns = new Map<string, Turn>();
	/** Worker id -> the last greeting under way. */
	readonly #greeting = new Map<string, Promise<boolean>>();
	readonly #timer: NodeJS.Timeout;

	private constructor(
		services: GreetingServices,
		known: Picture<readonly PluginWorker[]>,
		now: () => number,
	) {
		this.#services = services;
		this.#known = known;
		this.#now = now;
		this.#timer = setInterval(() => this.tick(), TICK_MS).unref();
	}

	static async open(services: GreetingServices, now: () => number = Date.now): Promise<Greetings> {
		const load = async () => (await services.workers.all()).map(services.toPluginWorker);
		return new Greetings(services, await Picture.open(load), now);
	}

	/** Workers changed, here or elsewhere. */
	async refresh(): Promise<void> {
		await this.#known.refresh();
		const ids = new Set(this.#known.current.map(({workerId}) => workerId));
		for (const id of this.#turns.keys()) if (!ids.has(id)) this.#turns.delete(id);
	}

	/** Greets it, behind a greeting under way, so that what it hears last is the newest; whether it is ready. Never rejects. */
	greet(worker: PluginWorker): Promise<boolean> {
		const {workerId} = worker;
		const before = this.#greeting.get(workerId) ?? Promise.resolve(false);
		const greeting = before
			.then(() => this.#greetNow(worker))
			.finally(() => {
				if (this.#greeting.get(workerId) === greeting) this.#greeting.delete(workerId);
			});
		this.#greeting.set(workerId, greeting);
		return greeting;
	}

	/** Greets whose turn has come, some at a time; also runs by itself. */
	tick(): void {
		const now = this.#now();
		for (const worker of this.#known.current) {
			if (this.#greeting.size >= MAX_AT_ONCE) return;
			const {workerId} = worker;
			const isDue = (this.#turns.get(workerId)?.atMs ?? 0) <= now;
			if (isDue && !this.#greeting.has(workerId)) void this.greet(worker);
		}
	}

	async close(): Promise<void> {
		clearInterval(this.#timer);
		await Promise.all(this.#greeting.values());
	}

	async #greetNow(worker: PluginWorker): Promise<boolean> {
		const {workerId} = worker;
		const reachable = await this.#isReady(worker);
		const failedForMs = this.#turns.get(workerId)?.waitMs ?? 0;
		const retryMs = Math.min(failedForMs * 2 || FIRST_RETRY_MS, MAX_RETRY_MS);
		this.#turns.set(workerId, {
			atMs: this.#now() + (reachable ? AGAIN_MS : retryMs),
			waitMs: reachable ? 0 : retryMs,
		});
		// Where PostgreSQL is away the state is told late.
		await this.#services.workers.noteReachable(workerId, reachable).catch(() => {});
		return reachable;
	}

	/**
	 * No part of what `max_qps` counts. They have pauses of their own, and find out that a plugin worker is up: one that
	 * was not when it was set must not be left alone once it is.
	 */
	async #isReady({workerId, authenticationToken, url}: PluginWorker): Promise<boolean> {
		const body = {worker_id: workerId, authentication_token: authenticationToken};
		const call = {worker: {workerId, url, maxQps: null}, deadlineMs: DEADLINE_MS, evenResting: true};
		const {callWorker} = this.#services;
		try {
			await callWorker({...call, path: '/v1/init', body});
			await callWorker({...call, method: 'GET', path: '/v1/status'});
			return true;
		} catch {
			return false;
		}
	}
}
