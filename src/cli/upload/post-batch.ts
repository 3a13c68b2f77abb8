import {createHash} from 'node:crypto';
import type {Answer, Api} from '../api.ts';
import type {Line} from './lines.ts';

/** A line the service did not take: where it stands and what is wrong with it. */
export interface Rejection {
	readonly line: number;
	/** JSON pointer into the line's object; empty for the whole of it. */
	readonly pointer: string;
	readonly message: string;
}

export interface BatchResult {
	readonly accepted: number;
	readonly duplicates: number;
	readonly rejections: readonly Rejection[];
	/** The last request of which something was stored, and whether it waited; undefined where nothing was. */
	readonly lastTaken: {readonly lines: readonly Line[]; readonly isQueryable: boolean} | undefined;
}

export interface BatchTarget {
	readonly api: Api;
	readonly datamartId: string;
	/** One per run: with it a batch that is sent again within the run is known again. */
	readonly runId: string;
	/** Answer only once all is queryable. */
	readonly untilQueryable: boolean;
}

/** The service refuses the whole of it: wrong token, unknown datamart, a fault of its own. */
export class Refused extends Error {
	override readonly name = 'Refused';
}

interface RecordAnswer {
	readonly index: number;
	readonly result: 'accepted' | 'duplicate' | 'rejected';
	readonly error?: {readonly error: string; readonly errors?: Answer['body']['errors']};
}

/** Posts some lines as one ndjson body. Errors: `Refused`, `Unreachable`. */
export async function postBatch(lines: readonly Line[], target: BatchTarget): Promise<BatchResult> {
	const body = lines.map(({text}) => text).join('\n');
	const digest = createHash('sha256').update(`${lines[0]?.number}\n${body}`).digest('hex').slice(0, 32);
	const answer = await target.api.post(
		`/v1/datamarts/${target.datamartId}/user_activities${target.untilQueryable ? '?async=false' : ''}`,
		body,
		{'content-type': 'application/x-ndjson', 'idempotency-key': `${target.runId}-${digest}`},
	);
	if (answer.status === 200)
		return fromRecords(lines, (answer.body.data as {records: RecordAnswer[]}).records, target);
	if (answer.status === 413 && lines.length > 1) return inHalves(lines, target);
	if (answer.status === 413)
		return {...NOTHING, rejections: [{...whole(lines[0]!), message: reason(answer)}]};
	if (answer.status === 400) return withoutBroken(lines, answer, target);
	throw new Refused(`the service answered ${answer.status}: ${reason(answer)}`);
}

const NOTHING: BatchResult = {accepted: 0, duplicates: 0, rejections: [], lastTaken: undefined};

function fromRecords(
	lines: readonly Line[],
	records: readonly RecordAnswer[],
	{untilQueryable}: BatchTarget,
): BatchResult {
	const count = (result: RecordAnswer['result']) => records.filter(record => record.result === result).length;
	const rejections = records
		.filter(record => record.result === 'rejected')
		.map(({index, error}) => {
			const {pointer, message} = error?.errors?.[0] ?? {pointer: '', message: error?.error ?? 'rejected'};
			return {line: lines[index]!.number, pointer: withoutIndex(pointer), message};
		});
	return {
		accepted: count('accepted'),
		duplicates: count('duplicate'),
		rejections,
		lastTaken: {lines, isQueryable: untilQueryable},
	};
}

/** One line that is not JSON makes the service refuse the body: told apart here, and the others sent without it. */
async function withoutBroken(
	lines: readonly Line[],
	answer: Answer,
	target: BatchTarget,
): Promise<BatchResult> {
	const broken = lines.flatMap(line => {
		const message = jsonFault(line.text);
		return message === undefined ? [] : [{...whole(line), message}];
	});
	if (broken.length === 0) return {...NOTHING, rejections: allRejected(lines, answer)};
	const numbers = new Set(broken.map(({line}) => line));
	const others = lines.filter(({number}) => !numbers.has(number));
	const rest = others.length > 0 ? await postBatch(others, target) : NOTHING;
	return {...rest, rejections: [...broken, ...rest.rejections].sort((a, b) => a.line - b.line)};
}

/** No line was good. The service names the faults of the first hundred; what it says of the whole goes for the others. */
function allRejected(lines: readonly Line[], answer: Answer): Rejection[] {
	const faults = new Map(
		(answer.body.errors ?? []).map(fault => [Number(fault.pointer.split('/')[1]), fault] as const).reverse(),
	);
	return lines.map((line, index) => {
		const fault = faults.get(index);
		return fault
			? {line: line.number, pointer: withoutIndex(fault.pointer), message: fault.message}
			: {...whole(line), message: reason(answer)};
	});
}

async function inHalves(lines: readonly Line[], target: BatchTarget): Promise<BatchResult> {
	const middle = Math.ceil(lines.length / 2);
	const first = await postBatch(lines.slice(0, middle), {...target, untilQueryable: false});
	const second = await postBatch(lines.slice(middle), target);
	return {
		accepted: first.accepted + second.accepted,
		duplicates: first.duplicates + second.duplicates,
		rejections: [...first.rejections, ...second.rejections],
		lastTaken: second.lastTaken ?? first.lastTaken,
	};
}

function jsonFault(text: string): string | undefined {
	try {
		JSON.parse(text);
		return undefined;
	} catch (error) {
		return `not valid JSON: ${(error as Error).message.slice(0, 200)}`;
	}
}

function whole(line: Line) {
	return {line: line.number, pointer: ''};
}

/** `/17/$events/0` -> `/$events/0`: the line's number says which record it was. */
function withoutIndex(pointer: string): string {
	return pointer.replace(/^\/\d+/, '');
}

function reason({body, status}: Answer): string {
	return body.error ?? `status ${status}`;
}
