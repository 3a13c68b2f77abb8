import {filled, queryText} from './address.ts';
import {Calls, type ClientOptions} from './calls.ts';
import {RefusedError} from './errors.ts';
import {type RecordAnswer, type RecordResult, recordsOf} from './records.ts';
import {ACTIVITIES, isRepeatable} from './repeatable.ts';
import type {
	Activity,
	AnswerOf,
	Arguments,
	BytesPath,
	CallOptions,
	DataOf,
	ItemOf,
	ListPath,
	Method,
	OptionsOf,
	PathOf,
	Raw,
	UserPoint,
	UserPointsQuestion,
} from './typed.ts';

export interface SendOptions {
	/** Activities a request; 500, at most 10,000. */
	readonly batchSize?: number;
	/** Answer each batch once it can be asked for. */
	readonly untilQueryable?: boolean;
	/** False: the channel's analyzers are passed over. */
	readonly analysed?: boolean;
	/** Names the run; with the same name, order and batch size, what was sent before is known and not stored again. */
	readonly runKey?: string;
	readonly signal?: AbortSignal;
}

export interface Sent {
	readonly accepted: number;
	readonly duplicates: number;
	readonly rejected: number;
	/** One for each, in the order they were given. */
	readonly records: readonly RecordResult[];
}

/** What all calls have, whatever is typed about them. */
interface AnyOptions extends CallOptions {
	readonly path?: Readonly<Record<string, string | number>>;
	readonly query?: Readonly<Record<string, unknown>>;
	readonly body?: unknown;
	readonly raw?: Raw;
}

const USUAL_BATCH = 500;
/** Of the text: a request may be 5 MiB unless the service is set otherwise; smaller ones are answered sooner. */
const MAX_BATCH_LENGTH = 1024 * 1024;
const PAGE = 500;

const NOTHING_TOLD = {
	...{errorCode: undefined, errorId: undefined, retryAfterMs: undefined},
	faults: [],
	attempts: 1,
};

/**
 * Millrace's HTTP interface, typed by method and path as `/openapi.json` tells them. Every call resolves with the answer's
 * `data` or throws: `RefusedError` with what the service said, `UnreachableError` where there was no answer, the signal's
 * reason, or `TypeError` where it was called wrongly. Calls that may arrive twice are tried again, as the service asks.
 */
export class MillraceClient {
	readonly #calls: Calls;

	constructor(options: ClientOptions) {
		this.#calls = new Calls(options);
	}

	/** The same service, asked as somebody else. */
	withToken(token: NonNullable<ClientOptions['token']>): MillraceClient {
		const {signingKey: _, ...options} = this.#calls.options;
		return new MillraceClient({...options, token});
	}

	/** A client with an access token, good for an hour. */
	async login(credentials: {readonly email: string; readonly password: string}): Promise<MillraceClient> {
		const {access_token: token} = await this.post('/v1/authentication/access_tokens', {body: credentials});
		return this.withToken(token);
	}

	get<P extends PathOf<'GET'>>(path: P, ...[options]: Arguments<OptionsOf<'GET', P>>) {
		return this.#dataOf('GET', path, options) as Promise<DataOf<'GET', P>>;
	}

	post<P extends PathOf<'POST'>>(path: P, ...[options]: Arguments<OptionsOf<'POST', P>>) {
		return this.#dataOf('POST', path, options) as Promise<DataOf<'POST', P>>;
	}

	put<P extends PathOf<'PUT'>>(path: P, ...[options]: Arguments<OptionsOf<'PUT', P>>) {
		return this.#dataOf('PUT', path, options) as Promise<DataOf<'PUT', P>>;
	}

	/** A record that an earlier attempt removed, whose answer was lost, is refused as not found. */
	delete<P extends PathOf<'DELETE'>>(path: P, ...[options]: Arguments<OptionsOf<'DELETE', P>>) {
		return this.#dataOf('DELETE', path, options) as Promise<DataOf<'DELETE', P>>;
	}

	/** The whole envelope, for what stands beside `data`: `total` of a list, `as_of` of user points. */
	async envelope<M extends Method, P extends PathOf<M>>(
		method: M,
		path: P,
		...[options]: Arguments<OptionsOf<M, P>>
	): Promise<AnswerOf<M, P>> {
		return (await this.#envelope(method, path, options)) as AnswerOf<M, P>;
	}

	/** What a file, a layout or an asset holds. */
	async bytes<P extends BytesPath & PathOf<'GET'>>(
		path: P,
		...[options]: Arguments<OptionsOf<'GET', P>>
	): Promise<Uint8Array> {
		return await this.#send('GET', path, options);
	}

	/** Everything of a list, page by page as it is read; what comes and goes meanwhile may be seen twice or not. */
	async *each<P extends ListPath & PathOf<'GET'>>(
		path: P,
		...[options]: Arguments<OptionsOf<'GET', P>>
	): AsyncGenerator<ItemOf<P>, void, undefined> {
		const asked = (options ?? {}) as AnyOptions;
		for (let first = Number(asked.query?.first_result ?? 0); ; ) {
			const query = {max_results: PAGE, ...asked.query, first_result: first};
			const page = await this.#envelope('GET', path, {...asked, query});
			const {data, total} = page as {data: ItemOf<P>[]; total: number};
			yield* data;
			first += data.length;
			if (data.length === 0 || first >= total) return;
		}
	}

	/** All user points of a funnel's step, or those lost at it, as of the moment the first were asked for. */
	async *eachUserPoint(
		datamartId: string | number,
		question: UserPointsQuestion,
		{pageSize = PAGE, ...options}: {readonly pageSize?: number} & CallOptions = {},
	): AsyncGenerator<UserPoint, void, undefined> {
		let cursor: unknown;
		do {
			const body = {...question, max_results: pageSize, ...(typeof cursor === 'string' && {cursor})};
			const page = await this.envelope(
				'POST',
				'/v1/datamarts/{datamartId}/user_analytics_funnel/user_points',
				{...options, path: {datamartId}, body},
			);
			yield* page.data;
			cursor = page.cursor;
		} while (typeof cursor === 'string');
	}

	/** All of them, in batches, one after the other. Errors: those of a call; what is wrong with an activity is a result. */
	async sendActivities(
		datamartId: string | number,
		activities: Iterable<Activity> | AsyncIterable<Activity>,
		options: SendOptions = {},
	): Promise<Sent> {
		const records: RecordResult[] = [];
		for await (const record of this.sendEach(datamartId, activities, options)) records.push(record);
		const count = (word: RecordResult['result']) => records.filter(({result}) => result === word).length;
		return {
			accepted: count('accepted'),
			duplicates: count('duplicate'),
			rejected: count('rejected'),
			records,
		};
	}

	/** As `sendActivities`, for more than fits into memory: a batch is sent when its first result is asked for. */
	async *sendEach(
		datamartId: string | number,
		activities: Iterable<Activity> | AsyncIterable<Activity>,
		{batchSize = USUAL_BATCH, runKey = crypto.randomUUID(), ...options}: SendOptions = {},
	): AsyncGenerator<RecordResult, void, undefined> {
		let done = 0;
		let lines: string[] = [];
		let length = 0;
		const flush = async () => {
			const records = await this.sendLines(datamartId, lines, {...options, key: `${runKey}-${done}`});
			const first = done;
			done += lines.length;
			lines = [];
			length = 0;
			return records.map(record => ({...record, index: record.index + first}));
		};
		for await (const activity of activities) {
			const line = JSON.stringify(activity);
			const isFull = lines.length >= batchSize || length + line.length > MAX_BATCH_LENGTH;
			if (isFull && lines.length > 0) yield* await flush();
			lines.push(line);
			length += line.length;
		}
		if (lines.length > 0) yield* await flush();
	}

	/** Activities that are lines of ndjson already, as one batch. The same key again: the same batch, answered as before. */
	sendLines(
		datamartId: string | number,
		lines: readonly string[],
		{
			key = crypto.randomUUID(),
			untilQueryable = false,
			analysed = true,
			signal,
		}: Omit<SendOptions, 'batchSize' | 'runKey'> & {readonly key?: string} = {},
	): Promise<RecordResult[]> {
		return recordsOf(lines, key, untilQueryable, async (some, idempotencyKey, waits) => {
			const data = await this.post(ACTIVITIES, {
				path: {datamartId},
				query: {...(waits && {async: 'false'}), ...(!analysed && {processing_pipeline: 'false'})},
				raw: {content: some.join('\n'), type: 'application/x-ndjson'},
				headers: {'idempotency-key': idempotencyKey},
				signal,
			});
			return (data as {records: readonly RecordAnswer[]}).records;
		});
	}

	async #dataOf(method: Method, path: string, options: unknown): Promise<unknown> {
		return (await this.#envelope(method, path, options)).data;
	}

	async #envelope(method: Method, path: string, options: unknown): Promise<{data?: unknown}> {
		const bytes = await this.#send(method, path, options);
		const text = new TextDecoder().decode(bytes);
		try {
			return JSON.parse(text) as {data?: unknown};
		} catch {
			// A page of something that stands between, or the address of something else.
			const error = `is no answer of Millrace: ${text.slice(0, 100)}`;
			throw new RefusedError(`${method} ${path}`, {...NOTHING_TOLD, status: 200, error});
		}
	}

	#send(method: Method, template: string, options: unknown = {}): Promise<Uint8Array> {
		const {path, query, body, raw, repeatable, signal, timeoutMs, ...rest} = options as AnyOptions;
		const headers = keyed(method, template, rest.headers);
		return this.#calls.send({
			method,
			path: filled(template, path) + queryText(query),
			raw:
				raw ?? (body === undefined ? undefined : {content: JSON.stringify(body), type: 'application/json'}),
			headers,
			repeatable: repeatable ?? isRepeatable(method, template),
			signal,
			timeoutMs,
		});
	}
}

/** Activities are stored once however often they arrive, where they have a key. */
function keyed(method: Method, template: string, headers: CallOptions['headers']): CallOptions['headers'] {
	const isActivities = method === 'POST' && template === ACTIVITIES;
	if (!isActivities || Object.keys(headers ?? {}).some(name => name.toLowerCase() === 'idempotency-key')) {
		return headers;
	}
	return {...headers, 'idempotency-key': crypto.randomUUID()};
}
