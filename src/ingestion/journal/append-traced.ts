import {isTracing, traced, tracePast} from '../../lib/tracer.ts';
import type {Journal, NewRecord} from './journal.ts';

/** `append`, as a span of the request: its wait for its turn, and within it the sync that it shares with others. */
export function appendTraced(journal: Journal, records: readonly NewRecord[]): Promise<number[]> {
	if (!isTracing()) return journal.append(records);
	return traced('journal.append', {records: records.length}, async () => {
		const arrivals = await journal.append(records);
		if (journal.lastCommit) {
			const {startedMs, ms, records: shared, bytes} = journal.lastCommit;
			tracePast('journal.commit', {startedMs, ms}, {records: shared, bytes});
		}
		return arrivals;
	});
}
