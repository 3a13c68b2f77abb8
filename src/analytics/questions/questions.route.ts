import {ok} from '../../http/envelope.ts';
import {okPage, PagingQuery, pageOf, toPaging} from '../../http/paging.ts';
import {type Route, route} from '../../http/route.ts';
import {CancelledWire, QueryWire, queryToWire} from './questions.schema.ts';
import type {Questions} from './questions.ts';

/** What is being asked now, of this instance; ids are those of the answers' `X-Query-Id`. */
export function questionsRoutes({questions}: {readonly questions: Questions}): Route[] {
	const path = '/v1/queries/:queryId';
	return [
		route({
			method: 'GET',
			path: '/v1/queries',
			summary: 'Queries that run or wait: one’s own, and those of organisations one administers',
			action: 'authenticated',
			query: PagingQuery,
			answer: {page: QueryWire},
			async handle({principal, query}) {
				const paging = toPaging(query);
				const open = questions.visibleTo(principal).map(queryToWire);
				return okPage(pageOf(open, paging), paging);
			},
		}),
		route({
			method: 'GET',
			path,
			summary: 'A query that runs or waits',
			action: 'authenticated',
			answer: QueryWire,
			errors: ['query_not_found'],
			async handle({principal, params}) {
				return ok(queryToWire(questions.get(principal, params.queryId!)));
			},
		}),
		route({
			method: 'DELETE',
			path,
			summary: 'Cancel a query: whoever waits for it is answered query_cancelled at once',
			action: 'authenticated',
			audit: 'query_cancelled',
			answer: CancelledWire,
			errors: ['query_not_found'],
			async handle({principal, params, trail}) {
				const question = questions.get(principal, params.queryId!);
				trail.organisationId = question.organisationId;
				question.cancel();
				return ok({});
			},
		}),
	];
}
