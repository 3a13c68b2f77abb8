import {createHash, timingSafeEqual} from 'node:crypto';
import {DomainError} from '../../errors.ts';
import {
	compartmentsOf,
	unknownCompartment,
} from '../../ingestion/identifier-associations/identifier-associations.ts';
import {identifierOf, type NamedIdentifier} from '../../ingestion/user-points/identifiers.schema.ts';
import {identifierKey} from '../../ingestion/user-points/identifiers.ts';
import type {Secrets} from '../../lib/secrets.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {InputFiles} from '../job-executions/input-files.ts';
import type {JobExecution} from '../job-executions/job-executions.ts';

/** What a deletion proves, as it stands in its execution's result; `finished_ts` is epoch ms. */
export interface DeletionReceipt {
	readonly found: number;
	readonly removed: number;
	readonly unknown: number;
	readonly finished_ts: number;
	readonly receipt_file_uri: string | null;
	/** Of the file, hexadecimal; receipts of before have none. */
	readonly receipt_file_sha256?: string;
	/** Keyed, over all of these and the execution's id. */
	readonly signature: string;
}

export interface ReceiptLine {
	/** Of the deletion's file, from 1. */
	readonly line: number;
	readonly result: 'removed' | 'unknown';
}

export interface VerifiedReceipt {
	/** Where the identifier stood in the file; none: the deletion was not asked for it. */
	readonly lines: readonly ReceiptLine[];
	readonly finishedMs: number;
	/** Whether sums and file are as the service signed them. */
	readonly isValid: boolean;
}

const PURPOSE = 'deletion receipt';
/** No line of a receipt is longer. */
const LINE_BYTES = 256;

export function signReceipt(
	secrets: Secrets,
	executionId: number,
	told: Omit<DeletionReceipt, 'signature'>,
): DeletionReceipt {
	return {...told, signature: signatureOf(secrets, executionId, told).toString('hex')};
}

/** In this order, whatever the order the database gives them back in. */
function signatureOf(
	secrets: Secrets,
	executionId: number,
	told: Omit<DeletionReceipt, 'signature'>,
): Buffer {
	const {found, removed, unknown, finished_ts, receipt_file_uri, receipt_file_sha256} = told;
	const signed = {found, removed, unknown, finished_ts, receipt_file_uri, receipt_file_sha256};
	return secrets.fingerprint(PURPOSE, JSON.stringify([executionId, signed]));
}

export interface DeletionReceiptContext {
	readonly files: Pick<InputFiles, 'openPart'>;
	readonly directory: TenantView;
	readonly secrets: Secrets;
}

/**
 * What a deletion's receipt says of one identifier, which is hashed as the deletion hashed it and written nowhere. Errors:
 * `deletion_receipt_missing` where the execution gave none, `compartment_unknown`, `store_unavailable`.
 */
export async function verifyReceipt(
	{files, directory, secrets}: DeletionReceiptContext,
	job: JobExecution,
	named: NamedIdentifier,
): Promise<VerifiedReceipt> {
	const receipt = job.result?.details?.receipt as DeletionReceipt | undefined;
	if (!receipt) {
		throw new DomainError(
			'deletion_receipt_missing',
			'the execution gave no receipt: it is no deletion, or it has not succeeded',
		);
	}
	const identifier = identifierOf(named, compartmentsOf(directory, {id: job.datamartId}));
	if (!identifier) throw unknownCompartment('/compartment_id');
	const key = identifierKey(secrets, identifier).toString('hex');
	const {lines, sha256} =
		receipt.receipt_file_uri === null
			? {lines: [], sha256: undefined}
			: await search(await files.openPart(job, 'receipt'), key);
	const expected = signatureOf(secrets, job.id, receipt);
	const shown = Buffer.from(receipt.signature, 'hex');
	const isSigned = shown.length === expected.length && timingSafeEqual(shown, expected);
	const isSame = receipt.receipt_file_sha256 === undefined || receipt.receipt_file_sha256 === sha256;
	return {lines, finishedMs: receipt.finished_ts, isValid: isSigned && isSame};
}

/** Lines of the receipt with that hash, in order, and the digest of all of it; the file is never held whole. */
async function search(content: AsyncIterable<Buffer>, key: string) {
	const hash = createHash('sha256');
	const wanted = `"identifier_hash":"${key}"`;
	const lines: ReceiptLine[] = [];
	let rest: Buffer = Buffer.alloc(0);
	for await (const piece of content) {
		hash.update(piece);
		const bytes = Buffer.concat([rest, piece]);
		const end = bytes.lastIndexOf(0x0a) + 1;
		lines.push(...linesWith(bytes.subarray(0, end), wanted));
		rest = bytes.subarray(end);
		if (rest.length > LINE_BYTES) throw new Error('a receipt has no line so long');
	}
	return {lines, sha256: hash.digest('hex')};
}

function linesWith(bytes: Buffer, wanted: string): ReceiptLine[] {
	const lines: ReceiptLine[] = [];
	for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
		const from = bytes.lastIndexOf(0x0a, at) + 1;
		const {line, result} = JSON.parse(bytes.toString('utf8', from, bytes.indexOf(0x0a, at)));
		lines.push({line, result});
	}
	return lines;
}
