import {z} from 'zod';
import {NamedIdentifier} from '../../ingestion/user-points/identifiers.schema.ts';
import type {VerifiedReceipt} from './deletion-receipts.ts';

/** One identifier, as a line of the deletion's file names it. */
export const ReceiptQuestion = NamedIdentifier;

export const ReceiptAnswer = z.object({
	was_deleted: z.boolean(),
	lines: z.array(z.object({line: z.number(), result: z.enum(['removed', 'unknown'])})),
	finished_ts: z.number(),
	receipt_valid: z.boolean(),
});

export function verifiedToWire(verified: VerifiedReceipt): z.input<typeof ReceiptAnswer> {
	return {
		was_deleted: verified.lines.some(({result}) => result === 'removed'),
		lines: verified.lines.map(({line, result}) => ({line, result})),
		finished_ts: verified.finishedMs,
		receipt_valid: verified.isValid,
	};
}
