import {Counter, Histogram, type Registry} from 'prom-client';

/** Questions in numbers: how long each kind takes, and how many are answered from memory (docs/adr/0021). */
export class QuestionMetrics {
	readonly #seconds: Histogram<'name'>;
	readonly #ended: Counter<'name' | 'outcome'>;

	constructor(registry: Registry) {
		const registers = [registry];
		this.#seconds = new Histogram({
			name: 'millrace_query_seconds',
			help: 'Time to answer a query run for a caller, waiting for its turn included, by name',
			labelNames: ['name'],
			buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
			registers,
		});
		this.#ended = new Counter({
			name: 'millrace_queries_total',
			help: 'Queries run for callers, by name and how they ended: answered, shared, cached, live or an error code',
			labelNames: ['name', 'outcome'],
			registers,
		});
	}

	asked(name: string, outcome: string, ms: number): void {
		this.#ended.labels({name, outcome}).inc();
		this.#seconds.labels({name}).observe(ms / 1000);
	}
}
