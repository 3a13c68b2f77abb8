import type {Ledger} from './ledger.ts';
import {People, promised} from './people.ts';
import type {StoredActivity, StoredFacts} from './stored.query.ts';

/** What the stores owe to those who were answered, counted. All but the first three must be 0. */
export interface Verdict {
	readonly sent: number;
	readonly acknowledged: number;
	/** There, and never answered: allowed, the answer was on its way. */
	readonly keptUnanswered: number;
	readonly lost: number;
	readonly double: number;
	/** There, and never sent. */
	readonly phantoms: number;
	/** An activity whose kept form is there and whose facts are not all, or the other way round. */
	readonly halves: number;
	/** People met as one who stand under several user points. */
	readonly splitPeople: number;
	/** User points that hold several people. */
	readonly mixedPeople: number;
	/** Neighbours of one sender that stand in another order than they were accepted. */
	readonly outOfOrder: number;
	/** Some of the lost, each with the lane it was acknowledged on, to find what happened to them. */
	readonly lostExamples: readonly string[];
}

export const FAULTS = [
	'lost',
	'double',
	'phantoms',
	'halves',
	'splitPeople',
	'mixedPeople',
	'outOfOrder',
] as const;

export function faultsOf(verdict: Verdict): string[] {
	return FAULTS.filter(fault => verdict[fault] > 0).map(fault => `${fault}: ${verdict[fault]}`);
}

/** Compares what is stored with the ledger; pure. */
export function judge(
	seed: number,
	ledger: Ledger,
	activities: readonly StoredActivity[],
	facts: readonly StoredFacts[],
): Verdict {
	const kept = new Map(activities.map(row => [row.seq, row]));
	const rowsOf = new Map(facts.map(row => [row.seq, row]));
	const there = [...new Set([...kept.keys(), ...rowsOf.keys()])];
	let keptUnanswered = 0;
	let double = 0;
	let phantoms = 0;
	let halves = 0;
	const people = new People();
	for (const seq of there) {
		if (!ledger.sent.has(seq)) {
			phantoms += 1;
			continue;
		}
		if (!ledger.isAcknowledged(seq)) keptUnanswered += 1;
		const {rows, identifiers} = promised(seed, seq);
		const activity = kept.get(seq);
		const made = rowsOf.get(seq);
		if ((activity?.times ?? 0) > 1 || (made && made.rows > made.parts)) double += 1;
		if (!activity || made?.parts !== rows) halves += 1;
		people.meet(identifiers);
	}
	const {splitPeople, mixedPeople} = comparePeople(seed, people, [...facts, ...activities]);
	const lost = [...ledger.acknowledged].flatMap(([lane, seqs]) =>
		seqs.filter(seq => !kept.has(seq) && !rowsOf.has(seq)).map(seq => `${seq} (${lane})`),
	);
	return {
		sent: ledger.sent.size,
		acknowledged: ledger.acknowledgedCount,
		keptUnanswered,
		lost: lost.length,
		lostExamples: lost.slice(0, 50),
		double,
		phantoms,
		halves,
		splitPeople,
		mixedPeople,
		outOfOrder: outOfOrder(ledger, kept),
	};
}

function comparePeople(
	seed: number,
	people: People,
	stored: readonly {readonly seq: number; readonly points: readonly number[]}[],
) {
	const pointsOf = new Map<string, Set<number>>();
	const peopleAt = new Map<number, Set<string>>();
	const add = <Key, Value>(map: Map<Key, Set<Value>>, key: Key, value: Value) =>
		map.set(key, (map.get(key) ?? new Set()).add(value));
	for (const {seq, points} of stored) {
		const person = people.personOf(promised(seed, seq).identifiers[0]!);
		for (const point of points) {
			add(pointsOf, person, point);
			add(peopleAt, point, person);
		}
	}
	const several = (sets: Iterable<Set<unknown>>) => [...sets].filter(set => set.size > 1).length;
	return {splitPeople: several(pointsOf.values()), mixedPeople: several(peopleAt.values())};
}

/** Instances count arrivals apart; a lane speaks to one of them. */
function outOfOrder(ledger: Ledger, kept: ReadonlyMap<number, StoredActivity>): number {
	let wrong = 0;
	for (const seqs of ledger.acknowledged.values()) {
		let before: StoredActivity | undefined;
		for (const seq of seqs) {
			const row = kept.get(seq);
			if (!row) continue;
			if (before && before.instance === row.instance && before.arrival >= row.arrival) wrong += 1;
			before = row;
		}
	}
	return wrong;
}
