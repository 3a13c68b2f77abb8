interface Commits {
	/** When the first of them was received, epoch ms. */
	readonly sinceMs: number;
	/** Every arrival of theirs is below this. */
	nextArrival: number;
	records: number;
}

/** Commits this close together are told apart by nobody who waits for a report. */
const TOGETHER_MS = 50;
/** Beyond as many entries, some minutes of an outage, commits join the newest one: it only looks older than it is. */
const MOST_ENTRIES = 10_000;

/** What was accepted and is not yet in every store: how much, and since when. Bounded, whatever waits. */
export class Backlog {
	readonly #entries: Commits[] = [];
	#records = 0;

	/** Activities that wait. */
	get records(): number {
		return this.#records;
	}

	committed(records: number, nextArrival: number, atMs: number): void {
		const newest = this.#entries.at(-1);
		this.#records += records;
		if (newest && (atMs - newest.sinceMs < TOGETHER_MS || this.#entries.length >= MOST_ENTRIES)) {
			newest.nextArrival = nextArrival;
			newest.records += records;
		} else this.#entries.push({sinceMs: atMs, nextArrival, records});
	}

	/** Everything below this arrival is in every store. */
	confirmed(nextArrival: number): void {
		const open = this.#entries.findIndex(entry => entry.nextArrival > nextArrival);
		for (const entry of this.#entries.splice(0, open === -1 ? this.#entries.length : open)) {
			this.#records -= entry.records;
		}
	}

	/** Age in ms of the oldest that waits, 0 where nothing does. */
	ageMs(nowMs: number): number {
		const [oldest] = this.#entries;
		return oldest ? Math.max(0, nowMs - oldest.sinceMs) : 0;
	}
}
