/**
 * Replays of this process from reading the letter to its record in the journal: whoever clears texts from letters and
 * journal has to know of one that read its letter before and writes behind (docs/adr/0038).
 */
export class Replays {
	readonly #underWay = new Set<Promise<unknown>>();
	#ended = 0;

	/** How many have ended: whoever compares two looks knows whether one came between. */
	get ended(): number {
		return this.#ended;
	}

	run<Outcome>(replay: () => Promise<Outcome>): Promise<Outcome> {
		const work = replay().finally(() => {
			this.#underWay.delete(work);
			this.#ended++;
		});
		this.#underWay.add(work);
		return work;
	}

	/** Those that have begun by now are over, however they ended. */
	async settled(): Promise<void> {
		await Promise.allSettled(this.#underWay);
	}
}
