import {z} from 'zod';
import {NamedIdentifier} from '../user-points/identifiers.schema.ts';

/** Identifiers of one person (field guide, section 1, "Signature authentication in the wild"). */
export const AssociationBody = z.looseObject({identifiers: z.array(NamedIdentifier).min(1).max(1000)});

/** `async=true` answers once the declaration is durable. */
export const AssociationQuery = z.looseObject({
	async: z
		.enum(['true', 'false'])
		.default('false')
		.transform(value => value === 'true'),
});

export const AssociationAnswer = z.object({});
