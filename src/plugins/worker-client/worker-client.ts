import {setTimeout as delay} from 'node:timers/promises';
import {traced, traceHeaders} from '../../lib/tracer.ts';
import {AnswerRoom, type AnswerRoomLimits, type Place} from './answer-room.ts';
import {Connections} from './connections.ts';
import {type Exchange, exchange} from './exchange.ts';
import {Gates} from './gates.ts';
import {Networks} from './networks.ts';
import {WorkerError} from './worker-error.ts';
import {type Admission, WorkerStates} from './worker-states.ts';

/** Whom to call: what the client needs to know of a version's plugin worker. Plain data. */
export interface WorkerAddress {
	readonly workerId: string;
	/** `http(s)://host:port` with an optional path, no slash at the end. */
	readonly url: string;
	/** Calls a second, over all threads; null: no limit. */
	readonly maxQps: number | null;
}

export interface WorkerCall {
	readonly worker: WorkerAddress;
	/** Behind the worker's url, such as `/v1/activity_analysis`. */
	readonly path: string;
	readonly method?: 'GET' | 'POST' | 'PUT';
	/** JSON: a value, or its text as it is. */
	readonly body?: object | string;
	/** Gives the call up: `aborted`. */
	readonly signal?: AbortSignal | undefined;
	/** `traceparent` of what it is done for, where that is in another thread. */
	readonly traceHeaders?: Readonly<Record<string, string>> | undefined;
	/** For all tries together, without the time `max_qps` makes it wait; 5 s where absent. */
	readonly deadlineMs?: number;
	/** Made whether the plugin worker rests or not: an answer ends its rest, a failure says nothing new of it. */
	readonly evenResting?: boolean;
	/** Waits for its turn as long as it takes; others fail where that is further away than 30 s. */
	readonly isPatient?: boolean;
	/** Not made again where the request may have arrived. A 429 says that nothing was done, and is asked again. */
	readonly isOnce?: boolean;
	/** Keeps the room that a large answer takes until the caller gives it back; else only while it is read. */
	readonly keepsPlace?: boolean;
}

export interface WorkerAnswer {
	readonly status: number;
	readonly text: string;
	readonly tries: number;
	/** The text as JSON, whatever content type it came under. Error: `answer_invalid`. */
	json(): unknown;
	/** The room of a large answer, where the call keeps it. */
	readonly place?: Place | undefined;
}

/** Resolves with an answer of status 200 to 299; rejects with a `WorkerError` alone. */
export type CallWorker = (call: WorkerCall) => Promise<WorkerAnswer>;

export interface WorkerClientOptions {
	/** Addresses and CIDRs that may be called although they are private (`PLUGIN_WORKER_ALLOWED_NETWORKS`). */
	readonly allowedNetworks: readonly string[];
	/** Shared with other threads: `WorkerStates.buffer`. */
	readonly states?: SharedArrayBuffer | undefined;
	readonly maxRequestBytes?: number;
	readonly maxAnswerBytes?: number;
	/** For large answers, of all plugin workers together. */
	readonly answerRoom?: AnswerRoomLimits;
}

export interface WorkerClient {
	readonly callWorker: CallWorker;
	readonly states: WorkerStates;
	/** Calls under way fail. */
	close(): Promise<void>;
}

export const DEADLINE_MS = 5_000;
const CONNECT_MS = 2_000;
/** A published SDK's older releases take no more; what an analyzer gets and gives is about as large. */
const MAX_REQUEST_BYTES = 5 * 1024 * 1024;
const MAX_ANSWER_BYTES = 6 * 1024 * 1024;
const CONNECTIONS = 64;
/** What waits for longer gets in nobody's way by failing. */
const PATIENCE_MS = 30_000;
/** Of connections that fail; one that is busy is asked again until the deadline. */
const MOST_TRIES = 4;
const FIRST_PAUSE_MS = 40;
const LAST_PAUSE_MS = 1_000;
/** Said by what stands before a plugin worker: it is not there. Any other status comes from one that is. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * All HTTP to plugin workers, which strangers write and run. Addresses in allowed networks only, no redirect followed,
 * sizes capped both ways, one deadline. Tried again: a 429, and connections that fail before an answer begins; never an
 * error status. Errors name no address.
 */
export function createWorkerClient(options: WorkerClientOptions): WorkerClient {
	const {maxRequestBytes = MAX_REQUEST_BYTES, maxAnswerBytes = MAX_ANSWER_BYTES} = options;
	const states = new WorkerStates(options.states);
	const connections = new Connections(new Networks(options.allowedNetworks), {
		connections: CONNECTIONS,
		connectMs: CONNECT_MS,
		maxAnswerBytes,
	});
	const gates = new Gates(CONNECTIONS);
	const room = new AnswerRoom(options.answerRoom);

	const callWorker: CallWorker = async call => {
		const {worker, body, signal, deadlineMs = DEADLINE_MS} = call;
		const name = `${worker.workerId} ${worker.url}`;
		const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
		if (text !== undefined && Buffer.byteLength(text) > maxRequestBytes) {
			throw new WorkerError('request_too_large');
		}
		const line = {states, gates, worker, name, signal, isPatient: call.isPatient ?? false};
		if (!call.evenResting) await inLine(line);
		let told: Told = {name, admission: undefined};
		try {
			if (!call.evenResting) told = {name, admission: await admitted(line)};
			const url = toUrl(worker.url, call.path);
			const isOnce = call.isOnce ?? false;
			const pool = connections.to(name, url, {isOnce});
			const reading = {room, name, maxAnswerBytes, keepsPlace: call.keepsPlace ?? false};
			const headers = {...HEADERS, ...(call.traceHeaders ?? traceHeaders())};
			const answer = await traced('plugin_worker.call', {path: call.path}, () =>
				untilAnswered(
					{pool, url, text, method: call.method ?? 'POST', headers, reading},
					{...line, deadlineMs, isOnce},
				),
			);
			states.succeeded(name);
			return answer;
		} catch (error) {
			const known = error instanceof WorkerError ? error : new WorkerError('unreachable', {cause: error});
			tell(states, known, told);
			throw known;
		} finally {
			if (!call.evenResting) gates.leave(name);
		}
	};
	return {callWorker, states, close: () => connections.close()};
}

interface Told {
	readonly name: string;
	/** Undefined where none was asked for. */
	readonly admission: Admission | undefined;
}

/** Whoever answers is there, whatever it says; whoever asked too much, or gave up, says nothing about it. */
function tell(states: WorkerStates, error: WorkerError, {name, admission}: Told): void {
	const {fault, status} = error;
	const isAway = fault === 'unreachable' || fault === 'timed_out' || fault === 'busy';
	if (isAway || (status !== undefined && AWAY.has(status))) {
		if (admission) states.failed(name, admission);
	} else if (status !== undefined || fault.startsWith('answer_')) states.succeeded(name);
}

function toUrl(base: string, path: string): URL {
	const url = URL.canParse(base + path) ? new URL(base + path) : undefined;
	if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new WorkerError('address_refused');
	return url;
}

/** Who waits for a plugin worker, and how long. */
interface Line {
	readonly states: WorkerStates;
	readonly gates: Gates;
	readonly worker: WorkerAddress;
	readonly name: string;
	readonly signal: AbortSignal | undefined;
	readonly isPatient: boolean;
}

/** Errors: `overloaded`, `aborted`, `resting`. */
async function inLine({states, gates, name, signal, isPatient}: Line): Promise<void> {
	if (states.rests(name)) throw new WorkerError('resting');
	await gates.enter(name, {patienceMs: isPatient ? undefined : PATIENCE_MS, signal});
}

/** Behind the turn that `max_qps` gives. A plugin worker that rests by then costs none. */
async function admitted(line: Line): Promise<Admission> {
	const {states, gates, worker, name, isPatient} = line;
	if (worker.maxQps !== null) {
		const take = async () => {
			if (states.rests(name)) throw new WorkerError('resting');
			await turnOf(line);
		};
		// The patient book no turn before it is theirs to take: others would find all of the next 30 s taken.
		await (isPatient ? gates.inTurn(name, take) : take());
	}
	const admission = states.admit(name);
	if (admission === 'resting') throw new WorkerError('resting');
	return admission;
}

/** Waits for the next turn; answers for how many ms. */
async function turnOf({states, worker: {maxQps}, name, signal, isPatient}: Line): Promise<number> {
	if (maxQps === null) return 0;
	for (let waitedMs = 0; ; waitedMs += 1_000) {
		const waitMs = states.takeTurn(name, maxQps);
		if (waitMs !== undefined) {
			if (waitMs >= 1) await pause(waitMs, signal);
			return waitedMs + waitMs;
		}
		if (!isPatient) throw new WorkerError('overloaded');
		await pause(1_000, signal);
	}
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	await delay(ms, undefined, signal && {signal}).catch(() => {
		throw new WorkerError('aborted');
	});
}

interface Trying extends Line {
	readonly deadlineMs: number;
	readonly isOnce: boolean;
}

/** Tries with growing pauses, as long as it may help and the deadline allows. */
async function untilAnswered(request: Exchange, trying: Trying): Promise<WorkerAnswer> {
	const {signal, deadlineMs, isOnce} = trying;
	let until = performance.now() + deadlineMs;
	for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries++, pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2)) {
		const outcome = await exchange(request, until - performance.now(), signal).catch(
			error => error as WorkerError,
		);
		if (!(outcome instanceof WorkerError)) return {...outcome, tries};
		// Spread, so that those who were refused together do not come back together.
		const spreadMs = pauseMs * (0.5 + Math.random());
		if (!mayHelp(outcome, tries, isOnce) || performance.now() + spreadMs >= until) throw outcome.after(tries);
		await pause(spreadMs, signal);
		until += await turnOf(trying);
	}
}

/** Whether the same again may bring something else, and can do no harm. */
function mayHelp({fault, mayHaveArrived}: WorkerError, tries: number, isOnce: boolean): boolean {
	if (fault === 'busy') return true;
	return fault === 'unreachable' && tries < MOST_TRIES && !(isOnce && mayHaveArrived);
}

const HEADERS = {'content-type': 'application/json', accept: 'application/json', 'user-agent': 'Millrace'};
