import {createHash} from 'node:crypto';
import {type MillraceClient, type RecordResult, RefusedError} from '../../client/index.ts';
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
	/** These lines, where something of them was stored, and whether that was waited for. */
	readonly lastTaken: {readonly lines: readonly Line[]; readonly isQueryable: boolean} | undefined;
}

export interface BatchTarget {
	readonly client: MillraceClient;
	readonly datamartId: string;
	/** One per run: with it a batch that is sent again within the run is known again. */
	readonly runId: string;
	/** Answer only once all is queryable. */
	readonly untilQueryable: boolean;
}

/** Posts some lines as one ndjson body. Errors: those of the client's calls. */
export async function postBatch(lines: readonly Line[], target: BatchTarget): Promise<BatchResult> {
	const {client, datamartId, runId, untilQueryable} = target;
	const texts = lines.map(({text}) => text);
	const digest = createHash('sha256')
		.update(`${lines[0]?.number}\n${texts.join('\n')}`)
		.digest('hex')
		.slice(0, 32);
	const records = await client.sendLines(datamartId, texts, {key: `${runId}-${digest}`, untilQueryable});
	const count = (word: RecordResult['result']) => records.filter(({result}) => result === word).length;
	return {
		accepted: count('accepted'),
		duplicates: count('duplicate'),
		rejections: records.flatMap(record => rejectionOf(record, lines[record.index]!)),
		lastTaken: count('rejected') < records.length ? {lines, isQueryable: untilQueryable} : undefined,
	};
}

function rejectionOf(record: RecordResult, {number}: Line): Rejection[] {
	if (record.result !== 'rejected') return [];
	const {pointer, message} = record.error.faults[0] ?? {pointer: '', message: record.error.message};
	return [{line: number, pointer, message}];
}

/** Why a whole batch was not taken, in words for people. */
export function reasonOf(error: Error): string {
	if (!(error instanceof RefusedError)) return error.message;
	return `the service answered ${error.status}: ${error.error}`;
}
