import {objectOf, objectsOf, textOf, type WireActivity} from './wire.ts';

/** Who did what, once every identifier is known. User points are numbered from 1 in order of their creation. */
export interface UserPoints {
	/** The surviving user point of each activity, null for those without identifiers. */
	readonly ofActivity: readonly (number | null)[];
	/** The same when the activity arrived, whatever merged later. */
	readonly atArrival: readonly (number | null)[];
	/** In order: who was found to be whom, by which activity. */
	readonly merges: readonly Merge[];
	/** Identifier, written as `identifiersOf` writes it, to surviving user point. */
	readonly ofIdentifier: ReadonlyMap<string, number>;
}

export interface Merge {
	readonly userPoint: number;
	/** The oldest of those that met; it may itself merge later. */
	readonly into: number;
	readonly arrival: number;
}

/**
 * The identifiers of an activity as `USER_ACCOUNT <compartment> <id>`, `USER_AGENT <id>`, `USER_EMAIL <hash>`:
 * those of `$user_identifiers` and the older ones at the root alike. Compartments compare as text.
 */
export function identifiersOf(activity: WireActivity, defaultCompartment = 'default'): string[] {
	const root = [
		{$type: 'USER_AGENT', $user_agent_id: activity.$user_agent_id},
		{
			$type: 'USER_ACCOUNT',
			$user_account_id: activity.$user_account_id,
			$compartment_id: activity.$compartment_id,
		},
		{$type: 'USER_EMAIL', $hash: objectOf(activity.$email_hash)?.$hash},
	];
	const found = [...objectsOf(activity.$user_identifiers), ...root].map((identifier: WireActivity) => {
		const parts = {
			USER_AGENT: [textOf(identifier.$user_agent_id)],
			USER_ACCOUNT: [
				textOf(identifier.$compartment_id) ?? defaultCompartment,
				textOf(identifier.$user_account_id),
			],
			USER_EMAIL: [textOf(identifier.$hash)],
		}[String(identifier.$type)];
		if (parts === undefined || parts.includes(undefined)) return undefined;
		return [identifier.$type, ...parts].join(' ');
	});
	return [...new Set(found.filter(identifier => identifier !== undefined))];
}

/**
 * Identifiers that arrive together are one person: unknown ones join, several user points merge into the oldest,
 * and all past activities count under the survivor (semantics.md, User points). The cap of identifiers per user
 * point and refused identifiers are acceptance's business and not modelled.
 */
export function linkUserPoints(activities: readonly WireActivity[], defaultCompartment?: string): UserPoints {
	const owner = new Map<string, number>();
	const mergedInto = new Map<number, number>();
	const merges: Merge[] = [];
	let created = 0;

	function survivorOf(userPoint: number): number {
		const next = mergedInto.get(userPoint);
		return next === undefined ? userPoint : survivorOf(next);
	}

	const atArrival = activities.map((activity, arrival) => {
		const identifiers = identifiersOf(activity, defaultCompartment);
		if (identifiers.length === 0) return null;
		const known = identifiers
			.map(identifier => owner.get(identifier))
			.filter(userPoint => userPoint !== undefined)
			.map(survivorOf);
		if (known.length === 0) created += 1;
		const oldest = known.length === 0 ? created : Math.min(...known);
		for (const userPoint of new Set(known)) {
			if (userPoint === oldest) continue;
			mergedInto.set(userPoint, oldest);
			merges.push({userPoint, into: oldest, arrival});
		}
		for (const identifier of identifiers) if (!owner.has(identifier)) owner.set(identifier, oldest);
		return oldest;
	});

	return {
		atArrival,
		merges,
		ofActivity: atArrival.map(userPoint => (userPoint === null ? null : survivorOf(userPoint))),
		ofIdentifier: new Map([...owner].map(([identifier, userPoint]) => [identifier, survivorOf(userPoint)])),
	};
}
