import type {Attributes, Part, Past, Tracer} from './tracer.ts';

/** Of a thread that nobody asks for its parts. */
const MOST_PARTS = 500;

/**
 * The spans of a thread as plain data, for another thread that sends them: the libraries of traces are loaded once a
 * process. Nothing in it is a request from outside, and it calls nobody who would go on with its traces.
 */
export class PartsTracer implements Tracer {
	#parts: Part[] = [];

	serve<Served>(_: unknown, work: () => Promise<Served>): Promise<Served> {
		return work();
	}

	async span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
		const startedMs = Date.now();
		const began = performance.now();
		const note = (failure?: string) =>
			this.past(name, {startedMs, ms: performance.now() - began}, attributes, failure);
		try {
			const result = await work();
			note();
			return result;
		} catch (error) {
			note(String((error as {code?: unknown} | null)?.code ?? 'error'));
			throw error;
		}
	}

	past(
		name: string,
		{ms, startedMs = Date.now() - ms}: Past,
		attributes: Attributes,
		failure?: string,
	): void {
		if (this.#parts.length >= MOST_PARTS) return;
		this.#parts.push({name, startedMs, ms, attributes, ...(failure !== undefined && {failure})});
	}

	headers(): Record<string, string> {
		return {};
	}

	/** What ended since the last time. */
	take(): Part[] {
		const parts = this.#parts;
		this.#parts = [];
		return parts;
	}
}
