import {notFound} from '../../errors.ts';
import {Nothing, ok} from '../../http/envelope.ts';
import {okPage, PagingQuery, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import {type HolderServices, holderOf, newHolderOf} from '../holders.ts';
import {ApiTokenChangeRequest, ApiTokenOnWire, ApiTokenRequest, apiTokenToWire} from './api-tokens.schema.ts';
import type {ApiTokens} from './api-tokens.ts';

const ACTION = 'api_tokens:manage';
const TOKENS = '/v1/users/:userId/api_tokens';
const TOKEN = `${TOKENS}/:tokenId`;

/** Long-term tokens of a user: their own, or made for them by their administrator; with an access token only. */
export function apiTokenRoutes({apiTokens, ...holders}: HolderServices & {apiTokens: ApiTokens}): Route[] {
	type Asked = Pick<RouteRequest<unknown, unknown>, 'principal' | 'params' | 'trail'>;

	/** The user of the path; the trail is that of their organisation. */
	async function userOf({principal, params, trail}: Asked, find = holderOf): Promise<number> {
		const user = await find(holders, principal, ACTION, params.userId);
		trail.organisationId = user.organisationId;
		return user.id;
	}

	async function keyOf(asked: Asked) {
		const userId = await userOf(asked);
		const id = parseId(asked.params.tokenId ?? '');
		if (id === undefined) throw notFound('api_token_not_found');
		return {id, userId};
	}

	return [
		route({
			method: 'POST',
			path: TOKENS,
			summary: 'Make an API token; its value is shown in this answer alone',
			action: ACTION,
			answer: ApiTokenOnWire,
			audit: 'api_token_created',
			body: ApiTokenRequest,
			async handle(request) {
				const userId = await userOf(request, newHolderOf);
				return ok(apiTokenToWire(await apiTokens.create(userId, request.body)));
			},
		}),
		route({
			method: 'GET',
			path: TOKENS,
			summary: 'API tokens of a user, their values masked',
			action: ACTION,
			answer: {page: ApiTokenOnWire},
			query: PagingQuery,
			async handle(request) {
				const paging = toPaging(request.query);
				const page = await apiTokens.list(await userOf(request), paging);
				const answer = okPage({...page, items: page.items.map(apiTokenToWire)}, paging);
				// The specification's list shows both spellings.
				return {...answer, max_result: answer.max_results};
			},
		}),
		route({
			method: 'GET',
			path: TOKEN,
			summary: 'One API token, its value masked',
			action: ACTION,
			answer: ApiTokenOnWire,
			handle: async request => ok(apiTokenToWire(await apiTokens.get(await keyOf(request)))),
		}),
		route({
			method: 'PUT',
			path: TOKEN,
			summary: 'Rename an API token',
			action: ACTION,
			answer: ApiTokenOnWire,
			audit: 'api_token_renamed',
			body: ApiTokenChangeRequest,
			handle: async request =>
				ok(apiTokenToWire(await apiTokens.rename(await keyOf(request), request.body.name))),
		}),
		route({
			method: 'DELETE',
			path: TOKEN,
			summary: 'Revoke an API token, at once',
			action: ACTION,
			answer: Nothing,
			audit: 'api_token_revoked',
			async handle(request) {
				await apiTokens.revoke(await keyOf(request));
				return ok({});
			},
		}),
	];
}
