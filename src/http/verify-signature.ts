import type {IncomingHttpHeaders, IncomingMessage} from 'node:http';
import type {GuardLookup} from '../identity/lookup-throttle.ts';
import type {Signature} from '../identity/signing-keys/signature.ts';
import type {Signed} from '../identity/signing-keys/signing-keys.ts';

/** Errors: `signature_invalid`, `store_unavailable`, those of `readBody` and of the guard. */
export type VerifySignature = (
	signature: Signature,
	path: string,
	readBody: (() => Promise<Buffer>) | undefined,
	guard?: GuardLookup,
) => Promise<Signed>;

/** What the door needs for signed requests. */
export interface SignedRequests {
	/** What the headers claim; undefined where none of them speaks of a signature. */
	readonly signatureOf: (headers: IncomingHttpHeaders) => Signature | undefined;
	readonly verify: VerifySignature;
}

/** Each brand word has its three headers: `X-<brand>-Mac`, `-Key-Id`, `-Ts`; those of one brand are read together. */
export function signedRequests(brands: readonly string[], verify: VerifySignature): SignedRequests {
	const names = brands.map(brand => ({
		mac: `x-${brand.toLowerCase()}-mac`,
		keyId: `x-${brand.toLowerCase()}-key-id`,
		ts: `x-${brand.toLowerCase()}-ts`,
	}));
	return {
		verify,
		signatureOf(headers) {
			for (const {mac, keyId, ts} of names) {
				if (headers[mac] === undefined && headers[keyId] === undefined && headers[ts] === undefined) continue;
				// What is missing is as wrong as what does not fit.
				return {mac: one(headers[mac]), keyId: one(headers[keyId]), ts: one(headers[ts])};
			}
			return undefined;
		},
	};
}

function one(value: string | string[] | undefined): string {
	return typeof value === 'string' ? value : '';
}

/** The path as it was called: not decoded, without the query (decisions.md, Tokens and signatures). */
export function pathAsCalled({url = ''}: IncomingMessage): string {
	const query = url.indexOf('?');
	return query === -1 ? url : url.slice(0, query);
}
