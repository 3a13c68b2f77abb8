import type {WireActivity} from '../facts/activity.ts';
import {hasUnsafeNumbers, parseKeepingNumbers, stringifyKeepingNumbers} from '../facts/activity-text.ts';
import {canonical, type IdentifierPlace, identifierPlaces} from '../user-points/identifiers.ts';
import type {Placed} from '../user-points/user-points.store.ts';

/** An activity, read. */
export interface ReadActivity {
	readonly json: string;
	readonly activity: WireActivity;
	readonly places: readonly IdentifierPlace[];
	/** Of accounts that name none. */
	readonly defaultCompartmentId: number;
}

/**
 * The activity's text with every identifier replaced by its id: a number where only a text can come in. The activity
 * itself is changed on the way.
 */
export function keptText(
	{json, activity, places, defaultCompartmentId}: ReadActivity,
	placed: Placed,
): string {
	if (!hasUnsafeNumbers(json)) return JSON.stringify(withReferences(activity, places, placed));
	const exact = parseKeepingNumbers(json);
	const exactPlaces = identifierPlaces(exact as unknown as WireActivity, defaultCompartmentId);
	return stringifyKeepingNumbers(withReferences(exact, exactPlaces, placed));
}

function withReferences<Target>(target: Target, places: readonly IdentifierPlace[], placed: Placed): Target {
	for (const {identifier, holder, key} of places) {
		// One that its user point could not take stands in the sealed dead letter and nowhere else.
		const reference = placed.identifiers.get(canonical(identifier))?.identifierId ?? null;
		holder[key] = reference;
		// The address belongs to the identifier and is sealed with it.
		if (identifier.email !== undefined) holder.$email = reference;
	}
	return target;
}
