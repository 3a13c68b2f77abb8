import {Nothing, ok, RawAnswer} from '../../http/envelope.ts';
import {okPage, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {FORM_BYTES, uploadOf} from '../../http/upload.ts';
import {type Action, assertTheirs} from '../../identity/policy.ts';
import {parseId} from '../../lib/ids.ts';
import {AssetOnWire, AssetsQuery, assetToWire, CreateAssetQuery, describeUpload} from './assets.schema.ts';
import {type AssetServices, createAsset, getAsset, openAsset, removeAsset} from './assets.ts';

/** What a browser may show as what it says it is; all else is bytes. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Files that layouts and plugin properties name by id; `asset_files` is the field's word for them. */
export function assetRoutes(services: AssetServices): Route[] {
	const {assets, directory} = services;
	const one = {path: '/v1/assets/:assetId', aliases: ['/v1/asset_files/:assetId']};
	const assetOf = (
		{principal, params}: Pick<RouteRequest<unknown, unknown>, 'principal' | 'params'>,
		action: Action,
	) => getAsset(services, principal, action, parseId(params.assetId ?? ''));
	return [
		route({
			method: 'POST',
			path: '/v1/assets',
			aliases: ['/v1/asset_files'],
			summary: 'Keep a file for plugins to show: a form with a file, or the file itself',
			action: 'assets:write',
			audit: 'asset_created',
			query: CreateAssetQuery,
			body: 'stream',
			maxBodyBytes: services.maxFileBytes + FORM_BYTES,
			answer: AssetOnWire,
			errors: ['organisation_not_found', 'store_unavailable'],
			async handle({principal, query, headers, stream}) {
				const {organisation_id: organisationId} = query;
				assertTheirs(principal, 'assets:write', organisationId, directory, 'organisation_not_found');
				const {name, contentType, content} = await uploadOf(headers, stream);
				const about = describeUpload(query.name ?? name, contentType);
				return ok(assetToWire(await createAsset(services, {organisationId, ...about}, content)));
			},
		}),
		route({
			method: 'GET',
			path: '/v1/assets',
			aliases: ['/v1/asset_files'],
			summary: 'Assets of an organisation',
			action: 'assets:read',
			query: AssetsQuery,
			answer: {page: AssetOnWire},
			errors: ['organisation_not_found'],
			async handle({principal, query}) {
				const {organisation_id: organisationId, keywords} = query;
				assertTheirs(principal, 'assets:read', organisationId, directory, 'organisation_not_found');
				const paging = toPaging(query);
				const page = await assets.list({organisationId, keywords}, paging);
				return okPage({...page, items: page.items.map(assetToWire)}, paging);
			},
		}),
		route({
			...one,
			method: 'GET',
			summary: 'One asset',
			action: 'assets:read',
			answer: AssetOnWire,
			errors: ['asset_not_found'],
			handle: async request => ok(assetToWire(await assetOf(request, 'assets:read'))),
		}),
		route({
			method: 'GET',
			path: '/v1/assets/:assetId/data',
			aliases: ['/v1/asset_files/:assetId/data'],
			summary: 'The bytes of an asset',
			action: 'assets:read',
			answer: 'bytes',
			errors: ['asset_not_found', 'store_unavailable'],
			async handle(request) {
				const asset = await assetOf(request, 'assets:read');
				const type = SHOWN.has(asset.mimeType) ? asset.mimeType : undefined;
				const content = await openAsset(services, asset);
				return new RawAnswer(content, type, {etag: asset.sha256, length: asset.bytes});
			},
		}),
		route({
			...one,
			method: 'DELETE',
			summary: 'Remove an asset',
			action: 'assets:write',
			answer: Nothing,
			audit: 'asset_removed',
			errors: ['asset_not_found'],
			async handle(request) {
				const asset = await assetOf(request, 'assets:write');
				await removeAsset(services, asset);
				request.trail.organisationId = asset.organisationId;
				return ok({});
			},
		}),
	];
}
