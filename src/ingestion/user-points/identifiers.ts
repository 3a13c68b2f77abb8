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

/**
 * Every identifier of an activity, in both forms the field sends: `$user_identifiers`, and at the root
 * `$user_agent_id`, `$user_account_id` with `$compartment_id`, `$email_hash` (field guide, section 3).
 */
export function identifierPlaces(activity: WireActivity, defaultCompartmentId: number): IdentifierPlace[] {
	const places: IdentifierPlace[] = [];
	for (const holder of activity.$user_identifiers ?? []) {
		takeOfKind(places, holder.$type, holder as unknown as Holder, defaultCompartmentId);
	}
	const root = activity as Holder;
	takeOfKind(places, 'USER_ACCOUNT', root, defaultCompartmentId);
	takeOfKind(places, 'USER_AGENT', root, defaultCompartmentId);
	if (activity.$email_hash) {
		takeOfKind(places, 'USER_EMAIL', activity.$email_hash as unknown as Holder, defaultCompartmentId);
	}
	return places;
}

type Holder = Record<string, unknown>;

/** The key that an identifier of each kind has its text under. */
const TEXT_KEYS: Readonly<Record<IdentifierKind, string>> = {
	USER_ACCOUNT: '$user_account_id',
	USER_AGENT: '$user_agent_id',
	USER_EMAIL: '$hash',
};

function takeOfKind(
	places: IdentifierPlace[],
	kind: string,
	holder: Holder,
	defaultCompartmentId: number,
): void {
	const key = TEXT_KEYS[kind as IdentifierKind];
	const text = key === undefined ? undefined : holder[key];
	if (typeof text !== 'string') return;
	const {$email: email} = holder;
	places.push({
		holder,
		key: key!,
		identifier: {
			kind: kind as IdentifierKind,
			compartmentId:
				kind === 'USER_ACCOUNT' ? Number(holder.$compartment_id ?? defaultCompartmentId) : undefined,
			text,
			...(kind === 'USER_EMAIL' && typeof email === 'string' && email !== '' ? {email} : {}),
		},
	});
}
