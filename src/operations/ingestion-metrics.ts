import {Counter, Histogram, type Registry} from 'prom-client';

const SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];
const COUNTS = [1, 2, 5, 10, 20, 50, 100, 500, 2_000, 10_000, 50_000];
const BYTES = [1_000, 10_000, 100_000, 1_000_000, 4_000_000, 8_000_000, 64_000_000];

interface Drained {
	readonly activities: number;
	readonly bytes: number;
	readonly ms: number;
}

/** The way of an activity in numbers, stage by stage: door, journal, drain, dead letters (docs/adr/0013). */
export class IngestionMetrics {
	readonly #accepted: Counter<'door'>;
	readonly #acceptedAt = new Map<string, Counter.Internal>();
	readonly #refused: Counter<'door' | 'code'>;
	readonly #journalBytes: Counter;
	readonly #groupRecords: Histogram;
	readonly #groupSeconds: Histogram;
	readonly #drained: Counter;
	readonly #batchActivities: Histogram;
	readonly #batchBytes: Histogram;
	readonly #batchSeconds: Histogram;
	readonly #drainFailures: Counter<'code'>;
	readonly #deadLetters: Counter<'reason'>;
	readonly #analysed: Counter<'outcome'>;
	readonly #chainSeconds: Histogram;
	readonly #workerCalls: Counter<'result'>;
	readonly #workerSeconds: Histogram;
	readonly #untraced: Counter;

	constructor(registry: Registry) {
		const registers = [registry];
		const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
			new Counter({name, help, labelNames, registers});
		const histogram = (name: string, help: string, buckets: number[]) =>
			new Histogram({name, help, buckets, registers});
		this.#accepted = counter('millrace_accepted_activities_total', 'Activities answered 200 and durable', [
			'door',
		]);
		this.#refused = counter(
			'millrace_refused_activities_total',
			'Activities or requests refused, by error code',
			['door', 'code'],
		);
		this.#journalBytes = counter('millrace_journal_appended_bytes_total', 'Bytes appended to the journal');
		this.#groupRecords = histogram(
			'millrace_journal_group_records',
			'Activities that shared one sync',
			COUNTS,
		);
		this.#groupSeconds = histogram('millrace_journal_sync_seconds', 'Time of one write and sync', SECONDS);
		this.#drained = counter('millrace_drained_activities_total', 'Activities written to the stores');
		this.#batchActivities = histogram('millrace_drain_batch_activities', 'Activities in one batch', COUNTS);
		this.#batchBytes = histogram('millrace_drain_batch_bytes', 'Journal bytes in one batch', BYTES);
		this.#batchSeconds = histogram(
			'millrace_drain_batch_seconds',
			'Time to write one batch everywhere',
			SECONDS,
		);
		this.#drainFailures = counter(
			'millrace_drain_failures_total',
			'Tries of a batch that failed, by error code; it is tried again',
			['code'],
		);
		this.#analysed = counter(
			'millrace_chain_activities_total',
			'Activities that have been through their analyzers, by what became of them',
			['outcome'],
		);
		this.#chainSeconds = histogram(
			'millrace_chain_seconds',
			'From acceptance to the end of the analyzer chain',
			SECONDS,
		);
		this.#workerCalls = counter(
			'millrace_analyzer_calls_total',
			'Turns of activity analyzers: ok, or what was wrong',
			['result'],
		);
		this.#workerSeconds = histogram(
			'millrace_analyzer_seconds',
			'Time of one analyzer, retries included',
			SECONDS,
		);
		this.#untraced = counter('millrace_chain_untraced_total', 'Ways through a chain that left no trace');
		this.#deadLetters = counter('millrace_dead_letters_total', 'Activities that became dead letters', [
			'reason',
		]);
	}

	/** Doors are few and busy: their children are kept, since finding one costs more than counting. */
	accepted(door: string, activities: number): void {
		let child = this.#acceptedAt.get(door);
		if (!child) {
			child = this.#accepted.labels({door});
			this.#acceptedAt.set(door, child);
		}
		child.inc(activities);
	}

	refused(door: string, code: string, activities: number): void {
		this.#refused.inc({door, code}, activities);
	}

	committed({
		records,
		bytes,
		ms,
	}: {
		readonly records: number;
		readonly bytes: number;
		readonly ms: number;
	}): void {
		this.#journalBytes.inc(bytes);
		this.#groupRecords.observe(records);
		this.#groupSeconds.observe(ms / 1000);
	}

	drained({activities, bytes, ms}: Drained): void {
		this.#drained.inc(activities);
		this.#batchActivities.observe(activities);
		this.#batchBytes.observe(bytes);
		this.#batchSeconds.observe(ms / 1000);
	}

	drainFailed(code: string): void {
		this.#drainFailures.inc({code});
	}

	deadLetter(reason: string): void {
		this.#deadLetters.inc({reason});
	}

	analysed(outcome: string, ms: number): void {
		this.#analysed.inc({outcome});
		this.#chainSeconds.observe(ms / 1000);
	}

	workerCalled(result: string, ms: number): void {
		this.#workerCalls.inc({result});
		this.#workerSeconds.observe(ms / 1000);
	}

	untraced(traces: number): void {
		this.#untraced.inc(traces);
	}
}
