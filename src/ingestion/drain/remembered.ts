/**
 * What never changes of a datamart, asked for once: a new one is in no journal before it is there. `absent`: told of one
 * that is in no store.
 */
export function remembered<Row extends {readonly id: number}, Told>(
	loadDatamarts: () => Promise<readonly Row[]>,
	told: (row: Row) => Told,
	absent: Told,
): (datamartIds: readonly number[]) => Promise<ReadonlyMap<number, Told>> {
	const known = new Map<number, Told>();
	return async datamartIds => {
		if (datamartIds.some(id => !known.has(id))) {
			for (const row of await loadDatamarts()) known.set(row.id, told(row));
			for (const id of datamartIds) if (!known.has(id)) known.set(id, absent);
		}
		return known;
	};
}
