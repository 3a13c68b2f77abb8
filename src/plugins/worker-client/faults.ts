import {errors} from 'undici';
import {WorkerError} from './worker-error.ts';

/** The system's codes in words; the system's own words contain addresses. */
const DETAILS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'the connection was refused',
	ECONNRESET: 'the connection was closed before an answer',
	EPIPE: 'the connection was closed before an answer',
	UND_ERR_SOCKET: 'the connection was closed before an answer',
	UND_ERR_CONNECT_TIMEOUT: 'no connection within its time',
	ENOTFOUND: 'its name is not known',
	EAI_AGAIN: 'its name could not be looked up',
};

/** Nothing was sent where these come first: there was no connection. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
	...['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
]);

/** What went wrong on the wire, in words that name no address. `answerBegan`: its status had come. */
export function toWorkerError(error: unknown, {answerBegan}: {readonly answerBegan: boolean}): WorkerError {
	// Where several addresses were tried, each failed for itself.
	const all: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
	const known = all.find(each => each instanceof WorkerError);
	if (known) return known;
	if (error instanceof errors.ResponseExceededMaxSizeError) return new WorkerError('answer_too_large');
	if (error instanceof errors.HTTPParserError) {
		return new WorkerError('answer_invalid', {detail: 'it does not speak HTTP', cause: error});
	}
	if (answerBegan) return new WorkerError('answer_cut', {cause: error});
	const {code} = all[0] as {readonly code?: string};
	const isTls = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/.test(code ?? '');
	const detail = isTls ? 'no secure connection could be made' : DETAILS[code ?? ''];
	const mayHaveArrived = !(isTls || BEFORE_SENDING.has(code ?? ''));
	return new WorkerError('unreachable', {...(detail && {detail}), mayHaveArrived, cause: error});
}
