import {Random} from './random.ts';

/** The months the load falls into: a batch that spans several makes several parts. */
const MONTHS = [Date.UTC(2024, 3, 1, 12), Date.UTC(2024, 4, 1, 12), Date.UTC(2024, 5, 1, 12)];
export const PERIOD = {start: '2024-04-01', end: '2024-07-01'};
const ACTIVITIES_PER_PERSON = 6;

export interface Promised {
	/** As it goes over the wire; `harness_seq` tells it from all others. */
	readonly activity: object;
	/** Its identifiers, the first one a user agent wherever there is one. */
	readonly identifiers: readonly string[];
	/** How many fact rows it makes. */
	readonly rows: number;
	/** It carries a `$unique_key`: sent again, it is not stored again. */
	readonly isKeyed: boolean;
}

/**
 * The activity with this number: the same for the same seed, so that a ledger only has to hold numbers. People come and
 * go; each is met under two user agents and an account, apart and together, and now and then two people turn out as one.
 */
export function promised(seed: number, seq: number): Promised {
	const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(seq + 1, 0x85ebca6b));
	const person = Math.floor(seq / ACTIVITIES_PER_PERSON) + random.between(0, 4);
	const first = `vec:s${seed}p${person}a`;
	const second = `vec:s${seed}p${person}b`;
	const account = `acc-s${seed}p${person}`;
	const kind = random.next();
	const agents: string[] = [];
	const accounts: string[] = [];
	if (kind < 0.35) agents.push(first);
	else if (kind < 0.65) agents.push(second);
	else if (kind < 0.75) accounts.push(account);
	else if (kind < 0.85) agents.push(first, second);
	else if (kind < 0.97) {
		agents.push(random.pick([first, second]));
		accounts.push(account);
	} else agents.push(first, `vec:s${seed}p${Math.max(0, person - random.between(5, 80))}b`);
	const rows = random.between(1, 2);
	const isKeyed = random.chance(0.7);
	return {
		isKeyed,
		identifiers: [...agents, ...accounts],
		rows,
		activity: {
			$type: 'SITE_VISIT',
			$ts: random.pick(MONTHS),
			harness_seq: seq,
			...(isKeyed ? {$unique_key: `key-${seed}-${seq}`} : {}),
			$user_identifiers: [
				...agents.map(agent => ({$type: 'USER_AGENT', $user_agent_id: agent})),
				...accounts.map(id => ({$type: 'USER_ACCOUNT', $user_account_id: id})),
			],
			$events: Array.from({length: rows}, (_, index) => ({
				$event_name: 'promise',
				$properties: {$items: [{$id: `${seq}.${index}`}]},
			})),
		},
	};
}

/** Who is one person, from identifiers that were met together. */
export class People {
	readonly #parents = new Map<string, string>();

	meet(identifiers: readonly string[]): void {
		for (const identifier of identifiers) {
			if (!this.#parents.has(identifier)) this.#parents.set(identifier, identifier);
			this.#parents.set(this.personOf(identifier), this.personOf(identifiers[0]!));
		}
	}

	personOf(identifier: string): string {
		let root = identifier;
		for (let parent = this.#parents.get(root)!; parent !== root; parent = this.#parents.get(root)!)
			root = parent;
		this.#parents.set(identifier, root);
		return root;
	}

	get count(): number {
		return [...this.#parents].filter(([identifier, parent]) => identifier === parent).length;
	}
}
