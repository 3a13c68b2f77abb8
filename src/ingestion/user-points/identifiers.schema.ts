import {z} from 'zod';
import {IdentifierText} from '../user-activities/user-activities.schema.ts';
import type {Identifier} from './identifiers.ts';

const CompartmentId = z.union([z.string(), z.number()]).nullish();

/** An identifier outside of an activity, where names carry no `$` (field guide, section 1). */
export const NamedIdentifier = z.discriminatedUnion('type', [
	z.looseObject({
		type: z.literal('USER_ACCOUNT'),
		user_account_id: IdentifierText,
		compartment_id: CompartmentId,
	}),
	z.looseObject({type: z.literal('USER_EMAIL'), hash: IdentifierText, email: z.string().max(2048).nullish()}),
	z.looseObject({type: z.literal('USER_AGENT'), user_agent_id: IdentifierText}),
]);
export type NamedIdentifier = z.output<typeof NamedIdentifier>;

/** The compartments an account may be in: those of its datamart. */
export interface Compartments {
	readonly ids: readonly number[];
	readonly defaultId: number;
}

/** The identifier meant; undefined where its compartment is none of the datamart's. */
export function identifierOf(named: NamedIdentifier, compartments: Compartments): Identifier | undefined {
	switch (named.type) {
		case 'USER_ACCOUNT': {
			const compartmentId = compartmentOf(named.compartment_id, compartments);
			return compartmentId === undefined
				? undefined
				: {kind: 'USER_ACCOUNT', compartmentId, text: named.user_account_id};
		}
		case 'USER_EMAIL':
			return {
				kind: 'USER_EMAIL',
				compartmentId: undefined,
				text: named.hash,
				...(named.email ? {email: named.email} : {}),
			};
		case 'USER_AGENT':
			return {kind: 'USER_AGENT', compartmentId: undefined, text: named.user_agent_id};
	}
}

/** Ids compare as strings on the wire; none means the default one. */
export function compartmentOf(
	id: string | number | null | undefined,
	{ids, defaultId}: Compartments,
): number | undefined {
	if (id == null || id === '') return defaultId;
	return ids.find(each => String(each) === String(id));
}
