const MASK = 2n ** 64n - 1n;

/** Whether a user point is in a sample: its hash, as a fraction of all hashes, lies below the factor. */
export function isSampled(id: number, factor: number): boolean {
	return factor >= 1 || hashOf(BigInt(id)) < BigInt(Math.floor(factor * 2 ** 64));
}

/** ClickHouse's intHash64: the last mixing of MurmurHash3 over the salted number. */
function hashOf(id: bigint): bigint {
	let mixed = id ^ 0x4cf2d2baae6da887n;
	for (const factor of [0xff51afd7ed558ccdn, 0xc4ceb9fe1a85ec53n]) {
		mixed ^= mixed >> 33n;
		mixed = (mixed * factor) & MASK;
	}
	return mixed ^ (mixed >> 33n);
}
