import type {Logger} from 'pino';
import {notFound} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import {tsvArray, tsvText} from '../../lib/tsv.ts';
import type {Datamart} from '../../tenants/directory.ts';
import type {ReadOptions, Warehouse} from '../../warehouse/warehouse.ts';
import type {JournalRecord} from '../journal/record.ts';
import type {Analysed, Step} from './analyse.ts';
import {type TraceQuestion, type TraceRow, traceCount, tracePage} from './traces.query.ts';

export type TraceOutcome = TraceRow['outcome'];

/** One activity's way through its analyzers. Times are epoch ms. */
export interface ActivityTrace {
	/** `<instance>-<arrival>`: its place in the order of arrival. */
	readonly id: string;
	readonly channelId: number;
	readonly receivedMs: number;
	readonly startedMs: number;
	readonly endedMs: number;
	readonly outcome: TraceOutcome;
	readonly steps: readonly Step[];
}

/** What has been through its analyzers. */
export interface Traced {
	readonly record: JournalRecord;
	readonly channelId: number;
	readonly analysed: Analysed;
	readonly startedMs: number;
}

const TABLE = 'activity_traces_v1';
const COLUMNS = [
	...[
		'datamart_id',
		'traced_ms',
		'instance',
		'arrival',
		'channel_id',
		'received_ms',
		'started_ms',
		'outcome',
	],
	...['analyzer_ids', 'error_ids', 'keys', 'steps'],
];
const LIFETIME_MS = 3 * 86_400_000;
const FLUSH_MS = 500;
/** Kept at a flush; of more, a busy service tells the first ones. Failures are what traces are read for. */
const MOST_STORED = 100;
const MOST_FAILED = 1_000;

export interface TracesOptions {
	readonly warehouse: Pick<Warehouse, 'write'>;
	readonly instance: number;
	readonly log: Pick<Logger, 'warn'>;
	/** Told how many were left out. */
	readonly left?: (traces: number) => void;
}

/**
 * Writes traces down, some times a second and bounded: they help to understand a chain, and nothing waits for them. What
 * a store that is away does not take is forgotten once there is no more room.
 */
export class Traces {
	readonly #options: TracesOptions;
	#lines: string[] = [];
	#stored = 0;
	#failed = 0;
	#timer: NodeJS.Timeout | undefined;
	#writing: Promise<void> | undefined;

	constructor(options: TracesOptions) {
		this.#options = options;
	}

	add(traced: Traced): void {
		const outcome = outcomeOf(traced.analysed);
		const isFull = outcome === 'stored' ? this.#stored >= MOST_STORED : this.#failed >= MOST_FAILED;
		if (isFull) {
			this.#options.left?.(1);
			return;
		}
		if (outcome === 'stored') this.#stored += 1;
		else this.#failed += 1;
		this.#lines.push(toLine(traced, outcome, this.#options.instance));
		this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
	}

	/** Resolves once everything told of so far is written, or could not be. */
	async flush(): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		await this.#writing;
		if (this.#lines.length === 0) return;
		this.#writing = this.#write(this.#lines);
		await this.#writing;
		this.#writing = undefined;
	}

	async #write(lines: readonly string[]): Promise<void> {
		const {warehouse, log, left} = this.#options;
		this.#lines = [];
		this.#stored = 0;
		this.#failed = 0;
		try {
			await warehouse.write({
				table: TABLE,
				columns: COLUMNS,
				rows: lines.length,
				payload: Buffer.from(lines.join('')),
			});
		} catch (error) {
			log.warn({error, traces: lines.length}, 'traces of analyzers could not be written');
			left?.(lines.length);
		}
	}
}

/** What became of an activity, in one word. */
export function outcomeOf({activity, unanalysed, steps}: Analysed): TraceOutcome {
	if (unanalysed) return 'unanalysed';
	if (activity === undefined) return 'dropped';
	return steps.some(step => step.failure) ? 'stored_with_error' : 'stored';
}

function toLine({record, channelId, analysed, startedMs}: Traced, outcome: string, instance: number): string {
	const {steps} = analysed;
	const cells = [
		...[
			record.datamartId,
			Date.now(),
			instance,
			record.arrival,
			channelId,
			record.receivedMs,
			startedMs,
			outcome,
		],
		`[${steps.map(step => step.analyzerId).join()}]`,
		tsvArray(steps.flatMap(step => step.failure?.errorId ?? [])),
		tsvArray((record.keys ?? []).map(key => key.toString('hex'))),
		tsvText(JSON.stringify(steps)),
	];
	return `${cells.join('\t')}\n`;
}

export interface ReadTraces {
	readonly warehouse: Pick<Warehouse, 'read'>;
	/** How questions are put for whoever asks. */
	readonly read?: ReadOptions;
	/** The key of a `$unique_key`, in hexadecimal. */
	readonly keyOf: (datamartId: number, uniqueKey: string) => string;
	/** What is still in memory is told of as well. */
	readonly flush: () => Promise<void>;
}

type Asked = Omit<TraceQuestion, 'datamartId' | 'sinceMs' | 'key' | 'place'>;

/** Traces of the last 3 days, newest first. */
export async function listTraces(
	context: ReadTraces,
	datamart: Datamart,
	asked: Asked,
	paging: Paging,
): Promise<Page<ActivityTrace>> {
	await context.flush();
	const question = {...asked, ...withinLife(datamart)};
	const {warehouse, read} = context;
	const [{rows}, count] = await Promise.all([
		warehouse.read(tracePage, {...question, ...paging}, read),
		warehouse.read(traceCount, question, read),
	]);
	return {items: rows.map(fromRow), total: count.rows[0]?.total ?? 0};
}

/**
 * The last way of one activity, told by its trace's id, by an `$error_analyzer_id` it carries or by its `$unique_key`.
 * Error: `activity_trace_not_found`.
 */
export async function getTrace(context: ReadTraces, datamart: Datamart, id: string): Promise<ActivityTrace> {
	await context.flush();
	const {warehouse, read, keyOf} = context;
	for (const told of waysToTell(id, uniqueKey => keyOf(datamart.id, uniqueKey))) {
		const question = {...told, ...withinLife(datamart), firstResult: 0, maxResults: 1};
		const [row] = (await warehouse.read(tracePage, question, read)).rows;
		if (row) return fromRow(row);
	}
	throw notFound('activity_trace_not_found');
}

/** A `$unique_key` may look like anything, the other two only like themselves. */
function waysToTell(id: string, keyOf: (uniqueKey: string) => string): readonly Partial<TraceQuestion>[] {
	const place = /^(\d{1,5})-(\d{1,15})$/.exec(id);
	const [instance, arrival] = [Number(place?.[1]), Number(place?.[2])];
	const isErrorId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
	return [
		...(place && instance < 2 ** 16 ? [{place: {instance, arrival}}] : []),
		...(isErrorId ? [{errorId: id}] : []),
		{key: keyOf(id)},
	];
}

function withinLife(datamart: Datamart) {
	return {datamartId: datamart.id, sinceMs: Date.now() - LIFETIME_MS};
}

function fromRow(row: TraceRow): ActivityTrace {
	return {
		id: `${row.instance}-${row.arrival}`,
		channelId: row.channel_id,
		receivedMs: row.received_ms,
		startedMs: row.started_ms,
		endedMs: row.traced_ms,
		outcome: row.outcome,
		steps: JSON.parse(row.steps),
	};
}
