import {setTimeout as delay} from 'node:timers/promises';
import {traced, traceHeaders} from '../../lib/tracer.ts';
import {Connections} from './connections.ts';
import {toWorkerError} from './faults.ts';
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
}

export interface WorkerAnswer {
	readonly status: number;
	readonly text: string;
	readonly tries: number;
	/** The text as JSON, whatever content type it came under. Error: `answer_invalid`. */
	json(): unknown;
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

	const callWorker: CallWorker = async call => {
		const {worker, body, signal, deadlineMs = DEADLINE_MS} = call;
		const name = `${worker.workerId} ${worker.url}`;
		const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
		if (text !== undefined && Buffer.byteLength(text) > maxRequestBytes) {
			throw new WorkerError('request_too_large');
		}
		const admission = call.evenResting ? undefined : states.admit(name);
		if (admission === 'resting') throw new WorkerError('resting');
		const told = {name, admission};
		try {
			const url = toUrl(worker.url, call.path);
			await turnOf(states, worker, name, signal);
			const request = {pool: connections.to(name, url), url, text, method: call.method ?? 'POST'};
			const answer = await traced('plugin_worker.call', {path: call.path}, () =>
				untilAnswered(
					{...request, headers: {...HEADERS, ...(call.traceHeaders ?? traceHeaders())}},
					{states, worker, signal, deadlineMs, ...told},
				),
			);
			states.succeeded(name);
			return answer;
		} catch (error) {
			const known = error instanceof WorkerError ? error : new WorkerError('unreachable', {cause: error});
			tell(states, known, told);
			throw known;
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

async function turnOf(
	states: WorkerStates,
	{maxQps}: WorkerAddress,
	name: string,
	signal: AbortSignal | undefined,
): Promise<void> {
	if (maxQps === null) return;
	const waitMs = states.takeTurn(name, maxQps);
	if (waitMs === undefined) throw new WorkerError('overloaded');
	if (waitMs >= 1) await pause(waitMs, signal);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	await delay(ms, undefined, signal && {signal}).catch(() => {
		throw new WorkerError('aborted');
	});
}

interface Request {
	readonly pool: ReturnType<Connections['to']>;
	readonly url: URL;
	readonly method: 'GET' | 'POST' | 'PUT';
	readonly text: string | undefined;
	readonly headers: Readonly<Record<string, string>>;
}

interface Trying extends Told {
	readonly states: WorkerStates;
	readonly worker: WorkerAddress;
	readonly signal: AbortSignal | undefined;
	readonly deadlineMs: number;
}

/** Tries with growing pauses, as long as it may help and the deadline allows. */
async function untilAnswered(request: Request, trying: Trying): Promise<WorkerAnswer> {
	const {states, worker, name, signal, deadlineMs} = trying;
	const until = performance.now() + deadlineMs;
	for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries++, pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2)) {
		const outcome = await once(request, until - performance.now(), signal).catch(
			error => error as WorkerError,
		);
		if (!(outcome instanceof WorkerError)) return {...outcome, tries};
		const again = outcome.fault === 'busy' || (outcome.fault === 'unreachable' && tries < MOST_TRIES);
		// Spread, so that those who were refused together do not come back together.
		const spreadMs = pauseMs * (0.5 + Math.random());
		if (!again || performance.now() + spreadMs >= until) throw outcome.after(tries);
		await pause(spreadMs, signal);
		await turnOf(states, worker, name, signal);
	}
}

async function once(
	{pool, url, method, text, headers}: Request,
	deadlineMs: number,
	signal: AbortSignal | undefined,
): Promise<Omit<WorkerAnswer, 'tries'>> {
	const giveUp = new AbortController();
	const timer = setTimeout(() => giveUp.abort(), Math.max(1, deadlineMs));
	const stop = () => giveUp.abort();
	signal?.addEventListener('abort', stop);
	let answerBegan = false;
	try {
		if (signal?.aborted) throw new WorkerError('aborted');
		const {statusCode: status, body} = await pool.request({
			path: url.pathname + url.search,
			method,
			headers,
			signal: giveUp.signal,
			...(text !== undefined && {body: text}),
		});
		answerBegan = true;
		const answer = await body.text();
		if (status === 429) throw new WorkerError('busy', {status});
		if (status < 200 || status > 299) throw new WorkerError('error_status', {detail: String(status), status});
		return {status, text: answer, json: () => parse(answer)};
	} catch (error) {
		if (signal?.aborted) throw new WorkerError('aborted');
		if (giveUp.signal.aborted) throw new WorkerError('timed_out');
		throw toWorkerError(error, {answerBegan});
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener('abort', stop);
	}
}

const HEADERS = {'content-type': 'application/json', accept: 'application/json', 'user-agent': 'Millrace'};

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new WorkerError('answer_invalid');
	}
}
