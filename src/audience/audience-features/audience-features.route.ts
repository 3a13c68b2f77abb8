import {notFound} from '../../errors.ts';
import {Nothing, ok} from '../../http/envelope.ts';
import {okPage, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import type {FinalValuesContext} from '../final-values/final-values.ts';
import {
	AudienceFeatureAnswer,
	AudienceFeatureRequest,
	AudienceFeaturesQuery,
	audienceFeatureToWire,
	FeatureSearchAnswer,
	FeatureSearchQuery,
} from './audience-features.schema.ts';
import type {AudienceFeatureStore} from './audience-features.store.ts';
import {featureOf, getFeature, searchFeatures} from './audience-features.ts';

const LIST = '/v1/datamarts/:datamartId/audience_features';
const ONE = `${LIST}/:audienceFeatureId`;

export interface AudienceFeatureServices extends Pick<FinalValuesContext, 'warehouse' | 'versions'> {
	readonly features: AudienceFeatureStore;
}

export function audienceFeatureRoutes(services: AudienceFeatureServices): Route[] {
	const {features} = services;
	const idOf = ({params}: Pick<RouteRequest<unknown, unknown>, 'params'>) =>
		parseId(params.audienceFeatureId ?? '');
	return [
		route({
			method: 'GET',
			path: `${LIST}/search`,
			summary: 'Audience features by name and folder, and by final values that their fields have',
			action: 'audience_features:read',
			query: FeatureSearchQuery,
			answer: FeatureSearchAnswer,
			async handle({datamart, query, read}) {
				const paging = toPaging(query);
				const asked = {values: query.values, keywords: query.keywords, folderId: query.folder_id};
				const found = await searchFeatures({...services, read}, datamart, asked, paging);
				return ok({
					data: {
						elements: found.items.map(audienceFeatureToWire),
						limit: paging.maxResults,
						offset: paging.firstResult,
						total_results: found.total,
					},
					infos: found.isFull ? [{info_name: 'maxFinalValueReach', info_value: 'true'}] : [],
				});
			},
		}),
		route({
			method: 'GET',
			path: LIST,
			summary: 'Audience features of a datamart',
			action: 'audience_features:read',
			query: AudienceFeaturesQuery,
			answer: {page: AudienceFeatureAnswer},
			async handle({datamart, query}) {
				const paging = toPaging(query);
				const asked = {datamartId: datamart.id, keywords: query.keywords, folderId: query.folder_id};
				const page = await features.list(asked, paging);
				return okPage({...page, items: page.items.map(audienceFeatureToWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path: LIST,
			summary:
				'Create an audience feature; its variables are read out of the expression where none are given',
			action: 'audience_features:write',
			audit: 'audience_feature_created',
			body: AudienceFeatureRequest,
			answer: AudienceFeatureAnswer,
			async handle({datamart, body}) {
				return ok(audienceFeatureToWire(await features.create(featureOf(datamart, body))));
			},
		}),
		route({
			method: 'GET',
			path: ONE,
			summary: 'One audience feature',
			action: 'audience_features:read',
			answer: AudienceFeatureAnswer,
			errors: ['audience_feature_not_found'],
			async handle(request) {
				return ok(audienceFeatureToWire(await getFeature(features, request.datamart, idOf(request))));
			},
		}),
		route({
			method: 'PUT',
			path: ONE,
			summary: 'Replace an audience feature; it keeps its token where none is given',
			action: 'audience_features:write',
			audit: 'audience_feature_changed',
			body: AudienceFeatureRequest,
			answer: AudienceFeatureAnswer,
			errors: ['audience_feature_not_found'],
			async handle(request) {
				const {datamart, body} = request;
				const present = await getFeature(features, datamart, idOf(request));
				const changed = await features.update(present.id, featureOf(datamart, body, present));
				if (!changed) throw notFound('audience_feature_not_found');
				return ok(audienceFeatureToWire(changed));
			},
		}),
		route({
			method: 'DELETE',
			path: ONE,
			summary: 'Remove an audience feature',
			action: 'audience_features:write',
			answer: Nothing,
			audit: 'audience_feature_removed',
			errors: ['audience_feature_not_found'],
			async handle(request) {
				const removed = await features.remove(request.datamart.id, idOf(request) ?? 0);
				if (!removed) throw notFound('audience_feature_not_found');
				return ok({});
			},
		}),
	];
}
