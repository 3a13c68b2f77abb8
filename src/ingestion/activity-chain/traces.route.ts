import {ok} from '../../http/envelope.ts';
import {okPage, toPaging} from '../../http/paging.ts';
import {type Route, route} from '../../http/route.ts';
import {TraceAnswer, TracesQuery, traceToWire} from './traces.schema.ts';
import {getTrace, listTraces, type ReadTraces} from './traces.ts';

const LIST = '/v1/datamarts/:datamartId/activity_traces';

/** How activities went through the analyzers of their channels: administrators see each step, its time and its error. */
export function activityTraceRoutes(traces: ReadTraces): Route[] {
	return [
		route({
			method: 'GET',
			path: LIST,
			summary: 'Ways of the last days’ activities through their analyzers, newest first',
			action: 'activity_traces:read',
			query: TracesQuery,
			answer: {page: TraceAnswer},
			async handle({datamart, query, read}) {
				const paging = toPaging(query);
				const page = await listTraces({...traces, read}, datamart, query.asked, paging);
				return okPage({...page, items: page.items.map(item => traceToWire(datamart.id, item))}, paging);
			},
		}),
		route({
			method: 'GET',
			path: `${LIST}/:activityId`,
			summary:
				'One activity’s way through its analyzers, by the id of its trace, its $unique_key or an error id it carries',
			action: 'activity_traces:read',
			answer: TraceAnswer,
			errors: ['activity_trace_not_found'],
			async handle({datamart, params, read}) {
				const trace = await getTrace({...traces, read}, datamart, params.activityId ?? '');
				return ok(traceToWire(datamart.id, trace));
			},
		}),
	];
}
