import {DomainError} from '../../errors.ts';
import type {Datamart, TenantView} from '../../tenants/directory.ts';
import {parseWith} from '../../validation.ts';
import type {Journal} from '../journal/journal.ts';
import {type Compartments, identifierOf} from '../user-points/identifiers.schema.ts';
import {AssociationBody} from './identifier-associations.schema.ts';

export interface AssociationContext {
	readonly journal: Journal;
	readonly directory: TenantView;
}

/**
 * Declares that identifiers are one person's; answers the declaration's arrival once it is durable. It takes the way of
 * activities, so that it comes behind those accepted before it and before those accepted after it. Known identifiers of
 * several user points merge these (semantics.md, User points). Errors: those of the schema, `compartment_unknown`, the
 * journal's.
 */
export async function associate(
	{journal, directory}: AssociationContext,
	datamart: Datamart,
	value: unknown,
): Promise<number> {
	const compartments = compartmentsOf(directory, datamart);
	const [arrival] = await journal.append([
		{
			datamartId: datamart.id,
			defaultCompartmentId: compartments.defaultId,
			receivedMs: Date.now(),
			rows: 1,
			userAgent: '',
			body: associationBody(value, compartments),
			association: true,
		},
	]);
	return arrival!;
}

export function compartmentsOf(directory: TenantView, datamart: Pick<Datamart, 'id'>): Compartments {
	return {
		ids: directory.compartmentsOf(datamart.id).map(({id}) => id),
		defaultId: directory.defaultCompartment(datamart.id)?.id ?? 0,
	};
}

/** Identifiers of one person as the journal keeps them. Errors: those of the schema, `compartment_unknown`. */
export function associationBody(value: unknown, compartments: Compartments): Buffer {
	const {identifiers} = parseWith(AssociationBody, value);
	const $user_identifiers = identifiers.map((named, index) => {
		const identifier = identifierOf(named, compartments);
		if (!identifier) throw unknownCompartment(`/identifiers/${index}/compartment_id`);
		const {kind, compartmentId, text, email} = identifier;
		if (kind === 'USER_ACCOUNT') return {$type: kind, $compartment_id: compartmentId, $user_account_id: text};
		if (kind === 'USER_AGENT') return {$type: kind, $user_agent_id: text};
		return {$type: kind, $hash: text, ...(email === undefined ? {} : {$email: email})};
	});
	return Buffer.from(JSON.stringify({$user_identifiers}));
}

export function unknownCompartment(pointer: string): DomainError {
	const message = 'is no compartment of the datamart';
	return new DomainError('compartment_unknown', `${pointer}: ${message}`, {faults: [{pointer, message}]});
}
