/**
 * Which user point each activity of a batch belongs to, decided in memory from what the store knew before the batch
 * (semantics.md, User points). Pure: the store reads `known` under its lock and writes the outcome in one transaction.
 */

/** Beyond this a user point takes no more identifiers: a shared identifier must not merge the world. */
export const MAX_IDENTIFIERS_PER_USER_POINT = 1000;

export interface KnownIdentifier {
	readonly userPointId: number;
}

export interface Assignment {
	/** Of each activity: its user point (a negative one is new, see `created`), or 0 where the cap refused it. */
	readonly userPoints: readonly number[];
	/** New user points in order of creation, as negative numbers. */
	readonly created: readonly number[];
	/** Identifier keys seen for the first time, with the user point they join. */
	readonly joined: ReadonlyMap<string, number>;
	/** Stored user points that end in another one. */
	readonly merged: ReadonlyMap<number, number>;
	/** Stored and new user points whose number of identifiers changed. */
	readonly sizes: ReadonlyMap<number, number>;
}

/**
 * `activities[i]` are the identifier keys of the i-th activity, in order of arrival, none of them empty.
 * `sizes` tells how many identifiers each known user point has.
 */
export function assignUserPoints(
	activities: readonly (readonly string[])[],
	known: ReadonlyMap<string, KnownIdentifier>,
	sizes: ReadonlyMap<number, number>,
	cap = MAX_IDENTIFIERS_PER_USER_POINT,
): Assignment {
	const points = new Points(known, sizes);
	const chosen = activities.map(keys => points.place(new Set(keys), cap));
	return points.outcome(chosen);
}

class Points {
	readonly #pointOf = new Map<string, number>();
	readonly #sizes: Map<number, number>;
	readonly #parents = new Map<number, number>();
	readonly #joined = new Set<string>();
	readonly #changed = new Set<number>();
	#created = 0;

	constructor(known: ReadonlyMap<string, KnownIdentifier>, sizes: ReadonlyMap<number, number>) {
		for (const [key, {userPointId}] of known) this.#pointOf.set(key, userPointId);
		this.#sizes = new Map(sizes);
	}

	/** The user point of an activity with these identifiers, 0 where they would pass the cap. */
	place(keys: ReadonlySet<string>, cap: number): number {
		const met = new Set<number>();
		const fresh: string[] = [];
		for (const key of keys) {
			const point = this.#pointOf.get(key);
			if (point === undefined) fresh.push(key);
			else met.add(this.#root(point));
		}
		const size = [...met].reduce((sum, point) => sum + (this.#sizes.get(point) ?? 0), 0) + fresh.length;
		const grows = fresh.length > 0 || met.size > 1;
		if (grows && size > cap) return 0;
		const survivor = met.size === 0 ? this.#create() : [...met].reduce((a, b) => (isOlder(a, b) ? a : b));
		for (const point of met) if (point !== survivor) this.#parents.set(point, survivor);
		for (const key of fresh) {
			this.#pointOf.set(key, survivor);
			this.#joined.add(key);
		}
		if (grows) {
			this.#sizes.set(survivor, size);
			this.#changed.add(survivor);
		}
		return survivor;
	}

	outcome(chosen: readonly number[]): Assignment {
		const survivors = (points: Iterable<number>) => [...points].filter(point => this.#root(point) === point);
		const created = Array.from({length: this.#created}, (_, index) => -(index + 1));
		return {
			userPoints: chosen.map(point => (point === 0 ? 0 : this.#root(point))),
			created: survivors(created),
			joined: new Map([...this.#joined].map(key => [key, this.#root(this.#pointOf.get(key)!)])),
			merged: new Map(
				[...this.#parents.keys()].filter(point => point > 0).map(point => [point, this.#root(point)]),
			),
			sizes: new Map(survivors(this.#changed).map(point => [point, this.#sizes.get(point)!])),
		};
	}

	#create(): number {
		this.#created += 1;
		return -this.#created;
	}

	#root(point: number): number {
		let root = point;
		for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root))
			root = parent;
		return root;
	}
}

/** Stored user points are older than new ones; among each, the first made is the oldest. */
function isOlder(a: number, b: number): boolean {
	if (a > 0 && b > 0) return a < b;
	return a > 0 || (b < 0 && a > b);
}
