import {setTimeout as delay} from 'node:timers/promises';
import type {Logger} from 'pino';
import {DomainError} from '../../errors.ts';
import {parseId} from '../../lib/ids.ts';
import type {AnalyzerLink, AnalyzerView} from '../../plugins/channel-links/analyzer-links.ts';
import {WorkerError} from '../../plugins/worker-client/worker-error.ts';
import type {TenantView} from '../../tenants/directory.ts';
import {patiently} from '../drain/drained.ts';
import type {WireActivity} from '../facts/activity.ts';
import {text} from '../facts/facts.ts';
import type {Journal} from '../journal/journal.ts';
import {readRecord} from '../journal/reader.ts';
import type {JournalRecord} from '../journal/record.ts';
import type {JournalPosition, PlacedRecord} from '../journal/segments.ts';
import type {IngestionMeters} from '../meters.ts';
import type {Noted} from '../user-activities/keep-once.ts';
import {type Analysed, type Analysis, analyse} from './analyse.ts';
import {lostRecord, outcomeRecord, UNANALYSED} from './outcome.ts';
import {outcomeOf, type Traces} from './traces.ts';
import type {Waiting, WaitingArea} from './waiting-area.ts';

/** Runs `analyse` somewhere: in a job's thread, or here in tests. Rejects where that place is lost. */
export type RunAnalysis = (analysis: Analysis) => Promise<Analysed>;

export interface Analyzers {
	readonly links: AnalyzerView;
	readonly directory: Pick<TenantView, 'channel'>;
	readonly run: RunAnalysis;
}

export interface ActivityChainOptions extends Analyzers {
	readonly journal: Pick<Journal, 'append' | 'directory'>;
	readonly waiting: WaitingArea;
	readonly meters: Pick<IngestionMeters, 'analysed' | 'workerCalled'>;
	/** Told of every activity that has been through its chain. */
	readonly traces: Pick<Traces, 'add'>;
	readonly log: Pick<Logger, 'warn' | 'error'>;
	/** Longer than this nothing waits for its turn: its analyzers count as failed. */
	readonly patienceMs?: number;
}

/** Under way at once for one channel, as many as there are connections to a plugin worker. */
const RUNNING_PER_CHANNEL = 64;
/** Beyond this many in all, or at one of its plugin workers, a channel gets no more than a few at once. */
const RUNNING_IN_ALL = 2_048;
const RUNNING_PER_WORKER = 128;
const FEW_PER_CHANNEL = 4;
const RUNNING_BYTES_PER_CHANNEL = 8 * 1024 * 1024;
const PATIENCE_MS = 5 * 60_000;
/** An activity under which so many threads were lost is given to no further one. */
const MOST_LOST_THREADS = 2;
/** So often a record is looked for where it should lie, when something else lies there. */
const MOST_LOOKS = 3;

interface Running {
	count: number;
	bytes: number;
}

/**
 * Takes waiting records through the analyzers of their channel, beside the drain. What comes out goes into the journal
 * as a record of its own that refers to the first: the drain stores that one, in the first one's place. Each channel has
 * its own queue and its own share of what is under way, so that a plugin worker that hangs is felt by its channel alone;
 * channels that share a plugin worker share what may be under way for it (ADR 37).
 */
export class ActivityChain {
	readonly #options: ActivityChainOptions;
	readonly #running = new Map<number, Running>();
	/** Plugin worker -> activities under way whose chain it stands in. */
	readonly #atWorker = new Map<string, number>();
	readonly #settled = new Map<number, ((outcomeArrival: number) => void)[]>();
	readonly #ended = new AbortController();
	#runningInAll = 0;
	#idle: (() => void) | undefined;

	constructor(options: ActivityChainOptions) {
		this.#options = options;
	}

	/**
	 * The channel whose analyzers an activity has to wait for; undefined where it has none. Error: `analyzers_behind`, where
	 * too many wait for them already.
	 */
	takes(datamartId: number, activity: WireActivity): number | undefined {
		const {links, directory, waiting} = this.#options;
		const channelId = parseId(text(activity.$site_id) || text(activity.$app_id));
		const analyzers = channelId === undefined ? [] : links.linksOf(channelId);
		if (channelId === undefined || analyzers.length === 0) return undefined;
		// A sender may write any number there.
		if (directory.channel(channelId)?.datamartId !== datamartId) return undefined;
		if (!waiting.isFull(channelId, leastPaceMs(analyzers))) return channelId;
		throw new DomainError('analyzers_behind', 'too many activities wait for the analyzers of this channel', {
			retryAfterSeconds: 10,
		});
	}

	/** Begins with what an earlier process has left. */
	start(): void {
		for (const channelId of this.#options.waiting.channels()) this.#pump(channelId);
	}

	/** A record that waits is on disk. */
	enter(placed: PlacedRecord): void {
		this.#options.waiting.add(placed, Date.now());
		this.#pump(placed.record.waits!.channelId);
	}

	/** From here on the journal has to keep everything; undefined where nothing waits. */
	get oldest(): JournalPosition | undefined {
		return this.#options.waiting.oldest;
	}

	get running(): number {
		return this.#runningInAll;
	}

	/**
	 * Resolves with the last arrival of the outcomes once none of these waits any more; 0 where none did. Error:
	 * `not_yet_queryable` after 30 s.
	 */
	async whenSettled({arrivals, found}: Noted): Promise<number> {
		const {waiting} = this.#options;
		const open = new Set(arrivals.filter(arrival => waiting.has(arrival)));
		for (const key of found) {
			const arrival = waiting.underKey(key);
			if (arrival !== undefined) open.add(arrival);
		}
		const outcomes = [...open].map(
			arrival =>
				new Promise<number>(resolve => {
					const others = this.#settled.get(arrival);
					if (others) others.push(resolve);
					else this.#settled.set(arrival, [resolve]);
				}),
		);
		return Math.max(0, ...(await patiently(Promise.all(outcomes))));
	}

	/** Takes nothing further and waits at most `graceMs` for what is under way; the rest is done after the next start. */
	async close(graceMs: number): Promise<void> {
		this.#ended.abort();
		if (this.#runningInAll === 0) return;
		const idle = new Promise<void>(resolve => {
			this.#idle = resolve;
		});
		await Promise.race([idle, delay(graceMs, undefined, {ref: false})]);
	}

	#pump(channelId: number): void {
		const running = this.#running.get(channelId) ?? {count: 0, bytes: 0};
		const workerIds = workersOf(this.#options.links.linksOf(channelId));
		while (!this.#ended.signal.aborted && this.#hasRoom(running, workerIds)) {
			const next = this.#options.waiting.take(channelId);
			if (!next) break;
			running.count += 1;
			running.bytes += next.bytes;
			this.#runningInAll += 1;
			this.#count(workerIds, 1);
			this.#running.set(channelId, running);
			void this.#run(next).finally(() => {
				running.count -= 1;
				running.bytes -= next.bytes;
				this.#runningInAll -= 1;
				this.#count(workerIds, -1);
				if (running.count === 0) this.#running.delete(channelId);
				if (this.#runningInAll === 0) this.#idle?.();
				this.#pump(channelId);
			});
		}
	}

	/** A channel is never held back for others altogether: what it has under way comes back and pumps again. */
	#hasRoom({count, bytes}: Running, workerIds: readonly string[]): boolean {
		if (count === 0) return true;
		const isCrowded =
			this.#runningInAll >= RUNNING_IN_ALL ||
			workerIds.some(id => (this.#atWorker.get(id) ?? 0) >= RUNNING_PER_WORKER);
		const most = isCrowded ? FEW_PER_CHANNEL : RUNNING_PER_CHANNEL;
		return count < most && bytes < RUNNING_BYTES_PER_CHANNEL;
	}

	#count(workerIds: readonly string[], more: 1 | -1): void {
		for (const id of workerIds) {
			const count = (this.#atWorker.get(id) ?? 0) + more;
			if (count === 0) this.#atWorker.delete(id);
			else this.#atWorker.set(id, count);
		}
	}

	/** Never rejects. Whatever goes wrong the activity has an outcome, unless the service stops before. */
	async #run(waiting: Waiting): Promise<void> {
		const {meters, traces, log} = this.#options;
		const startedMs = Date.now();
		try {
			const record = waiting.record ?? (await this.#read(waiting));
			let analysed = await this.#analysed(waiting, record).catch(error => this.#givenUp(waiting, error));
			const outcomeArrival = await this.#keep(record, analysed).catch(error => {
				analysed = this.#givenUp(waiting, error);
				return this.#keep(record, analysed);
			});
			if (outcomeArrival === undefined) return;
			this.#options.waiting.settle(waiting.arrival, Date.now());
			for (const told of this.#settled.get(waiting.arrival) ?? []) told(outcomeArrival);
			this.#settled.delete(waiting.arrival);
			meters.analysed(outcomeOf(analysed), Date.now() - waiting.sinceMs);
			for (const step of analysed.steps) meters.workerCalled(step.failure?.fault ?? 'ok', step.ms);
			traces.add({record, channelId: waiting.channelId, analysed, startedMs});
		} catch (error) {
			const message = 'an activity stays in front of its analyzers until the next start';
			if (!this.#ended.signal.aborted) log.error({error, arrival: waiting.arrival}, message);
		}
	}

	/** What analyzers cannot be asked about, for a reason nobody has thought of, becomes a dead letter. */
	#givenUp({arrival}: Waiting, error: unknown): Analysed {
		this.#ended.signal.throwIfAborted();
		this.#options.log.error({error, arrival}, 'an activity could not be sent through its analyzers');
		return UNANALYSED;
	}

	/** From the journal, which keeps it; a disk that fails to read is asked again, a damaged place three times. */
	async #read(waiting: Waiting): Promise<JournalRecord> {
		const {journal, log, directory} = this.#options;
		for (let looks = 1, pauseMs = 100; ; looks++, pauseMs = Math.min(5_000, pauseMs * 2)) {
			this.#ended.signal.throwIfAborted();
			try {
				return await readRecord(journal.directory, waiting.at);
			} catch (error) {
				log.warn({error}, 'a waiting activity cannot be read yet');
				const {code} = error as NodeJS.ErrnoException;
				const isGone = code === undefined || code === 'ENOENT';
				if (isGone && looks >= MOST_LOOKS) {
					return lostRecord(waiting, directory.channel(waiting.channelId)?.datamartId ?? 0);
				}
				await delay(pauseMs, undefined, {ref: false});
			}
		}
	}

	async #analysed(waiting: Waiting, record: JournalRecord): Promise<Analysed> {
		const {links, run, log, patienceMs = PATIENCE_MS} = this.#options;
		// See `lostRecord`: no accepted activity is empty.
		if (record.body.length === 0) return UNANALYSED;
		const analysis: Analysis = {
			datamartId: record.datamartId,
			channelId: waiting.channelId,
			defaultCompartmentId: record.defaultCompartmentId,
			activity: record.body.toString('utf8'),
			// As they are now: one that was removed meanwhile is not asked.
			analyzers: links.linksOf(waiting.channelId),
		};
		if (analysis.analyzers.length === 0) return analyse(analysis, refuse('missing'));
		if (Date.now() - waiting.sinceMs > patienceMs) return analyse(analysis, refuse('overloaded'));
		for (let lost = 0; ; lost++) {
			try {
				return await run(analysis);
			} catch (error) {
				// A thread that closes with the service says nothing about the activity.
				this.#ended.signal.throwIfAborted();
				log.warn({error, arrival: waiting.arrival}, 'a thread was lost while it worked for an activity');
				if (lost + 1 >= MOST_LOST_THREADS) return analyse(analysis, refuse('aborted'));
			}
		}
	}

	/** The outcome's arrival, once it is on disk; undefined where the service stops before. */
	async #keep(record: JournalRecord, analysed: Analysed): Promise<number | undefined> {
		const {journal, log} = this.#options;
		const outcome = outcomeRecord(record, analysed);
		for (let pauseMs = 100; ; pauseMs = Math.min(5_000, pauseMs * 2)) {
			try {
				// Past the bound: until it is there the journal has to keep the first one as well.
				const [arrival] = await journal.append([outcome], {pastBound: true});
				return arrival;
			} catch (error) {
				// A disk comes back; a record that the journal cannot hold stays one.
				if (!(error instanceof DomainError)) throw error;
				if (error.code === 'shutting_down') return undefined;
				log.warn({error}, 'what analyzers made of an activity cannot be kept yet');
				await delay(pauseMs, undefined, {ref: false});
			}
		}
	}
}

/** The time between two calls that the slowest `max_qps` of a chain allows, in ms; 0 where none is set. */
function leastPaceMs(analyzers: readonly AnalyzerLink[]): number {
	return Math.max(0, ...analyzers.map(({worker}) => (worker?.maxQps ? 1_000 / worker.maxQps : 0)));
}

function workersOf(analyzers: readonly AnalyzerLink[]): readonly string[] {
	return [...new Set(analyzers.flatMap(({worker}) => worker?.workerId ?? []))];
}

/** Stands for plugin workers that are not called. */
function refuse(fault: 'missing' | 'overloaded' | 'aborted') {
	return () => Promise.reject(new WorkerError(fault));
}
