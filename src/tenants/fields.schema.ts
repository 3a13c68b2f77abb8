import {z} from 'zod';
import {parseId} from '../lib/ids.ts';

const NO_ID = 'must be the id of a record, a positive integer';

/** An id in a body or query: text or number on the wire, a number in the code. */
export const IdField = z.union([z.string(), z.number()], {error: NO_ID}).transform((value, context) => {
	const id = parseId(value);
	if (id !== undefined) return id;
	context.addIssue({code: 'custom', message: NO_ID});
	return z.NEVER;
});

/** A name people read: blanks at the ends are dropped, and something must be left. */
export const NameField = z.string().trim().min(1, 'must not be empty').max(255);

/** Part of paths, headers and pages: nothing that would need escaping there. */
export const TokenField = z
	.string()
	.regex(/^[A-Za-z0-9_.-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, dashes or underscores');

/** `true` or `false` in a query string. */
export const FlagQuery = z.enum(['true', 'false']).transform(text => text === 'true');

/** Explicit nulls are common in the field and mean absent. */
export function absentWhenNull<Schema extends z.ZodType>(schema: Schema) {
	return schema.nullish().transform(value => value ?? undefined);
}
