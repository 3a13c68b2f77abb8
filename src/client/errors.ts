import type {ErrorAnswer} from './interface.generated.ts';

/** A code the service refuses with; which of them a call may meet stands in `/openapi.json`. */
export type ErrorCode = ErrorAnswer['error_code'];

/** One thing that is wrong with what was sent. */
export interface Fault {
	/** JSON pointer into the body, or the name of a parameter. */
	readonly pointer: string;
	readonly message: string;
}

export interface Refusal {
	readonly status: number;
	readonly error: string;
	/** Absent where something between answered instead of the service. */
	readonly errorCode: ErrorCode | undefined;
	/** By which the service's log knows this very request. */
	readonly errorId: string | undefined;
	readonly faults: readonly Fault[];
	/** When the service said to come again. */
	readonly retryAfterMs: number | undefined;
	readonly attempts: number;
}

/** What this client throws where a call has no good answer; bad arguments are a `TypeError`. */
export abstract class MillraceError extends Error {}

/** The service, or what stands before it, answered and refused. */
export class RefusedError extends MillraceError implements Refusal {
	override readonly name = 'RefusedError';
	readonly status: number;
	readonly error: string;
	readonly errorCode: ErrorCode | undefined;
	readonly errorId: string | undefined;
	readonly faults: readonly Fault[];
	readonly retryAfterMs: number | undefined;
	readonly attempts: number;

	constructor(call: string, refusal: Refusal) {
		const {status, error, attempts} = refusal;
		super(`${call}: ${status} ${error}${attempts > 1 ? ` (tried ${attempts} times)` : ''}`);
		this.status = status;
		this.error = error;
		this.errorCode = refusal.errorCode;
		this.errorId = refusal.errorId;
		this.faults = refusal.faults;
		this.retryAfterMs = refusal.retryAfterMs;
		this.attempts = attempts;
	}

	/** Which fields are at fault. */
	get pointers(): string[] {
		return this.faults.map(({pointer}) => pointer);
	}
}

/** No answer came: no connection, a broken one, or none in time. */
export class UnreachableError extends MillraceError {
	override readonly name = 'UnreachableError';
	readonly attempts: number;
	/** False where no attempt got as far as a connection. */
	readonly mayHaveBeenTaken: boolean;

	constructor(
		message: string,
		{attempts, mayHaveBeenTaken, cause}: {attempts: number; mayHaveBeenTaken: boolean; cause: unknown},
	) {
		super(message, {cause});
		this.attempts = attempts;
		this.mayHaveBeenTaken = mayHaveBeenTaken;
	}
}

/** What an answer that is not good says; what stands between may answer with a page of its own. */
export function refusalIn(
	status: number,
	text: string,
	{retryAfterMs, attempts}: Pick<Refusal, 'retryAfterMs' | 'attempts'>,
): Refusal {
	const body = objectIn(text) as Partial<ErrorAnswer> | undefined;
	return {
		status,
		error: typeof body?.error === 'string' ? body.error : text.slice(0, 200),
		errorCode: body?.error_code,
		errorId: body?.error_id,
		faults: Array.isArray(body?.errors) ? body.errors : [],
		retryAfterMs,
		attempts,
	};
}

function objectIn(text: string): object | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? value : undefined;
	} catch {
		return undefined;
	}
}
