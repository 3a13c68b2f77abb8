import test from 'ava';
import fc from 'fast-check';
import {assignUserPoints, MAX_IDENTIFIERS_PER_USER_POINT} from '../../../src/ingestion/user-points/assign.ts';

const known = (entries: Record<string, number>) =>
	new Map(Object.entries(entries).map(([key, userPointId]) => [key, {userPointId}]));
const sizesOf = (entries: Record<string, number>) => {
	const sizes = new Map<number, number>();
	for (const point of Object.values(entries)) sizes.set(point, (sizes.get(point) ?? 0) + 1);
	return sizes;
};
const assign = (activities: string[][], stored: Record<string, number> = {}, cap?: number) =>
	assignUserPoints(activities, known(stored), sizesOf(stored), cap);

test('identifiers that arrive together are one new user point', t => {
	const {userPoints, created, joined} = assign([['a', 'b'], ['b'], ['c']]);
	t.deepEqual(userPoints, [-1, -1, -2]);
	t.deepEqual(created, [-1, -2]);
	t.deepEqual(
		[...joined],
		[
			['a', -1],
			['b', -1],
			['c', -2],
		],
	);
});

test('an unknown identifier joins the known one beside it', t => {
	const {userPoints, created, joined, merged, sizes} = assign([['a', 'new']], {a: 5});
	t.deepEqual(userPoints, [5]);
	t.deepEqual(created, []);
	t.deepEqual([...joined], [['new', 5]]);
	t.is(merged.size, 0);
	t.deepEqual([...sizes], [[5, 2]]);
});

test('several user points merge into the oldest, earlier activities of the batch included', t => {
	const {userPoints, merged, sizes} = assign([['b'], ['new'], ['new', 'b', 'a']], {a: 3, b: 9});
	t.deepEqual(userPoints, [3, 3, 3]);
	t.deepEqual([...merged], [[9, 3]]);
	t.deepEqual([...sizes], [[3, 3]]);
});

test('a chain of merges ends at one survivor for all', t => {
	const {merged, userPoints} = assign(
		[
			['c', 'b'],
			['b', 'a'],
		],
		{a: 1, b: 2, c: 3},
	);
	t.deepEqual(
		new Map(merged),
		new Map([
			[3, 1],
			[2, 1],
		]),
	);
	t.deepEqual(userPoints, [1, 1]);
});

test('a user point at its cap takes no more, by joining or by merging, and keeps what it has', t => {
	const stored = {a: 1, b: 1, c: 2};
	t.deepEqual(assign([['a', 'new']], stored, 2).userPoints, [0]);
	t.deepEqual(assign([['a', 'new']], stored, 2).joined.size, 0);
	t.deepEqual(assign([['a', 'c']], stored, 2).userPoints, [0]);
	t.deepEqual(assign([['a', 'b']], stored, 2).userPoints, [1]);
	t.is(MAX_IDENTIFIERS_PER_USER_POINT, 1000);
});

/** The meaning, without any cleverness: repeat until nothing changes. */
function brute(activities: string[][], stored: Record<string, number>): (keys: string[]) => number {
	const owner = new Map(Object.entries(stored));
	let next = 1_000;
	for (const keys of activities) {
		const met = keys.flatMap(key => owner.get(key) ?? []);
		const point = met.length > 0 ? Math.min(...met) : next++;
		for (const key of keys) owner.set(key, point);
		for (const [key, value] of owner) if (met.includes(value)) owner.set(key, point);
	}
	return keys => owner.get(keys[0]!)!;
}

test('any batch over any store gives the same groups as joining one activity after another', t => {
	const key = fc.constantFrom(...'abcdefghij');
	const activities = fc.array(fc.uniqueArray(key, {minLength: 1, maxLength: 3}), {maxLength: 12});
	const stored = fc.dictionary(key, fc.integer({min: 1, max: 5}));
	fc.assert(
		fc.property(activities, stored, (batch, store) => {
			const {userPoints, created, joined, merged} = assign(batch, store);
			const expected = brute(batch, store);
			const told = batch.map((keys, index) => [expected(keys), userPoints[index]!] as const);
			for (const [wanted, got] of told) {
				if (wanted < 1_000 && got !== wanted) return false;
				if (wanted >= 1_000 && !created.includes(got)) return false;
			}
			// One to one, and nothing points at a user point that was merged away.
			const wantedOf = new Map(told.map(([wanted, got]) => [got, wanted]));
			return (
				new Set(told.map(([wanted]) => wanted)).size === wantedOf.size &&
				[...joined.values()].every(point => !merged.has(point))
			);
		}),
		{numRuns: 2000},
	);
	t.pass();
});
