import {setTimeout as delay} from 'node:timers/promises';
import type {Database} from './database.ts';

const RETRY_MS = 250;
/** Well below what a connection may be silent for (database.ts): with the connection the lock would go. */
const BEAT_MS = 2_000;

/**
 * Runs `work` while no other process runs work under the same key, however long it takes; ends with whoever dies.
 * `work` is not part of a transaction. Errors: `store_unavailable`, those of `work`.
 */
export async function oneAtATime<T>(database: Database, key: number, work: () => Promise<T>): Promise<T> {
	for (;;) {
		const outcome = await database.transaction(async tx => {
			// Tried and not waited for: a statement that waits is ended after its time.
			const {rows} = await tx.raw('SELECT pg_try_advisory_xact_lock(?) AS taken', [key]);
			if (!rows[0].taken) return undefined;
			const beat = setInterval(() => void tx.raw('SELECT 1').catch(() => {}), BEAT_MS);
			try {
				return {result: await work()};
			} finally {
				clearInterval(beat);
			}
		});
		if (outcome) return outcome.result;
		await delay(RETRY_MS);
	}
}
