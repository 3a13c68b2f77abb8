import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {type Checkpoint, CheckpointFile} from '../../src/ingestion/drain/checkpoint.ts';
import {readSlice} from '../../src/ingestion/journal/reader.ts';
import {decodeRecord, type JournalRecord} from '../../src/ingestion/journal/record.ts';
import {listSegments, segmentFile} from '../../src/ingestion/journal/segments.ts';
import type {Ledger} from './ledger.ts';

export const PHASES = ['starting', 'accepting', 'journaling', 'analysing', 'draining', 'merging'] as const;
export type Phase = (typeof PHASES)[number];

/** What the journal's directory tells of the moment of the kill. */
export async function phasesHit(dataDir: string, ledger: Ledger, inFlight: number): Promise<Phase[]> {
	const directory = join(dataDir, 'journal');
	const phases: Phase[] = [];
	const {records, torn} = tailOf(directory, await newestSegment(directory));
	const newest = records.at(-1);
	// Written, perhaps synced, and not answered.
	if (torn || (newest && !ledger.isAcknowledged(seqOf(newest.record)))) phases.push('journaling');
	else if (inFlight > 0) phases.push('accepting');
	// Others may wait in older segments: what is told of is certain.
	const ended = new Set(records.map(({record}) => record.outcome?.of));
	if (records.some(({record}) => record.waits && !ended.has(record.arrival))) phases.push('analysing');
	const {inDoubt} = await checkpointOf(directory);
	if (inDoubt) {
		phases.push('draining');
		const batch = await readSlice(directory, inDoubt.from, inDoubt.to, Number.POSITIVE_INFINITY);
		if (batch.records.some(record => joins(record))) phases.push('merging');
	}
	return phases;
}

/** Where the journal may be cut at the earliest: behind what was answered and behind what the drain was told of. */
export async function leastDurable(
	dataDir: string,
	ledger: Ledger,
): Promise<{file: string; offset: number; length: number}> {
	const directory = join(dataDir, 'journal');
	const segment = await newestSegment(directory);
	const {records, length} = tailOf(directory, segment);
	const {confirmed, inDoubt} = await checkpointOf(directory);
	let offset = 0;
	for (const position of [confirmed, inDoubt?.to]) {
		if (position?.segment === segment) offset = Math.max(offset, position.offset);
	}
	for (const {record, end} of records) {
		if (ledger.isAcknowledged(seqOf(record))) offset = Math.max(offset, end);
	}
	return {file: segmentFile(directory, segment), offset, length};
}

export function checkpointOf(journalDirectory: string): Promise<Checkpoint> {
	return new CheckpointFile(journalDirectory).read();
}

/** The file accepted activities are written to now. */
export async function newestSegmentFile(dataDir: string): Promise<string> {
	const directory = join(dataDir, 'journal');
	return segmentFile(directory, await newestSegment(directory));
}

async function newestSegment(directory: string): Promise<number> {
	return (await listSegments(directory)).at(-1)!;
}

function tailOf(directory: string, segment: number) {
	const bytes = readFileSync(segmentFile(directory, segment));
	const records: {record: JournalRecord; end: number}[] = [];
	let end = 0;
	for (let decoded = decodeRecord(bytes, 0); decoded; decoded = decodeRecord(bytes, end)) {
		end = decoded.next;
		records.push({record: decoded.record, end});
	}
	return {records, torn: end < bytes.length, length: bytes.length};
}

function seqOf(record: JournalRecord): number {
	return JSON.parse(record.body.toString()).harness_seq;
}

function joins(record: JournalRecord): boolean {
	return JSON.parse(record.body.toString()).$user_identifiers?.length > 1;
}
