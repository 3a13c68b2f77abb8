import {DomainError} from '../../errors.ts';
import type {Secrets} from '../../lib/secrets.ts';

const PURPOSE = 'activity key';
export const MAX_KEY_LENGTH = 255;

/** Keyed hashes of what makes an activity the same one when it comes again (semantics.md, Accepting an activity). */
export interface ActivityKeys {
	/** Of the record's place in a signed request, or in one with an `Idempotency-Key`: it is answered as the first time. */
	readonly request: readonly Buffer[];
	/** These, and that of `$unique_key`, by which it is a duplicate. */
	readonly all: readonly Buffer[];
}

const NO_KEYS: ActivityKeys = {request: [], all: []};

/** What a request may bring that tells it apart from others. */
export interface RequestKeys {
	readonly idempotencyKey?: string | undefined;
	/** Of its signature. It counts beside the header's key, which a stranger who sends it again could change. */
	readonly mac?: string | undefined;
}

/** Per datamart, so that nobody's keys meet another's. */
export function keysOf(
	secrets: Secrets,
	datamartId: number,
	uniqueKey: string | null | undefined,
	{idempotencyKey, mac}: RequestKeys,
	index: number,
): ActivityKeys {
	if (!uniqueKey && idempotencyKey === undefined && mac === undefined) return NO_KEYS;
	// No function that holds on to these: inlined, its context made Node 20.20 crash (docs/adr/0017).
	const request: Buffer[] = [];
	if (idempotencyKey !== undefined) {
		request.push(keyOf(secrets, datamartId, `request|${index}|${idempotencyKey}`));
	}
	if (mac !== undefined) request.push(keyOf(secrets, datamartId, `signed|${index}|${mac}`));
	return {request, all: uniqueKey ? [...request, uniqueKeyOf(secrets, datamartId, uniqueKey)] : request};
}

function keyOf(secrets: Secrets, datamartId: number, text: string): Buffer {
	return secrets.fingerprint(PURPOSE, `${datamartId}|${text}`);
}

/** What a `$unique_key` is known by. */
export function uniqueKeyOf(secrets: Secrets, datamartId: number, uniqueKey: string): Buffer {
	return keyOf(secrets, datamartId, `unique|${uniqueKey}`);
}

/** Of a line of a document import, so that it is accepted once however often its execution begins again. */
export function lineKey(
	secrets: Secrets,
	datamartId: number,
	{executionId, line}: {readonly executionId: number; readonly line: number},
	uniqueKey: string | undefined,
): ActivityKeys {
	const request = [keyOf(secrets, datamartId, `line|${executionId}|${line}`)];
	return {request, all: uniqueKey ? [...request, uniqueKeyOf(secrets, datamartId, uniqueKey)] : request};
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
