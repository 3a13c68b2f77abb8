import type {WireActivity} from '../facts/activity.ts';
import {hasUnsafeNumbers, parseKeepingNumbers, stringifyKeepingNumbers} from '../facts/activity-text.ts';
import {
	canonical,
	type Identifier,
	type IdentifierPlace,
	identifierPlaces,
} from '../user-points/identifiers.ts';
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
 * itself may be changed on the way.
 */
export function keptText(read: ReadActivity, placed: Placed): string {
	return replacedInText(read, placed) ?? writtenAgain(read, placed);
}

/** As objects whose text is written again. */
export function writtenAgain(
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
		const reference = referenceTo(identifier, placed);
		holder[key] = reference;
		// The address belongs to the identifier and is sealed with it.
		if (identifier.email !== undefined) holder.$email = reference;
	}
	return target;
}

/** One that its user point could not take stands in the sealed dead letter and nowhere else. */
function referenceTo(identifier: Identifier, placed: Placed): number | null {
	return placed.identifiers.get(canonical(identifier))?.identifierId ?? null;
}

/** Keys that are replaced where they stand. A text with any other key of an identifier is written again. */
const IN_TEXT = ['$user_agent_id', '$user_account_id'] as const;

/**
 * Where nothing can be mistaken, for less than half: an e-mail, an escape, or a key that stands anywhere else in the text
 * than where its one identifier was found make it undefined. Space and the sender's own repeated keys stay as sent.
 */
export function replacedInText({json, activity, places}: ReadActivity, placed: Placed): string | undefined {
	// `$email_hash` begins like `$email`. What is neither parsed nor replaced could be a text that is to be sealed.
	if (json.includes('\\') || json.includes('$hash"') || json.includes('$email')) return undefined;
	// Whoever reads the kept text may take the first of two alike, where JSON.parse took the last.
	if (timesIn(json, '$user_identifiers"') > 1) return undefined;
	if (timesIn(json, '$type"') !== 1 + (activity.$user_identifiers?.length ?? 0)) return undefined;
	let text = json;
	let replaced = 0;
	for (const key of IN_TEXT) {
		const at = text.indexOf(`${key}"`);
		if (at < 0) continue;
		const place = places.find(each => each.key === key);
		if (!place || timesIn(text, `${key}"`) > 1) return undefined;
		const from = valueAfter(text, at + key.length + 1);
		const to = from + place.identifier.text.length + 2;
		if (text.slice(from, to) !== `"${place.identifier.text}"`) return undefined;
		text = `${text.slice(0, from)}${referenceTo(place.identifier, placed)}${text.slice(to)}`;
		replaced++;
	}
	return replaced === places.length ? text : undefined;
}

function timesIn(text: string, part: string): number {
	let times = 0;
	for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) times++;
	return times;
}

const BEHIND_A_KEY = /\s*:\s*/y;

/** Where the value begins of a key that ends at `end`. */
function valueAfter(json: string, end: number): number {
	if (json.startsWith(':"', end)) return end + 1;
	BEHIND_A_KEY.lastIndex = end;
	return BEHIND_A_KEY.test(json) ? BEHIND_A_KEY.lastIndex : end;
}
