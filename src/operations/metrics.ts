import {collectDefaultMetrics, Gauge, Histogram, Registry} from 'prom-client';
import {IngestionMetrics} from './ingestion-metrics.ts';
import {QuestionMetrics} from './question-metrics.ts';

/** What `GET /metrics` shows. Names are part of the interface: dashboards and alerts are written against them. */
export class Metrics {
	readonly registry = new Registry();
	readonly #requestChildren = new Map<string, Histogram.Internal<string>>();
	readonly requests: Histogram<'method' | 'route' | 'status'>;
	readonly ingestion: IngestionMetrics;
	readonly questions: QuestionMetrics;

	constructor() {
		collectDefaultMetrics({register: this.registry});
		this.requests = new Histogram({
			name: 'millrace_http_request_seconds',
			help: 'Time to answer by route and status',
			labelNames: ['method', 'route', 'status'],
			buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 30],
			registers: [this.registry],
		});
		this.ingestion = new IngestionMetrics(this.registry);
		this.questions = new QuestionMetrics(this.registry);
	}

	/** Labels are few: their children are kept, since finding one costs more than counting. */
	observeRequest(method: string, route: string, status: number, ms: number): void {
		const key = `${method} ${status} ${route}`;
		let child = this.#requestChildren.get(key);
		if (!child) {
			child = this.requests.labels({method, route, status: String(status)});
			this.#requestChildren.set(key, child);
		}
		child.observe(ms / 1000);
	}

	/** A gauge whose value is read when it is asked for. */
	gauge(name: string, help: string, read: () => number): void {
		new Gauge({
			name,
			help,
			registers: [this.registry],
			collect() {
				this.set(read());
			},
		});
	}
}
