import {RawAnswer} from '../../http/envelope.ts';
import {okPage, PagingQuery, pageOf, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import type {TenantView} from '../../tenants/directory.ts';
import {stringifyKeepingNumbers} from '../facts/activity-text.ts';
import {findUserPoint, parseSelector} from '../user-points/selectors.ts';
import {ActivityOnWire, IdentifierOnWire} from './timelines.schema.ts';
import {type SeenIdentifier, type TimelineContext, userIdentifiers, userTimeline} from './timelines.ts';

export interface TimelinesServices extends TimelineContext {
	readonly directory: TenantView;
}

type Request = Pick<RouteRequest<undefined, unknown>, 'datamart' | 'params'>;

/** What is known of one user point: its activities and its identifiers, by the selectors of the field guide. */
export function timelinesRoutes(services: TimelinesServices): Route[] {
	const userPointOf = ({datamart, params}: Request) => {
		const text = params.compartment ? `${params.compartment}/${params.account}` : params.selector!;
		return findUserPoint(services.userPoints, datamart, parseSelector(text, datamart, services.directory));
	};
	return [
		route({
			method: 'GET',
			path: '/v1/datamarts/:datamartId/user_timelines/:selector/user_activities',
			aliases: ['/v1/datamarts/:datamartId/user_timelines/:compartment/:account/user_activities'],
			summary: 'Activities of a user point, newest first, as they were sent',
			action: 'activities:read',
			answer: {page: ActivityOnWire},
			errors: ['user_point_not_found'],
			query: PagingQuery,
			async handle(request) {
				const paging = toPaging(request.query);
				const userPointId = await userPointOf(request);
				const asked = {...services, read: request.read};
				const page = await userTimeline(asked, {datamartId: request.datamart.id, userPointId, ...paging});
				const text = stringifyKeepingNumbers(okPage(page, paging));
				return new RawAnswer(Buffer.from(text), 'application/json; charset=utf-8');
			},
		}),
		route({
			method: 'GET',
			path: '/v1/datamarts/:datamartId/user_identifiers/:selector',
			aliases: ['/v1/datamarts/:datamartId/user_identifiers/:compartment/:account'],
			summary: 'Identifiers of a user point',
			action: 'identifiers:read',
			answer: {page: IdentifierOnWire},
			errors: ['user_point_not_found'],
			query: PagingQuery,
			async handle(request) {
				const paging = toPaging(request.query);
				const userPointId = await userPointOf(request);
				const asked = {...services, read: request.read};
				const identifiers = await userIdentifiers(asked, {datamartId: request.datamart.id, userPointId});
				const items = [{type: 'USER_POINT', user_point_id: String(userPointId)}, ...identifiers.map(toWire)];
				return okPage(pageOf<object>(items, paging), paging);
			},
		}),
	];
}

/** As the field's clients read them (field guide, section 1, User data). */
function toWire({kind, text, email, compartmentId, createdMs, lastActivityMs}: SeenIdentifier): object {
	switch (kind) {
		case 'USER_ACCOUNT':
			return {type: kind, user_account_id: text, compartment_id: compartmentId, creation_ts: createdMs};
		case 'USER_AGENT':
			return {
				type: kind,
				vector_id: text,
				user_agent_id: text,
				creation_ts: createdMs,
				last_activity_ts: lastActivityMs,
				providers: [],
				mappings: [],
			};
		case 'USER_EMAIL':
			return {
				type: kind,
				hash: text,
				...(email === undefined ? {} : {email}),
				creation_ts: createdMs,
				last_activity_ts: lastActivityMs,
				providers: [],
			};
	}
}
