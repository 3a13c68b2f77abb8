import {z} from 'zod';
import type {AsOf} from '../../query/plan.ts';

const MOST_INSTANCES = 2 ** 16;
const Whole = z.number().int().nonnegative();

/** What is stored at a moment, and the moment itself, which WINDOW periods and memberships are told by. */
export interface Moment extends AsOf {
	readonly nowMs: number;
}

const Packed = z
	.tuple([
		Whole,
		Whole,
		z.array(Whole).max(1000),
		z.array(z.tuple([z.number().int().min(1).max(65_535), Whole])).max(MOST_INSTANCES),
	])
	.transform(
		([nowMs, mergeSequence, mergesMissing, batches]): Moment => ({
			nowMs,
			mergeSequence,
			mergesMissing,
			batches,
		}),
	);

/** A moment as clients carry it: a text they need not understand. */
export const AsOfText = z
	.string()
	.max(2 ** 20)
	.transform((text, context): Moment => {
		const moment = Packed.safeParse(unpacked(text));
		if (moment.success) return moment.data;
		context.addIssue({code: 'custom', message: 'is not what a list of user points told'});
		return z.NEVER;
	});

export function asOfText({nowMs, mergeSequence, mergesMissing, batches}: Moment): string {
	return packed([nowMs, mergeSequence, mergesMissing, batches]);
}

export function packed(value: unknown): string {
	return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Undefined for what was not packed here. */
export function unpacked(text: string): unknown {
	try {
		return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
	} catch {
		return undefined;
	}
}
