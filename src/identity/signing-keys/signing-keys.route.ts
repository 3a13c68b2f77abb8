import {notFound} from '../../errors.ts';
import {Nothing, ok} from '../../http/envelope.ts';
import {okPage, PagingQuery, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import {type HolderServices, holderOf, newHolderOf} from '../holders.ts';
import {SigningKeyOnWire, SigningKeyRequest, signingKeyToWire} from './signing-keys.schema.ts';
import type {SigningKeys} from './signing-keys.ts';

const ACTION = 'signing_keys:manage';
const KEYS = '/v1/users/:userId/message_authentication_keys';
const KEY = `${KEYS}/:signingKeyId`;

/** Message authentication keys of a user: their own, or made for them by their administrator. */
export function signingKeyRoutes({
	signingKeys,
	...holders
}: HolderServices & {signingKeys: SigningKeys}): Route[] {
	type Asked = Pick<RouteRequest<unknown, unknown>, 'principal' | 'params' | 'trail'>;

	/** The user of the path; the trail is that of their organisation. */
	async function userOf({principal, params, trail}: Asked, find = holderOf): Promise<number> {
		const user = await find(holders, principal, ACTION, params.userId);
		trail.organisationId = user.organisationId;
		return user.id;
	}

	async function keyOf(asked: Asked) {
		const userId = await userOf(asked);
		const id = parseId(asked.params.signingKeyId ?? '');
		if (id === undefined) throw notFound('signing_key_not_found');
		return {id, userId};
	}

	return [
		route({
			method: 'POST',
			path: KEYS,
			summary: 'Make a message authentication key; its secret is shown in this answer alone',
			action: ACTION,
			answer: SigningKeyOnWire,
			errors: ['key_id_taken'],
			audit: 'message_authentication_key_created',
			body: SigningKeyRequest,
			async handle(request) {
				const userId = await userOf(request, newHolderOf);
				return ok(signingKeyToWire(await signingKeys.create(userId, request.body)));
			},
		}),
		route({
			method: 'GET',
			path: KEYS,
			summary: 'Message authentication keys of a user, their secrets obfuscated',
			action: ACTION,
			answer: {page: SigningKeyOnWire},
			query: PagingQuery,
			async handle(request) {
				const paging = toPaging(request.query);
				const page = await signingKeys.list(await userOf(request), paging);
				return okPage({...page, items: page.items.map(signingKeyToWire)}, paging);
			},
		}),
		route({
			method: 'GET',
			path: KEY,
			summary: 'One message authentication key, its secret obfuscated',
			action: ACTION,
			answer: SigningKeyOnWire,
			handle: async request => ok(signingKeyToWire(await signingKeys.get(await keyOf(request)))),
		}),
		route({
			method: 'DELETE',
			path: KEY,
			summary: 'Revoke a message authentication key, at once',
			action: ACTION,
			answer: Nothing,
			audit: 'message_authentication_key_revoked',
			async handle(request) {
				await signingKeys.revoke(await keyOf(request));
				return ok({});
			},
		}),
	];
}
