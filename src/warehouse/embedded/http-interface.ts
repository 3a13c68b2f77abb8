import {randomUUID, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {bindParams, quote} from './bind-params.ts';
import {asEngineError, EngineError} from './engine-error.ts';
import type {Incoming} from './incoming.ts';
import {readMultipart} from './multipart.ts';
import {EMBEDDED_USER, LANE_HEADER, LANES, type Lane} from './protocol.ts';
import {cancelled, type SessionPool} from './session-pool.ts';
import {insertFromFile, isRead, readInsert, withSettings} from './statement.ts';

const MOST_BODY_BYTES = 512 * 1024 * 1024;
/** URL parameters that are not settings. */
const NOT_SETTINGS = new Set(['query', 'query_id', 'database']);

interface Answer {
	readonly body: Uint8Array | string;
	readonly headers?: Readonly<Record<string, string>>;
}

/** One request as the client meant it: where statement, parameters and rows stood no longer matters. */
interface Question {
	readonly sql: string;
	readonly payload: Buffer | undefined;
	readonly params: ReadonlyMap<string, string>;
	readonly settings: ReadonlyMap<string, string>;
	readonly lane: Lane | undefined;
}

/** The part of ClickHouse's HTTP interface that `@clickhouse/client` needs, over a pool of embedded sessions. */
export function httpInterface(pool: SessionPool, incoming: Incoming, password: string) {
	const expected = Buffer.from(`Basic ${Buffer.from(`${EMBEDDED_USER}:${password}`).toString('base64')}`);

	return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		let queryId: string = randomUUID();
		const gone = new AbortController();
		response.on('close', () => {
			if (!response.writableEnded) gone.abort();
		});
		try {
			const url = new URL(`http://engine${request.url ?? '/'}`);
			queryId = url.searchParams.get('query_id') || queryId;
			if (url.pathname === '/ping') return void response.end('Ok.\n');
			if (!allowed(request.headers.authorization, expected)) {
				throw new EngineError(516, 'AUTHENTICATION_FAILED', 'Authentication failed');
			}
			const question = await readQuestion(request, url);
			const {body, headers} = await answer(pool, incoming, question, gone.signal);
			response.writeHead(200, {'X-ClickHouse-Query-Id': queryId, ...headers}).end(body);
		} catch (thrown) {
			if (response.destroyed) return;
			const error = asEngineError(thrown);
			const status = error.code === 516 ? 403 : 500;
			response
				.writeHead(status, {
					'X-ClickHouse-Query-Id': queryId,
					'X-ClickHouse-Exception-Code': String(error.code),
				})
				.end(error.wireText);
		}
	};
}

function allowed(given: string | undefined, expected: Buffer): boolean {
	const bytes = Buffer.from(given ?? '');
	return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

async function readQuestion(request: IncomingMessage, url: URL): Promise<Question> {
	const body = await readBody(request);
	const contentType = request.headers['content-type'] ?? '';
	const fields = contentType.startsWith('multipart/form-data') ? readMultipart(contentType, body) : undefined;
	const inUrl = url.searchParams.get('query');
	const database = url.searchParams.get('database');
	if (database && database !== 'default') {
		throw new EngineError(81, 'UNKNOWN_DATABASE', 'The embedded engine has one database, default');
	}
	const params = new Map<string, string>();
	const settings = new Map<string, string>();
	for (const [name, value] of [...url.searchParams, ...(fields ?? [])]) {
		if (name.startsWith('param_')) params.set(name.slice('param_'.length), value);
		else if (!NOT_SETTINGS.has(name)) settings.set(name, value);
	}
	const lane = request.headers[LANE_HEADER.toLowerCase()];
	return {
		sql: inUrl ?? fields?.get('query') ?? body.toString('utf8'),
		payload: inUrl !== null && !fields && request.method === 'POST' ? body : undefined,
		params,
		settings,
		lane: typeof lane === 'string' && Object.hasOwn(LANES, lane) ? (lane as Lane) : undefined,
	};
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes > MOST_BODY_BYTES) throw new EngineError(36, 'BAD_ARGUMENTS', 'The request body is too large');
		chunks.push(chunk);
	}
	return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function answer(
	pool: SessionPool,
	incoming: Incoming,
	question: Question,
	signal: AbortSignal,
): Promise<Answer> {
	const {sql, payload, params, settings, lane} = question;
	if (payload && payload.length > 0) {
		const insert = readInsert(withSettings(sql, settings));
		const {format} = insert;
		return pool.submit(lane ?? 'write', {
			run: async session => {
				if (format === 'Native') {
					await incoming.with(payload, file => session.queryAsync(insertFromFile(insert, file)));
					return {body: ''};
				}
				const {rowsWritten, bytesWritten} = await session.insert({...insert, format, values: payload});
				const summary = {written_rows: String(rowsWritten), written_bytes: String(bytesWritten)};
				return {body: '', headers: {'X-ClickHouse-Summary': JSON.stringify(summary)}};
			},
		});
	}
	const bound = bindParams(sql, params);
	if (!isRead(bound)) {
		const statement = withSettings(bound, settings);
		return pool.submit(lane ?? 'command', {
			run: async session => ({body: (await session.queryAsync(statement)).bytes()}),
		});
	}
	return answerRead(pool, lane ?? 'light', bound, settings, signal);
}

/** A read's deadline runs from its arrival: what it waited for a session is taken off `max_execution_time`. */
function answerRead(
	pool: SessionPool,
	lane: Lane,
	sql: string,
	settings: ReadonlyMap<string, string>,
	signal: AbortSignal,
): Promise<Answer> {
	const arrived = performance.now();
	const limit = Number(settings.get('max_execution_time') ?? 0);
	const mark = `/*${randomUUID()}*/`;
	return pool.submit(lane, {
		signal,
		run: async session => {
			const left = new Map(settings);
			if (limit > 0) {
				const seconds = limit - (performance.now() - arrived) / 1000;
				if (seconds <= 0) {
					throw new EngineError(159, 'TIMEOUT_EXCEEDED', 'Timeout exceeded: no session was free in time');
				}
				left.set('max_execution_time', seconds.toFixed(3));
			}
			const kill = () => killMarked(pool, mark);
			signal.addEventListener('abort', kill, {once: true});
			try {
				const result = await session.queryAsync(`${mark} ${withSettings(sql, left)}`);
				if (signal.aborted) throw cancelled();
				return {body: result.bytes(), headers: {'Content-Type': 'application/json; charset=UTF-8'}};
			} finally {
				signal.removeEventListener('abort', kill);
			}
		},
	});
}

/** Nobody waits for the answer any more: the session is freed for others. Query ids cannot be set on this engine. */
function killMarked(pool: SessionPool, mark: string): void {
	const statement = `KILL QUERY WHERE startsWith(query, ${quote(mark)}) ASYNC FORMAT Null`;
	pool.submit('control', {run: session => session.queryAsync(statement)}).catch(() => undefined);
}
