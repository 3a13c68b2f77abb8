import {DomainError, type Fault} from '../../errors.ts';
import {rowCount, type WireActivity} from '../../ingestion/facts/activity.ts';
import {
	associationBody,
	unknownCompartment,
} from '../../ingestion/identifier-associations/identifier-associations.ts';
import {checkActivity} from '../../ingestion/user-activities/accept.ts';
import {
	type Compartments,
	compartmentOf,
	identifierOf,
} from '../../ingestion/user-points/identifiers.schema.ts';
import {type Identifier, identifierKey} from '../../ingestion/user-points/identifiers.ts';
import type {Secrets} from '../../lib/secrets.ts';
import {type Datamart, type TenantView, tenantView} from '../../tenants/directory.ts';
import type {Compartment} from '../../tenants/tenants.ts';
import {parseWith} from '../../validation.ts';
import {type DeletionLines, ReceiptLines} from '../deletion-receipts/receipt-lines.ts';
import type {LineFault} from '../job-executions/job-executions.ts';
import {DeletionLine, expiryOf, SegmentLine} from './import-lines.schema.ts';
import type {Flaw, Place, Visitor} from './json-values.ts';
import {type Portion, readPortion} from './read-file.ts';

/** What a line of each kind of document is read into; plain data, since it is read in a thread. */
export const READERS = ['CHECK', 'DELETION', 'ACTIVITY', 'ASSOCIATION', 'SEGMENT'] as const;

export interface ImportTask {
	readonly reader: (typeof READERS)[number];
	readonly file: string;
	readonly from: Place;
	readonly datamart: Datamart;
	readonly compartments: readonly Compartment[];
}

/** One good line. The reader decides which of the others are there. */
export interface GoodLine {
	readonly line: number;
	/** Of an activity or an association: the text for the journal, and how many rows come of it. */
	readonly body?: Uint8Array;
	readonly rows?: number;
	readonly uniqueKey?: string;
	readonly segment?: SegmentCommand;
}

export interface SegmentCommand {
	readonly isMember: boolean;
	readonly identifier: Identifier;
	readonly segmentId: string;
	readonly expiresMs: number | undefined;
	readonly dataBag: string;
}

export interface ReadPortion extends Portion {
	/** None of a check and of a deletion. */
	readonly lines: readonly GoodLine[];
	readonly deletion?: DeletionLines;
	/** How many lines are good. */
	readonly good: number;
	readonly faults: readonly LineFault[];
	/** The first line whose flaw is the whole file's. */
	readonly wrong: {readonly line: number; readonly flaw: Flaw} | undefined;
}

const FLAWS: Readonly<Record<Flaw, string>> = {
	array: 'begins an array: the file holds one JSON object a line',
	comma: 'begins or ends with a comma: values are separated by newlines',
	no_object: 'is not a JSON object',
	no_json: 'is not valid JSON',
	too_long: 'is longer than 5 MiB',
	too_deep: 'is nested more than 100 levels deep',
};

export function describeFlaw(flaw: Flaw): string {
	return FLAWS[flaw];
}

type Read = (
	value: Readonly<Record<string, unknown>>,
	text: Buffer,
	line: number,
) => Omit<GoodLine, 'line'> | undefined;

/** Reads one portion of a file of a document import; what a line says is checked, stores are not asked. */
export async function readImport(task: ImportTask, secrets: Secrets): Promise<ReadPortion> {
	const {datamart, compartments} = task;
	const lines: GoodLine[] = [];
	const faults: LineFault[] = [];
	let good = 0;
	let wrong: ReadPortion['wrong'];
	const deletion = task.reader === 'DELETION' ? new ReceiptLines() : undefined;
	const view = tenantView({...NOBODY, datamarts: [datamart], compartments});
	const read = readerOf(task, secrets, view, deletion);
	const visitor: Visitor = {
		value(line, value, text) {
			try {
				const content = read(value, text, line);
				if (content) lines.push({line, ...content});
				good++;
			} catch (error) {
				if (!(error instanceof DomainError)) throw error;
				for (const fault of faultsOf(error).slice(0, 1)) faults.push({line, ...fault});
			}
		},
		flaw(line, flaw) {
			if (flaw === 'array' || flaw === 'comma') wrong ??= {line, flaw};
			faults.push({line, pointer: '', message: describeFlaw(flaw)});
		},
	};
	const portion = await readPortion(task.file, task.from, visitor);
	return {...portion, lines, good, faults, wrong, ...(deletion && {deletion: deletion.end()})};
}

const NOBODY = {organisations: [], channels: []};

/** Messages of our schemas name fields and limits, never values. */
function faultsOf({faults, message}: DomainError): readonly Fault[] {
	return faults.length > 0 ? faults : [{pointer: '', message}];
}

function readerOf(
	{reader, datamart, compartments}: ImportTask,
	secrets: Secrets,
	view: TenantView,
	deletion: ReceiptLines | undefined,
): Read {
	const known: Compartments = {
		ids: compartments.map(({id}) => id),
		defaultId: compartments.find(({isDefault}) => isDefault)?.id ?? 0,
	};
	switch (reader) {
		case 'CHECK':
			return () => undefined;
		case 'DELETION':
			return (value, _, line) => {
				deletion?.add(line, deletedKey(value, known, secrets));
				return undefined;
			};
		case 'ACTIVITY':
			return (value, text) => activity(view, datamart, value, text);
		case 'ASSOCIATION':
			return value => association(value, known);
		case 'SEGMENT':
			return value => segment(value, known);
	}
}

function deletedKey(value: unknown, compartments: Compartments, secrets: Secrets): Buffer {
	const identifier = identifierOf(parseWith(DeletionLine, value), compartments);
	if (!identifier) throw unknownCompartment('/compartment_id');
	return identifierKey(secrets, identifier);
}

function activity(view: TenantView, datamart: Datamart, value: unknown, text: Buffer) {
	const checked: WireActivity = checkActivity(view, datamart, value);
	const uniqueKey = checked.$unique_key as string | null | undefined;
	// A copy: the portion's buffer is not handed over for it.
	return {body: Uint8Array.from(text), rows: rowCount(checked), ...(uniqueKey ? {uniqueKey} : {})};
}

function association(value: unknown, compartments: Compartments) {
	return {body: Uint8Array.from(associationBody(value, compartments)), rows: 1};
}

function segment(value: unknown, compartments: Compartments) {
	const line = parseWith(SegmentLine, value);
	const {user_account_id: account, email_hash: hash, user_agent_id: agent} = line;
	const compartmentId = account == null ? undefined : compartmentOf(line.compartment_id, compartments);
	if (account != null && compartmentId === undefined) throw unknownCompartment('/compartment_id');
	const identifier: Identifier =
		account != null
			? {kind: 'USER_ACCOUNT', compartmentId, text: account}
			: hash != null
				? {kind: 'USER_EMAIL', compartmentId, text: hash}
				: {kind: 'USER_AGENT', compartmentId, text: agent!};
	const isMember = line.operation !== 'DELETE';
	return {
		segment: {
			isMember,
			identifier,
			segmentId: line.segment_id,
			expiresMs: expiryOf(line, Date.now()),
			dataBag: line.data_bag,
		},
	};
}
