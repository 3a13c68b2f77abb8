import {setTimeout as delay} from 'node:timers/promises';

/** What the service answered: its envelope, whatever the status. */
export interface Answer {
	readonly status: number;
	readonly body: AnswerBody;
}

export interface AnswerBody {
	readonly data?: unknown;
	readonly error?: string;
	readonly error_code?: string;
	readonly error_id?: string;
	readonly errors?: readonly {readonly pointer: string; readonly message: string}[];
}

export interface ApiOptions {
	/** Address of the service, without /v1. */
	readonly url: string;
	readonly token?: string | undefined;
	/** How often a call is tried before it is given up. */
	readonly maxAttempts?: number;
	/** Called before each wait. */
	readonly onRetry?: (reason: string, waitMs: number) => void;
	readonly wait?: (ms: number) => Promise<unknown>;
}

/** The service cannot be reached, or went on refusing for the moment. */
export class Unreachable extends Error {
	override readonly name = 'Unreachable';
}

/** Statuses that say "later": too many requests, a gateway without its service, stores down or starting. */
const LATER = new Set([429, 502, 503]);
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 10_000;
const MAX_RETRY_AFTER_MS = 60_000;
/** `async=false` may wait for a long queue. */
const TIMEOUT_MS = 120_000;

/** Calls the HTTP API as any client would; waits and tries again where the service asks for it or cannot be reached. */
export class Api {
	readonly #options: ApiOptions;

	constructor(options: ApiOptions) {
		this.#options = options;
	}

	withToken(token: string): Api {
		return new Api({...this.#options, token});
	}

	get(path: string): Promise<Answer> {
		return this.#call('GET', path, undefined, {});
	}

	/** For calls that do no harm when they arrive twice. */
	post(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
		return this.#call('POST', path, body, {'content-type': 'application/json', ...headers});
	}

	/** Tried again only where the service has certainly not taken it. */
	postOnce(
		path: string,
		body: string | Blob,
		headers: Readonly<Record<string, string>> = {},
	): Promise<Answer> {
		return this.#call('POST', path, body, {'content-type': 'application/json', ...headers}, true);
	}

	async #call(
		method: string,
		path: string,
		body: string | Blob | undefined,
		headers: Record<string, string>,
		onlyOnce = false,
	) {
		const {maxAttempts = 8, onRetry, wait = delay} = this.#options;
		for (let attempt = 1; ; attempt++) {
			const {answer, reason, retryAfterMs, isUntouched} = await this.#try(method, path, body, headers);
			if (answer && !LATER.has(answer.status)) return answer;
			if (onlyOnce && !isUntouched) throw new Unreachable(`${reason}; it may have been taken`);
			if (attempt >= maxAttempts) throw new Unreachable(`${reason} (tried ${attempt} times)`);
			const backOffMs =
				Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);
			const waitMs = Math.round(retryAfterMs ?? backOffMs);
			onRetry?.(reason, waitMs);
			await wait(waitMs);
		}
	}

	async #try(method: string, path: string, body: string | Blob | undefined, headers: Record<string, string>) {
		const {url, token} = this.#options;
		try {
			const response = await fetch(`${url}${path}`, {
				method,
				headers: {...headers, ...(token && {authorization: `Bearer ${token}`})},
				...(body !== undefined && {body}),
				signal: AbortSignal.timeout(TIMEOUT_MS),
			});
			const answer = {status: response.status, body: bodyOf(await response.text())};
			const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
			return {
				answer,
				reason: `${answer.status} ${answer.body.error ?? ''}`.trim(),
				retryAfterMs: Number.isFinite(seconds) ? Math.min(MAX_RETRY_AFTER_MS, seconds * 1000) : undefined,
				isUntouched: response.status === 429 || response.status === 503,
			};
		} catch (error) {
			const cause = (error as Error & {cause?: Error & {code?: string}}).cause;
			const reason = `${url} cannot be reached: ${cause?.code ?? (error as Error).message}`;
			return {reason, isUntouched: cause?.code === 'ECONNREFUSED'};
		}
	}
}

/** What stands between may answer with a page of its own. */
function bodyOf(text: string): AnswerBody {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? value : {error: text.slice(0, 200)};
	} catch {
		return {error: text.slice(0, 200)};
	}
}
