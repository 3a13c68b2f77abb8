import {DomainError} from '../errors.ts';

/** SQLSTATE classes and codes that speak of the connection or the server, not of the statement. */
const UNAVAILABLE_STATES = /^(08...|53...|57P0[1-5]|25P03|3D000|28...)$/;
const UNAVAILABLE_ERRNO = new Set([
	'ECONNREFUSED',
	'ECONNRESET',
	'ENOENT',
	'EPIPE',
	'ETIMEDOUT',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
]);
/** The driver and its pool say these without a code. */
const UNAVAILABLE_TEXT =
	/connection terminated|connection ended|timeout expired|not queryable|timeout acquiring a connection|unable to acquire a connection|client was closed/i;

/** Whether the database could not be reached or asked, as opposed to having refused the statement. */
export function isUnavailable(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
	const {code} = error as NodeJS.ErrnoException;
	if (code && (UNAVAILABLE_ERRNO.has(code) || UNAVAILABLE_STATES.test(code))) return true;
	return UNAVAILABLE_TEXT.test(error.message);
}

/** Connection trouble as `store_unavailable`; everything else as it came. */
export function translate(error: unknown): unknown {
	// PostgreSQL's texts hold every character but NUL.
	if ((error as {code?: string} | null)?.code === '22021') {
		return new DomainError('field_invalid', 'a text holds a character that cannot be stored', {cause: error});
	}
	if (error instanceof DomainError || !isUnavailable(error)) return error;
	return new DomainError('store_unavailable', 'The database cannot be reached', {
		cause: error,
		retryAfterSeconds: 2,
	});
}

/** The violated unique constraint's name, where that is what went wrong (SQLSTATE 23505). */
export function violatedConstraint(error: unknown): string | undefined {
	const {code, constraint} = error as {code?: string; constraint?: string};
	return code === '23505' ? constraint : undefined;
}

/** The foreign key that is violated, where that is what went wrong (SQLSTATE 23503). */
export function violatedReference(error: unknown): string | undefined {
	const {code, constraint} = error as {code?: string; constraint?: string};
	return code === '23503' ? constraint : undefined;
}
