import {Counter, Histogram, type Registry} from 'prom-client';

const SECONDS = [0.002, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 120];

/** Statements of the accepting side and jobs in numbers; the drain's own are in the times of its batches. */
export class StoreMetrics {
	readonly #statements: Histogram<'name'>;
	readonly #failures: Counter<'name' | 'code'>;
	readonly #rowsRead: Counter<'name'>;
	readonly #bytesRead: Counter<'name'>;
	readonly #jobs: Histogram<'type' | 'status'>;

	constructor(registry: Registry) {
		const registers = [registry];
		this.#statements = new Histogram({
			name: 'millrace_warehouse_seconds',
			help: 'Time of one statement at the warehouse, waiting for a session included, by name',
			labelNames: ['name'],
			buckets: SECONDS,
			registers,
		});
		this.#failures = new Counter({
			name: 'millrace_warehouse_failures_total',
			help: 'Statements the warehouse did not carry out, by name and error code',
			labelNames: ['name', 'code'],
			registers,
		});
		this.#rowsRead = new Counter({
			name: 'millrace_warehouse_read_rows_total',
			help: 'Rows the warehouse scanned, by query name',
			labelNames: ['name'],
			registers,
		});
		this.#bytesRead = new Counter({
			name: 'millrace_warehouse_read_bytes_total',
			help: 'Bytes the warehouse scanned, by query name',
			labelNames: ['name'],
			registers,
		});
		this.#jobs = new Histogram({
			name: 'millrace_job_seconds',
			help: 'Time from the last begin of a job to its end or pause, by type and what became of it',
			labelNames: ['type', 'status'],
			buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200],
			registers,
		});
	}

	statement(name: string, ms: number, code: string | undefined): void {
		this.#statements.observe({name}, ms / 1000);
		if (code !== undefined) this.#failures.inc({name, code});
	}

	scanned(name: string, rows: number, bytes: number): void {
		this.#rowsRead.inc({name}, rows);
		this.#bytesRead.inc({name}, bytes);
	}

	/** `waiting` where it is left to be gone on with. */
	jobEnded(type: string, status: string, ms: number): void {
		this.#jobs.observe({type, status}, ms / 1000);
	}
}
