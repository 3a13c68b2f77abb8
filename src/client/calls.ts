import {baseOf} from './address.ts';
import {RefusedError, refusalIn, UnreachableError} from './errors.ts';
import {mayComeAgain, neverLeft} from './repeatable.ts';
import {type SigningKey, signatureHeaders} from './signature.ts';
import type {Method, Raw} from './typed.ts';
import {backOffMs, delay, retryAfterMsOf} from './waits.ts';

export interface Retry {
	/** Why the attempt before was none. */
	readonly reason: string;
	readonly waitMs: number;
	/** The one that comes, from 2. */
	readonly attempt: number;
}

export interface ClientOptions {
	/** Address of the service, with or without /v1; with a prefix, where a proxy takes that away again. */
	readonly url: string;
	/** An access token, an API token, or a channel's; a function is asked before every attempt. */
	readonly token?: string | (() => string | Promise<string>) | undefined;
	/** Instead of a token: activities, and a person's segments by an identifier. */
	readonly signingKey?: SigningKey | undefined;
	/** How often a call is tried before it is given up; 5. */
	readonly maxAttempts?: number;
	/** The longest wait between two attempts, 60,000: a service that asks for more is left alone, and its refusal thrown. */
	readonly maxWaitMs?: number;
	/** Of one attempt; 120,000, since `async=false` may wait for a long queue. */
	readonly timeoutMs?: number;
	/** Before each wait. */
	readonly onRetry?: (retry: Retry) => void;
	readonly fetch?: typeof fetch;
	/** For tests: `delay` otherwise. */
	readonly wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

export interface Call {
	readonly method: Method;
	/** From /v1 on, filled in, with its query. */
	readonly path: string;
	readonly raw?: Raw | undefined;
	readonly headers?: Readonly<Record<string, string>> | undefined;
	readonly repeatable: boolean;
	readonly signal?: AbortSignal | undefined;
	readonly timeoutMs?: number | undefined;
}

const USUAL = {maxAttempts: 5, maxWaitMs: 60_000, timeoutMs: 120_000};

/** Sends calls: with credentials, again where that is asked for and harmless, and with an error where they fail. */
export class Calls {
	readonly options: ClientOptions;
	readonly #base: string;

	/** Throws `TypeError` where the address is none. */
	constructor(options: ClientOptions) {
		this.options = options;
		this.#base = baseOf(options.url);
	}

	/** The body of an answer of status 200. Errors: `RefusedError`, `UnreachableError`, the signal's reason. */
	async send(call: Call): Promise<Uint8Array> {
		const {maxAttempts = USUAL.maxAttempts, maxWaitMs = USUAL.maxWaitMs} = this.options;
		const {onRetry, wait = delay} = this.options;
		let mayHaveBeenTaken = false;
		for (let attempt = 1; ; attempt++) {
			const tried = await this.#try(call, attempt);
			if (tried instanceof Uint8Array) return tried;
			const {error, mayRepeat, askedMs} = tried;
			if (error instanceof UnreachableError) mayHaveBeenTaken ||= error.mayHaveBeenTaken;
			const waitMs = askedMs ?? Math.min(maxWaitMs, backOffMs(attempt));
			if (!mayRepeat || attempt >= maxAttempts || waitMs > maxWaitMs) {
				throw error instanceof UnreachableError ? this.#givenUp(error, attempt, mayHaveBeenTaken) : error;
			}
			onRetry?.({reason: error.message, waitMs, attempt: attempt + 1});
			await wait(waitMs, call.signal);
		}
	}

	async #try(call: Call, attempt: number): Promise<Uint8Array | Failed> {
		const {timeoutMs = this.options.timeoutMs ?? USUAL.timeoutMs} = call;
		const headers = await this.#headersOf(call);
		const patience = patienceOf(timeoutMs, call.signal);
		try {
			const {fetch: send = fetch} = this.options;
			const response = await send(this.#base + call.path, {
				method: call.method,
				headers,
				...(call.raw && {body: call.raw.content}),
				signal: patience.signal,
				// A redirected POST would arrive as a GET.
				redirect: 'manual',
			});
			const bytes = new Uint8Array(await response.arrayBuffer());
			return response.status === 200 ? bytes : this.#refused(call, attempt, response, bytes);
		} catch (error) {
			if (call.signal?.aborted) throw call.signal.reason;
			const left = !neverLeft(error);
			const changes = call.method !== 'GET';
			const why = patience.isOver() ? `no answer within ${timeoutMs / 1000} s` : causeOf(error);
			const message = `${this.#base} cannot be reached: ${why}`;
			return {
				error: new UnreachableError(message, {
					attempts: attempt,
					mayHaveBeenTaken: changes && left,
					cause: error,
				}),
				mayRepeat: call.repeatable || !left,
				askedMs: undefined,
			};
		} finally {
			patience.end();
		}
	}

	#refused(call: Call, attempt: number, {status, headers}: Response, bytes: Uint8Array): Failed {
		const text = new TextDecoder().decode(bytes);
		const retryAfterMs = retryAfterMsOf(headers.get('retry-after'));
		const refusal = refusalIn(status, text, {retryAfterMs, attempts: attempt});
		const [path = ''] = call.path.split('?');
		return {
			error: new RefusedError(`${call.method} ${path}`, refusal),
			mayRepeat: mayComeAgain(refusal, call.repeatable),
			askedMs: retryAfterMs,
		};
	}

	#givenUp({message, cause}: UnreachableError, attempts: number, mayHaveBeenTaken: boolean) {
		const tried = attempts > 1 ? ` (tried ${attempts} times)` : '';
		const taken = mayHaveBeenTaken ? '; it may have been taken' : '';
		return new UnreachableError(`${message}${tried}${taken}`, {attempts, mayHaveBeenTaken, cause});
	}

	/** Signed anew for each attempt: a signature is good for five minutes, which waiting may take. */
	async #headersOf({path, raw, headers}: Call): Promise<Record<string, string>> {
		const {token, signingKey} = this.options;
		const shown = typeof token === 'function' ? await token() : token;
		return {
			...(raw && {'content-type': raw.type}),
			...(signingKey && (await signatureHeaders(signingKey, {path, body: await signable(raw?.content)}))),
			...(shown !== undefined && {authorization: `Bearer ${shown}`}),
			...headers,
		};
	}
}

interface Failed {
	readonly error: RefusedError | UnreachableError;
	readonly mayRepeat: boolean;
	readonly askedMs: number | undefined;
}

/** A file is read into memory for this alone. */
async function signable(
	content: Raw['content'] | undefined,
): Promise<string | Uint8Array<ArrayBuffer> | undefined> {
	return content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content;
}

/** One attempt's time. Ended by hand: a signal of its own for each call would keep its timer long after the answer. */
function patienceOf(timeoutMs: number, callers: AbortSignal | undefined) {
	const controller = new AbortController();
	let over = false;
	const timer = setTimeout(() => {
		over = true;
		controller.abort();
	}, timeoutMs);
	const stop = () => controller.abort(callers?.reason);
	if (callers?.aborted) stop();
	callers?.addEventListener('abort', stop, {once: true});
	return {
		signal: controller.signal,
		isOver: () => over,
		end() {
			clearTimeout(timer);
			callers?.removeEventListener('abort', stop);
		},
	};
}

function causeOf(error: unknown): string {
	const {message, cause} = error as Error & {cause?: {code?: string}};
	return cause?.code ?? message;
}
