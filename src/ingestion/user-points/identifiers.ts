import type {Secrets} from '../../lib/secrets.ts';
import type {WireActivity} from '../facts/activity.ts';

export type IdentifierKind = 'USER_ACCOUNT' | 'USER_AGENT' | 'USER_EMAIL';

/** One way to tell a person: unique in its datamart by kind, compartment and text. */
export interface Identifier {
	readonly kind: IdentifierKind;
	/** Of accounts only. */
	readonly compartmentId: number | undefined;
	/** Account id, user agent id or e-mail hash. */
	readonly text: string;
	/** The address behind an e-mail hash, where a client sent it. */
	readonly email?: string;
}

/** Where an identifier's text stands in an activity, so that it can be replaced by a reference and put back. */
export interface IdentifierPlace {
	readonly identifier: Identifier;
	/** The object that holds it and the key of its text. */
	readonly holder: Record<string, unknown>;
	readonly key: string;
}

/** One text for one identifier; the separator cannot occur in the parts before it. */
export function canonical(identifier: Identifier): string {
	return `${identifier.kind}|${identifier.compartmentId ?? ''}|${identifier.text}`;
}

const KEY_PURPOSE = 'identifier key';

/** The keyed hash an identifier is looked up by, 16 bytes: its text cannot be found from it. */
export function identifierKey(secrets: Secrets, identifier: Identifier): Buffer {
	return secrets.fingerprint(KEY_PURPOSE, canonical(identifier));
}

/**
 * Every identifier of an activity, in both forms the field sends: `$user_identifiers`, and at the root
 * `$user_agent_id`, `$user_account_id` with `$compartment_id`, `$email_hash` (field guide, section 3).
 */
export function identifierPlaces(activity: WireActivity, defaultCompartmentId: number): IdentifierPlace[] {
	const places: IdentifierPlace[] = [];
	for (const slot of identifierSlots(activity)) {
		const text = slot.holder[slot.key];
		if (typeof text !== 'string') continue;
		const {$email: email, $compartment_id: compartment} = slot.holder;
		places.push({
			holder: slot.holder,
			key: slot.key,
			identifier: {
				kind: slot.kind,
				compartmentId: slot.kind === 'USER_ACCOUNT' ? Number(compartment ?? defaultCompartmentId) : undefined,
				text,
				...(slot.kind === 'USER_EMAIL' && typeof email === 'string' && email !== '' ? {email} : {}),
			},
		});
	}
	return places;
}

type Holder = Record<string, unknown>;

/** Where an identifier of a kind has its text, or where a kept activity refers to one. */
export interface IdentifierSlot {
	readonly kind: IdentifierKind;
	readonly holder: Holder;
	readonly key: string;
}

/** The key that an identifier of each kind has its text under. */
const TEXT_KEYS: Readonly<Record<IdentifierKind, string>> = {
	USER_ACCOUNT: '$user_account_id',
	USER_AGENT: '$user_agent_id',
	USER_EMAIL: '$hash',
};

/** Every place of an activity that can name an identifier, and no other: the keys of other kinds are the sender's own. */
export function identifierSlots(activity: WireActivity): IdentifierSlot[] {
	const slots: IdentifierSlot[] = [];
	for (const holder of activity.$user_identifiers ?? []) {
		addSlot(slots, holder.$type, holder as unknown as Holder);
	}
	addSlot(slots, 'USER_ACCOUNT', activity as Holder);
	addSlot(slots, 'USER_AGENT', activity as Holder);
	if (activity.$email_hash) addSlot(slots, 'USER_EMAIL', activity.$email_hash as unknown as Holder);
	return slots;
}

function addSlot(slots: IdentifierSlot[], kind: string, holder: Holder): void {
	const key = TEXT_KEYS[kind as IdentifierKind];
	if (key !== undefined && holder[key] != null) slots.push({kind: kind as IdentifierKind, holder, key});
}
