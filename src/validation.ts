import type {z} from 'zod';
import {DomainError, ERROR_CODES, type ErrorCode, type Fault} from './errors.ts';

const knownCodes: ReadonlySet<string> = new Set(ERROR_CODES);

/** A zod issue may carry its own error code: `ctx.addIssue({code: 'custom', params: {code: 'dimension_unknown'}})`. */
function codeOf(issue: z.core.$ZodIssue): ErrorCode {
	const code = issue.code === 'custom' ? issue.params?.code : undefined;
	return typeof code === 'string' && knownCodes.has(code) ? (code as ErrorCode) : 'field_invalid';
}

/** A JSON pointer (RFC 6901) for a body, `?name` for a query. */
function pointerOf(path: readonly PropertyKey[], place: 'body' | 'query'): string {
	if (place === 'query') return `?${path.join('.')}`;
	return path.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Every fault of a ZodError, each with its pointer. */
export function faultsOf(error: z.ZodError, place: 'body' | 'query' = 'body'): Fault[] {
	return error.issues.map(issue => ({pointer: pointerOf(issue.path, place), message: issue.message}));
}

/** The value as its schema sees it; otherwise a DomainError that names every faulty field. */
export function parseWith<Schema extends z.ZodType>(
	schema: Schema,
	value: unknown,
	place: 'body' | 'query' = 'body',
): z.output<Schema> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const faults = faultsOf(result.error, place);
	const first = faults[0];
	throw new DomainError(
		codeOf(result.error.issues[0]!),
		first ? `${first.pointer || 'body'}: ${first.message}` : 'invalid',
		{faults},
	);
}
