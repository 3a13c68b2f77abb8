import type {Dispatcher} from 'undici';
import type {AnswerRoom, Place} from './answer-room.ts';
import {toWorkerError} from './faults.ts';
import type {WorkerAnswer} from './worker-client.ts';
import {WorkerError} from './worker-error.ts';

/** One request to a plugin worker, as it goes over the wire. */
export interface Exchange {
	readonly pool: Dispatcher;
	readonly url: URL;
	readonly method: 'GET' | 'POST' | 'PUT';
	readonly text: string | undefined;
	readonly headers: Readonly<Record<string, string>>;
	readonly reading: Reading;
}

/** How its answer is read. */
interface Reading {
	readonly room: AnswerRoom;
	readonly name: string;
	readonly maxAnswerBytes: number;
	readonly keepsPlace: boolean;
}

/** Answers up to here take no room: they are most, and nobody's large ones keep them from being read. */
const SMALL_BYTES = 64 * 1024;

/** Sends it once. Rejects with a `WorkerError` alone. */
export async function exchange(
	{pool, url, method, text, headers, reading}: Exchange,
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
		const answer = await pool.request({
			path: url.pathname + url.search,
			method,
			headers,
			signal: giveUp.signal,
			...(text !== undefined && {body: text}),
		});
		answerBegan = true;
		const {statusCode: status} = answer;
		const read = await readAnswer(answer, reading, giveUp.signal);
		if (status === 429) throw refused(read, new WorkerError('busy', {status}));
		if (status < 200 || status > 299) {
			throw refused(read, new WorkerError('error_status', {detail: String(status), status}));
		}
		return {status, text: read.text, json: () => parse(read.text), place: read.place};
	} catch (error) {
		if (signal?.aborted) throw new WorkerError('aborted');
		// No room for its answer is nothing the plugin worker can help.
		if (error instanceof WorkerError && error.fault === 'overloaded') throw error;
		if (giveUp.signal.aborted) throw new WorkerError('timed_out');
		throw toWorkerError(error, {answerBegan});
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener('abort', stop);
	}
}

interface Read {
	readonly text: string;
	readonly place?: Place | undefined;
}

async function readAnswer(
	{headers, body}: Dispatcher.ResponseData,
	{room, name, maxAnswerBytes, keepsPlace}: Reading,
	signal: AbortSignal,
): Promise<Read> {
	const told = Number(headers['content-length'] ?? maxAnswerBytes);
	if (told <= SMALL_BYTES) return {text: await body.text()};
	const chunks: Buffer[] = [];
	let bytes = 0;
	let place: Place | undefined;
	let isKept = false;
	try {
		for await (const chunk of body) {
			chunks.push(chunk);
			bytes += chunk.length;
			if (!place && bytes > SMALL_BYTES) {
				place = await room.take(name, Math.min(told || maxAnswerBytes, maxAnswerBytes), signal);
			}
		}
		const text = new TextDecoder().decode(Buffer.concat(chunks));
		isKept = keepsPlace;
		if (isKept) place?.shrink(bytes);
		return {text, place: isKept ? place : undefined};
	} finally {
		if (!isKept) place?.leave();
	}
}

function refused({place}: Read, error: WorkerError): WorkerError {
	place?.leave();
	return error;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new WorkerError('answer_invalid');
	}
}
