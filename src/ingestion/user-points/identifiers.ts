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
	const account = (holder: Holder) => {
		const compartmentId = Number(holder.$compartment_id ?? defaultCompartmentId);
		take(places, holder, '$user_account_id', text => ({kind: 'USER_ACCOUNT', compartmentId, text}));
	};
	const agent = (holder: Holder) =>
		take(places, holder, '$user_agent_id', text => ({kind: 'USER_AGENT', compartmentId: undefined, text}));
	const email = (holder: Holder) =>
		take(places, holder, '$hash', text => ({
			kind: 'USER_EMAIL',
			compartmentId: undefined,
			text,
			...(typeof holder.$email === 'string' && holder.$email !== '' ? {email: holder.$email} : {}),
		}));
	const takers: Readonly<Record<string, (holder: Holder) => void>> = {
		USER_ACCOUNT: account,
		USER_AGENT: agent,
		USER_EMAIL: email,
	};
	for (const holder of activity.$user_identifiers ?? []) takers[holder.$type]?.(holder as unknown as Holder);
	account(activity as Holder);
	agent(activity as Holder);
	if (activity.$email_hash) email(activity.$email_hash as unknown as Holder);
	return places;
}

type Holder = Record<string, unknown>;

function take(
	places: IdentifierPlace[],
	holder: Holder,
	key: string,
	identify: (text: string) => Identifier,
): void {
	const text = holder[key];
	if (typeof text === 'string') places.push({holder, key, identifier: identify(text)});
}
