import {DomainError} from '../../errors.ts';
import type {Secrets} from '../../lib/secrets.ts';

const PURPOSE = 'activity key';
export const MAX_KEY_LENGTH = 255;

/** Keyed hashes of what makes an activity the same one when it comes again (semantics.md, Accepting an activity). */
export interface ActivityKeys {
	/** Of the record's place in a request with an `Idempotency-Key`: it is answered as the first time. */
	readonly request: Buffer | undefined;
	/** Of `$unique_key`: it is a duplicate. */
	readonly unique: Buffer | undefined;
	readonly all: readonly Buffer[];
}

const NO_KEYS: ActivityKeys = {request: undefined, unique: undefined, all: []};

/** Per datamart, so that nobody's keys meet another's. */
export function keysOf(
	secrets: Secrets,
	datamartId: number,
	uniqueKey: string | null | undefined,
	idempotencyKey: string | undefined,
	index: number,
): ActivityKeys {
	if (!uniqueKey && idempotencyKey === undefined) return NO_KEYS;
	const keyed = (text: string) => secrets.fingerprint(PURPOSE, `${datamartId}|${text}`);
	const request = idempotencyKey === undefined ? undefined : keyed(`request|${index}|${idempotencyKey}`);
	const unique = uniqueKey ? keyed(`unique|${uniqueKey}`) : undefined;
	return {request, unique, all: [request, unique].filter(key => key !== undefined)};
}

/** The `Idempotency-Key` header, where it is usable. */
export function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
	if (header === undefined || header === '') return undefined;
	if (Array.isArray(header) || header.length > MAX_KEY_LENGTH) {
		const message = `must be one text of at most ${MAX_KEY_LENGTH} characters`;
		throw new DomainError('field_invalid', `Idempotency-Key: ${message}`, {
			faults: [{pointer: 'Idempotency-Key', message}],
		});
	}
	return header;
}
