/** Repeatable chance: the same seed gives the same sequence on every machine. */
export interface Chance {
	/** In [0, 1). */
	readonly real: () => number;
	/** A whole number from `least` to `most`, both included. */
	readonly whole: (least: number, most: number) => number;
	readonly pick: <T>(from: readonly T[]) => T;
	/** True with this probability. */
	readonly maybe: (probability: number) => boolean;
	readonly shuffle: <T>(list: readonly T[]) => T[];
}

/** mulberry32: 32 bits of state, enough to vary test cases; never for secrets. */
export function chance(seed: number): Chance {
	let state = seed >>> 0;

	function real(): number {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	const whole = (least: number, most: number) => least + Math.floor(real() * (most - least + 1));
	return {
		real,
		whole,
		pick: from => from[whole(0, from.length - 1)]!,
		maybe: probability => real() < probability,
		shuffle: list => {
			const shuffled = [...list];
			for (let last = shuffled.length - 1; last > 0; last--) {
				const other = whole(0, last);
				[shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
			}
			return shuffled;
		},
	};
}
