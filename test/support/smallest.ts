/**
 * A small part of a list that still fails: pieces are left out as long as what remains fails, larger ones first. The
 * whole list where it does not fail again.
 */
export async function smallest<Item>(
	items: readonly Item[],
	fails: (some: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
	let left = items;
	for (let size = Math.ceil(left.length / 2); ; size = Math.ceil(size / 2)) {
		for (let at = 0; at < left.length && left.length > 1; ) {
			const rest = left.toSpliced(at, size);
			if (rest.length > 0 && (await fails(rest))) left = rest;
			else at += size;
		}
		if (size <= 1) return left;
	}
}
