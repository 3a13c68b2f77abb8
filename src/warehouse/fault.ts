import {ClickHouseError} from '@clickhouse/client';
import {DomainError, type ErrorCode} from '../errors.ts';

/** Engine codes that mean something to a caller; all others are `query_failed`. */
const MEANINGS: Readonly<Record<number, ErrorCode>> = {
	159: 'query_timed_out', // TIMEOUT_EXCEEDED
	160: 'query_timed_out', // TOO_SLOW
	394: 'query_timed_out', // QUERY_WAS_CANCELLED: killed by our own watchdog or by an operator
	241: 'query_memory_exceeded', // MEMORY_LIMIT_EXCEEDED
	173: 'query_memory_exceeded', // CANNOT_ALLOCATE_MEMORY
	202: 'store_unavailable', // TOO_MANY_SIMULTANEOUS_QUERIES
	209: 'store_unavailable', // SOCKET_TIMEOUT
	210: 'store_unavailable', // NETWORK_ERROR
	236: 'store_unavailable', // ABORTED: the engine is stopping
	242: 'store_unavailable', // TABLE_IS_READ_ONLY
	243: 'store_unavailable', // NOT_ENOUGH_SPACE
	252: 'store_unavailable', // TOO_MANY_PARTS
	279: 'store_unavailable', // ALL_CONNECTION_TRIES_FAILED
	516: 'store_unavailable', // AUTHENTICATION_FAILED
	745: 'store_unavailable', // SERVER_OVERLOADED
};

const SENTENCES: Readonly<Partial<Record<ErrorCode, string>>> = {
	query_timed_out: 'ran out of time',
	query_memory_exceeded: 'needed more memory than it may use',
	store_unavailable: 'could not be asked of the warehouse',
	query_failed: 'failed in the warehouse',
};

/**
 * What the client threw, in domain words. The engine's text stays out of message and cause: it quotes values and rows.
 * `name` is the query's or the table's; `expired` tells that our own watchdog ended the wait.
 */
export function toDomainError(name: string, thrown: unknown, expired = false): DomainError {
	if (thrown instanceof DomainError) return thrown;
	const engineCode = thrown instanceof ClickHouseError ? Number(thrown.code) : undefined;
	const code: ErrorCode = expired
		? 'query_timed_out'
		: engineCode === undefined
			? 'store_unavailable'
			: (MEANINGS[engineCode] ?? 'query_failed');
	const detail = thrown instanceof ClickHouseError ? describe(thrown) : networkCode(thrown);
	return new DomainError(
		code,
		`${name} ${SENTENCES[code]}${expired ? '' : detail}`,
		code === 'store_unavailable' ? {retryAfterSeconds: 1} : {},
	);
}

/** Code and, where the engine says that a name of ours is wrong, that name: it stands in our SQL, not in a row. */
function describe(error: ClickHouseError): string {
	const unknown = /^Unknown (?:[a-z]+ )*(?:identifier|function|setting) [`']?([A-Za-z_][\w.]*)/.exec(
		error.message,
	);
	return ` (${error.type ?? 'UNKNOWN'} ${error.code}${unknown ? `: ${unknown[1]}` : ''})`;
}

function networkCode(thrown: unknown): string {
	const code = (thrown as NodeJS.ErrnoException | undefined)?.code;
	return code ? ` (${code})` : '';
}
