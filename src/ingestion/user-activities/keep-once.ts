import type {AcceptedKeys} from '../accepted-keys/accepted-keys.ts';
import {appendTraced} from '../journal/append-traced.ts';
import type {Journal, NewRecord} from '../journal/journal.ts';
import type {ActivityKeys} from './activity-keys.ts';

/** A valid record on its way into the journal, with what makes it the same one when it comes again. */
export interface Candidate {
	readonly record: NewRecord;
	readonly keys: ActivityKeys;
}

export type Kept = 'accepted' | 'duplicate';

/** What became of a request's records, for whoever waits for them. */
export interface Noted {
	/** Of those that were kept. */
	readonly arrivals: number[];
	/** Keys under which something was there already. */
	readonly found: Buffer[];
}

export interface KeepContext {
	readonly journal: Journal;
	readonly acceptedKeys: AcceptedKeys;
}

/**
 * Keeps each candidate unless it is there already, all new ones in one commit. A record of a repeated request is
 * answered as the first time; one with a known `$unique_key` is a duplicate. Who meets a key that another request is
 * just accepting under waits for its outcome, and takes the record itself where that one fails.
 */
export async function keepOnce(
	context: KeepContext,
	candidates: readonly Candidate[],
	noted?: Noted,
): Promise<{results: Kept[]; lastArrival: number}> {
	const {journal} = context;
	const results: Kept[] = candidates.map(() => 'accepted');
	let open = candidates.map((_, index) => index);
	while (open.length > 0) {
		const sorted = claimNew(context, candidates, open, results, noted);
		await sorted.keep();
		const failed: number[] = [];
		for (const {index, kept} of sorted.waiting) if (!(await kept)) failed.push(index);
		open = failed;
	}
	// Whatever was found instead of kept came before this.
	return {results, lastArrival: journal.lastArrival};
}

interface Sorted {
	/** Records that another request is accepting, and whether it kept them. */
	readonly waiting: readonly {readonly index: number; readonly kept: Promise<boolean>}[];
	/** Appends the new ones and tells whoever waits for them how it went. */
	keep(): Promise<void>;
}

/** Synchronous from look-up to claim, so that of two requests with one key exactly one goes on. */
function claimNew(
	{journal, acceptedKeys}: KeepContext,
	candidates: readonly Candidate[],
	open: readonly number[],
	results: Kept[],
	noted: Noted | undefined,
): Sorted {
	const request = {};
	const fresh: NewRecord[] = [];
	const waiting: {index: number; kept: Promise<boolean>}[] = [];
	let tell: (kept: boolean) => void = () => {};
	const kept = new Promise<boolean>(resolve => {
		tell = resolve;
	});
	for (const index of open) {
		const {record, keys} = candidates[index]!;
		const other = acceptedKeys.inFlight(keys.all);
		if (other || acceptedKeys.has(keys.all)) {
			// The place in a repeated request counts before the key: the first time it was accepted.
			const isRepeat = acceptedKeys.has(keys.request) || acceptedKeys.inFlight(keys.request) !== undefined;
			results[index] = isRepeat ? 'accepted' : 'duplicate';
			noted?.found.push(...keys.all);
		} else {
			results[index] = 'accepted';
			if (keys.all.length > 0) acceptedKeys.claim(keys.all, request, kept);
			fresh.push(record);
		}
		if (other && other.request !== request) waiting.push({index, kept: other.kept});
	}
	return {
		waiting,
		async keep() {
			try {
				if (fresh.length > 0) {
					const arrivals = await appendTraced(journal, fresh);
					noted?.arrivals.push(...arrivals);
				}
				tell(true);
			} catch (error) {
				tell(false);
				throw error;
			}
		},
	};
}
