import type {CountedBatch, Watched} from '../../analytics/autocomplete/counted.ts';
import {startThread} from '../../lib/thread.ts';
import {isTracing, type Part, tracePast} from '../../lib/tracer.ts';
import type {JournalPosition} from '../journal/segments.ts';
import type {DrainPlace} from './build-drain.ts';
import type {DrainReport} from './drain.ts';

/** How the thread reaches the stores: plain data, since connections cannot be handed to a thread. */
export interface DrainStoresAt {
	readonly databaseUrl: string;
	readonly warehouse: {
		readonly url: string;
		readonly username: string;
		readonly password: string;
		readonly database?: string;
	};
	readonly secretKey: string;
}

export type ToDrain =
	| {readonly kind: 'advance'; readonly durable: JournalPosition}
	| {readonly kind: 'hurry'}
	| {readonly kind: 'watch'; readonly watched: readonly Watched[]; readonly id: number}
	| {readonly kind: 'stop'; readonly graceMs: number};

/** `parts`: what was done since the last one of these, where traces are wanted. */
export type FromDrain =
	| {
			readonly kind: 'confirmed';
			readonly arguments: Parameters<DrainReport['confirmed']>;
			readonly parts: readonly Part[];
	  }
	| {
			readonly kind: 'failed';
			readonly message: string;
			readonly code: string;
			readonly backoffMs: number;
			readonly parts: readonly Part[];
	  }
	| {readonly kind: 'kept'; readonly reasons: Parameters<DrainReport['kept']>[0]}
	| {readonly kind: 'counted'; readonly batch: CountedBatch}
	/** `id`: of the message that asked for it. */
	| {readonly kind: 'watching'; readonly id: number};

export interface DrainThreadData {
	readonly stores: DrainStoresAt;
	readonly place: DrainPlace;
	/** The thread tells what it does, for traces. */
	readonly traced?: boolean;
}

/** What the accepting side asks of a drain, wherever it runs. */
export interface DrainLink {
	advance(durable: JournalPosition): void;
	hurry(): void;
	/** Which counts of values are reported; see `ValueWriter.watch`. */
	watch(watched: readonly Watched[]): Promise<void>;
	stop(graceMs: number): Promise<void>;
}

const ADVANCE_MS = 20;
/** As the main thread's: a batch that waits for the stores is gone before it is collected. */
const YOUNG_MB = 192;

/**
 * A drain in a thread of its own: making facts of a large batch must not hold up those who wait for a 200.
 * A thread that dies is an error nobody can go on from: the process ends, and the journal has everything.
 */
export function startDrainThread(data: DrainThreadData, report: DrainReport): DrainLink {
	const entry = new URL('../../../workers/drain.js', import.meta.url);
	const worker = startThread(entry, {...data, traced: isTracing()}, {youngMb: YOUNG_MB});
	let stopping = false;
	let watches = 0;
	const watching = new Map<number, () => void>();
	const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()));
	worker.on('message', (message: FromDrain) => {
		if (message.kind === 'confirmed') {
			const [, {activities, bytes, ms}] = message.arguments;
			// A batch belongs to many requests and is a trace of its own.
			tracePast('drain.batch', {ms}, {activities, bytes}, undefined, message.parts);
			report.confirmed(...message.arguments);
		} else if (message.kind === 'kept') report.kept(message.reasons);
		else if (message.kind === 'counted') report.counted(message.batch);
		else if (message.kind === 'watching') {
			watching.get(message.id)?.();
			watching.delete(message.id);
		} else {
			tracePast('drain.batch', {ms: 0}, {}, message.code, message.parts);
			report.failed(Object.assign(new Error(message.message), {code: message.code}), message.backoffMs);
		}
	});
	worker.on('exit', code => {
		if (!stopping) throw new Error(`the drain's thread ended with ${code}`);
	});
	const tell = (message: ToDrain) => worker.postMessage(message);
	let newest: JournalPosition | undefined;
	const tellNewest = () => {
		if (newest) tell({kind: 'advance', durable: newest});
		newest = undefined;
	};
	return {
		// Commits come thousands a second, batches a few: the thread is told at most every few ms.
		advance(durable) {
			if (!newest) setTimeout(tellNewest, ADVANCE_MS);
			newest = durable;
		},
		hurry() {
			tellNewest();
			tell({kind: 'hurry'});
		},
		watch(watched) {
			const id = ++watches;
			tell({kind: 'watch', watched, id});
			return new Promise(resolve => watching.set(id, resolve));
		},
		async stop(graceMs) {
			stopping = true;
			tellNewest();
			tell({kind: 'stop', graceMs});
			await ended;
		},
	};
}
