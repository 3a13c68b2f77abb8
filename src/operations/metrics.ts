import {Counter, collectDefaultMetrics, Gauge, Histogram, Registry} from 'prom-client';
import {IngestionMetrics} from './ingestion-metrics.ts';
import {QuestionMetrics} from './question-metrics.ts';
import {StoreMetrics} from './store-metrics.ts';

/** A reading that waits for somebody else is left out of the answer after so long. */
const PATIENCE_MS = 1_000;

/** What is read when somebody looks: one value, or several by a label's value. */
export type Reading = number | undefined | Readonly<Record<string, number>>;

export interface Shown {
	readonly name: string;
	readonly help: string;
	/** Names what several values differ by; several labels are joined by a comma, and so are their values. */
	readonly label?: string;
	/** A counter only ever grows; a gauge is the default. */
	readonly kind?: 'counter' | 'gauge';
	readonly read: () => Reading | Promise<Reading>;
}

interface Observed {
	readonly method: string;
	readonly route: string;
	readonly status: number;
	readonly ms: number;
}

/** What `GET /metrics` shows. Names are part of the interface: dashboards and alerts are written against them. */
export class Metrics {
	readonly registry = new Registry();
	readonly #requestChildren = new Map<string, Histogram.Internal<string>>();
	/** The child of the request before: most come by one route. */
	#last: (Omit<Observed, 'ms'> & {readonly child: Histogram.Internal<string>}) | undefined;
	readonly requests: Histogram<'method' | 'route' | 'status'>;
	readonly ingestion: IngestionMetrics;
	readonly questions: QuestionMetrics;
	readonly stores: StoreMetrics;

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
		this.stores = new StoreMetrics(this.registry);
	}

	/** Labels are few: their children are kept, since finding one costs more than counting. */
	observeRequest({method, route, status, ms}: Observed): void {
		const last = this.#last;
		if (last?.route !== route || last.status !== status || last.method !== method) {
			this.#last = {method, route, status, child: this.#childOf(method, route, status)};
		}
		this.#last!.child.observe(ms / 1000);
	}

	#childOf(method: string, route: string, status: number): Histogram.Internal<string> {
		const key = `${method} ${status} ${route}`;
		let child = this.#requestChildren.get(key);
		if (!child) {
			child = this.requests.labels({method, route, status: String(status)});
			this.#requestChildren.set(key, child);
		}
		return child;
	}

	/** A gauge whose value is read when it is asked for. */
	gauge(name: string, help: string, read: () => number): void {
		this.show({name, help, read});
	}

	/** Values that are read when they are asked for; one that fails or takes too long is missing, and nothing else is. */
	show({name, help, label, kind = 'gauge', read}: Shown): void {
		const labelNames = label?.split(',') ?? [];
		const collect = async (set: (labels: Record<string, string>, value: number) => void) => {
			const reading = await Promise.race([read(), patience()]).catch(() => undefined);
			if (reading === undefined) return;
			const values = typeof reading === 'number' ? [['', reading] as const] : Object.entries(reading);
			for (const [text, value] of values) {
				const parts = text.split(',');
				set(Object.fromEntries(labelNames.map((one, index) => [one, parts[index] ?? ''])), value);
			}
		};
		const common = {name, help, labelNames, registers: [this.registry]};
		if (kind === 'counter') {
			new Counter({
				...common,
				async collect() {
					this.reset();
					await collect((labels, value) => this.inc(labels, value));
				},
			});
		} else {
			new Gauge({
				...common,
				async collect() {
					this.reset();
					await collect((labels, value) => this.set(labels, value));
				},
			});
		}
	}

	/** All of it, in the text form of Prometheus. */
	text(): Promise<string> {
		return this.registry.metrics();
	}
}

function patience(): Promise<undefined> {
	return new Promise(resolve => {
		setTimeout(resolve, PATIENCE_MS, undefined).unref();
	});
}
