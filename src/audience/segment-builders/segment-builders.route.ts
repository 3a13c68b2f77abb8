import {Nothing, ok} from '../../http/envelope.ts';
import {okPage, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import {
	SegmentBuilderChangeRequest,
	SegmentBuilderOnWire,
	SegmentBuilderRequest,
	SegmentBuildersQuery,
	segmentBuilderToWire,
} from './segment-builders.schema.ts';
import type {SegmentBuilderStore} from './segment-builders.store.ts';
import {
	createSegmentBuilder,
	getSegmentBuilder,
	removeSegmentBuilder,
	updateSegmentBuilder,
} from './segment-builders.ts';

const NAMES = ['audience_builders', 'standard_segment_builders'];
const [PATH = '', ...ALIASES] = NAMES.map(name => `/v1/datamarts/:datamartId/${name}`);
const ONE = {path: `${PATH}/:builderId`, aliases: ALIASES.map(path => `${path}/:builderId`)};

type Asked = Pick<RouteRequest<unknown, unknown>, 'datamart' | 'params'>;

/** Segment builders under the specification's name and the one clients use now (field guide, section 0). */
export function segmentBuilderRoutes({builders}: {readonly builders: SegmentBuilderStore}): Route[] {
	// What is no id is nobody's builder.
	const keyOf = ({datamart, params}: Asked) => ({
		id: parseId(params.builderId ?? '') ?? 0,
		datamartId: datamart.id,
	});
	return [
		route({
			method: 'GET',
			path: PATH,
			aliases: ALIASES,
			summary: 'Segment builders of a datamart',
			action: 'segment_builders:read',
			query: SegmentBuildersQuery,
			answer: {page: SegmentBuilderOnWire},
			async handle({datamart, query}) {
				const paging = toPaging(query);
				const {keywords} = query;
				const page = await builders.list({datamartId: datamart.id, keywords}, paging);
				return okPage({...page, items: page.items.map(segmentBuilderToWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path: PATH,
			aliases: ALIASES,
			summary: 'Make a segment builder; a datamart has at most 20',
			action: 'segment_builders:write',
			audit: 'segment_builder_created',
			body: SegmentBuilderRequest,
			answer: SegmentBuilderOnWire,
			errors: ['segment_builders_excessive'],
			async handle({datamart, body}) {
				const builder = segmentBuilderToWire(await createSegmentBuilder(builders, datamart.id, body));
				// The specification's answer carries the paging fields too.
				const page = okPage({items: [builder], total: 1}, {firstResult: 0, maxResults: 50});
				return {...page, data: builder};
			},
		}),
		route({
			...ONE,
			method: 'GET',
			summary: 'One segment builder',
			action: 'segment_builders:read',
			answer: SegmentBuilderOnWire,
			errors: ['segment_builder_not_found'],
			handle: async request => ok(segmentBuilderToWire(await getSegmentBuilder(builders, keyOf(request)))),
		}),
		route({
			...ONE,
			method: 'PUT',
			summary: 'Change a segment builder; what is absent stays',
			action: 'segment_builders:write',
			audit: 'segment_builder_changed',
			body: SegmentBuilderChangeRequest,
			answer: SegmentBuilderOnWire,
			errors: ['segment_builder_not_found'],
			handle: async request =>
				ok(segmentBuilderToWire(await updateSegmentBuilder(builders, keyOf(request), request.body))),
		}),
		route({
			...ONE,
			method: 'DELETE',
			summary: 'Remove a segment builder; the file of its dashboard stays',
			action: 'segment_builders:write',
			answer: Nothing,
			audit: 'segment_builder_removed',
			errors: ['segment_builder_not_found'],
			async handle(request) {
				await removeSegmentBuilder(builders, keyOf(request));
				return ok({});
			},
		}),
	];
}
