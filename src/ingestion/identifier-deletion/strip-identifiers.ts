import type {WireActivity} from '../facts/activity.ts';
import {parseKeepingNumbers, stringifyKeepingNumbers} from '../facts/activity-text.ts';
import type {JournalRecord} from '../journal/record.ts';
import {type Identifier, type IdentifierPlace, identifierPlaces} from '../user-points/identifiers.ts';

/** The identifiers a record brings; undefined where it cannot be read as an activity. */
export function identifiersIn(record: JournalRecord): readonly Identifier[] | undefined {
	return placesIn(record)?.places.map(({identifier}) => identifier);
}

/** The record without those identifiers: with the rest of it, it can still be replayed. Undefined where it has none. */
export function withoutIdentifiers(
	record: JournalRecord,
	isGone: (identifier: Identifier) => boolean,
): JournalRecord | undefined {
	const found = placesIn(record);
	const gone = found?.places.filter(({identifier}) => isGone(identifier)) ?? [];
	if (!found || gone.length === 0) return undefined;
	const holders = new Set(gone.map(({holder}) => holder));
	const activity = found.activity as Record<string, unknown>;
	if (Array.isArray(activity.$user_identifiers)) {
		activity.$user_identifiers = activity.$user_identifiers.filter(each => !holders.has(each));
	}
	if (holders.has(activity.$email_hash as IdentifierPlace['holder'])) delete activity.$email_hash;
	for (const {holder, key} of gone) if (holder === activity) delete activity[key];
	return {...record, body: Buffer.from(stringifyKeepingNumbers(activity))};
}

function placesIn({body, defaultCompartmentId}: JournalRecord) {
	try {
		const activity = parseKeepingNumbers(body.toString('utf8'));
		return {activity, places: identifierPlaces(activity as unknown as WireActivity, defaultCompartmentId)};
	} catch {
		return undefined;
	}
}
