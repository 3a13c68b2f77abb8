import {type ErrorCode, type Fault, RefusedError} from './errors.ts';

/** What became of one activity. */
export type RecordResult =
	| {readonly index: number; readonly result: 'accepted' | 'duplicate'}
	| {readonly index: number; readonly result: 'rejected'; readonly error: RecordError};

export interface RecordError {
	readonly message: string;
	/** Absent where this client saw by itself that a line is not JSON. */
	readonly errorCode: ErrorCode | undefined;
	/** Their pointers begin at the activity. */
	readonly faults: readonly Fault[];
}

/** The service's word on each record of one body, as it comes. */
export interface RecordAnswer {
	readonly index: number;
	readonly result: 'accepted' | 'duplicate' | 'rejected';
	readonly error?: {
		readonly error: string;
		readonly error_code: string;
		readonly errors: readonly Fault[];
	};
}

/** Posts one body of lines under a key. Errors: those of a call. */
export type PostLines = (
	lines: readonly string[],
	key: string,
	untilQueryable: boolean,
) => Promise<readonly RecordAnswer[]>;

/**
 * One result a line, in order, whatever the service makes of the body: too large, it goes in halves; with a line that is
 * no JSON, without that line; all bad, each has its own fault. Errors: of a call that failed for another reason.
 */
export async function recordsOf(
	lines: readonly string[],
	key: string,
	untilQueryable: boolean,
	post: PostLines,
): Promise<RecordResult[]> {
	if (lines.length === 0) return [];
	try {
		return (await post(lines, key, untilQueryable)).map(toResult);
	} catch (error) {
		if (!(error instanceof RefusedError)) throw error;
		if (error.status === 413 && lines.length > 1) return inHalves(lines, key, untilQueryable, post);
		if (error.status === 413) return [rejected(0, error.error, error.errorCode)];
		if (error.status !== 400) throw error;
		const others = lines.filter(line => jsonFault(line) === undefined);
		if (others.length < lines.length) return withoutBroken(lines, others, key, untilQueryable, post);
		if (!isAboutRecords(error)) throw error;
		return allRejected(lines.length, error);
	}
}

/** Its parts have keys of their own, made of the body's: sent again they are known again. */
async function inHalves(
	lines: readonly string[],
	key: string,
	untilQueryable: boolean,
	post: PostLines,
): Promise<RecordResult[]> {
	const middle = Math.ceil(lines.length / 2);
	const first = await recordsOf(lines.slice(0, middle), `${key}.1`, untilQueryable, post);
	const second = await recordsOf(lines.slice(middle), `${key}.2`, untilQueryable, post);
	return [...first, ...second.map(each => ({...each, index: each.index + middle}))];
}

async function withoutBroken(
	lines: readonly string[],
	others: readonly string[],
	key: string,
	untilQueryable: boolean,
	post: PostLines,
): Promise<RecordResult[]> {
	const results = await recordsOf(others, `${key}.0`, untilQueryable, post);
	const taken = results.values();
	return lines.map((line, index) => {
		const fault = jsonFault(line);
		return fault === undefined ? {...taken.next().value!, index} : rejected(index, fault, undefined);
	});
}

/** No line was good. The service names the faults of the first hundred; what it says of the whole goes for the others. */
function allRejected(count: number, {error, errorCode, faults}: RefusedError): RecordResult[] {
	return Array.from({length: count}, (_, index) => {
		const own = faults.filter(({pointer}) => Number(/^\/(\d+)/.exec(pointer)?.[1]) === index);
		return rejected(index, own[0]?.message ?? error, errorCode, own.map(withoutIndex));
	});
}

function isAboutRecords({faults}: RefusedError): boolean {
	return faults.length > 0 && faults.every(({pointer}) => /^\/\d+(\/|$)/.test(pointer));
}

function toResult({index, result, error}: RecordAnswer): RecordResult {
	if (result !== 'rejected') return {index, result};
	const faults = (error?.errors ?? []).map(withoutIndex);
	return rejected(index, error?.error ?? 'rejected', error?.error_code as ErrorCode | undefined, faults);
}

function rejected(
	index: number,
	message: string,
	errorCode: ErrorCode | undefined,
	faults: readonly Fault[] = [],
): RecordResult {
	return {index, result: 'rejected', error: {message, errorCode, faults}};
}

/** `/17/$events/0` -> `/$events/0`: the record is known. */
function withoutIndex({pointer, message}: Fault): Fault {
	return {pointer: pointer.replace(/^\/\d+/, ''), message};
}

function jsonFault(text: string): string | undefined {
	try {
		JSON.parse(text);
		return undefined;
	} catch (error) {
		return `not valid JSON: ${(error as Error).message.slice(0, 200)}`;
	}
}
