import {DomainError, notFound} from '../../errors.ts';
import {parseJson} from '../../http/body.ts';
import {Nothing, ok} from '../../http/envelope.ts';
import {okPage, PagingQuery, pageOf, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {parseSelector, type Selector} from '../../ingestion/user-points/selectors.ts';
import type {TenantView} from '../../tenants/directory.ts';
import {parseWith} from '../../validation.ts';
import {MembershipOnWire, MembershipRequest, membershipToWire, SegmentId} from './user-segments.schema.ts';
import {enterSegment, leaveSegment, type SegmentServices, segmentsOf} from './user-segments.ts';

export interface UserSegmentsServices extends SegmentServices {
	readonly directory: TenantView;
}

type Asked = Pick<RouteRequest<unknown, unknown>, 'datamart' | 'params' | 'principal'>;

const OF_USER_POINT = '/v1/datamarts/:datamartId/user_points/:selector/user_segments';
const FIELD = '/v1/datamarts/:datamartId/user_segments';

/** Segments of a person, by the three forms of the specification, by the user point's id, and as the field spells it. */
export function userSegmentsRoutes({directory, ...services}: UserSegmentsServices): Route[] {
	const selectorOf = ({datamart, params, principal}: Asked): Selector => {
		const text = params.compartment ? `${params.compartment}/${params.account}` : params.selector!;
		const selector = parseSelector(text, datamart, directory);
		const isSigned = principal.kind === 'user' && principal.credential === 'signature';
		if (isSigned && 'userPointId' in selector) {
			throw new DomainError(
				'role_insufficient',
				'A signature asks by an identifier, not by the user point’s id',
			);
		}
		return selector;
	};
	const list = {
		method: 'GET',
		answer: {page: MembershipOnWire},
		query: PagingQuery,
		async handle(request: RouteRequest<undefined, unknown>) {
			const paging = toPaging(parseWith(PagingQuery, request.query, 'query'));
			const asked = {...services, read: request.read};
			const memberships = await segmentsOf(asked, request.datamart, selectorOf(request));
			return okPage(pageOf(memberships.map(membershipToWire), paging), paging);
		},
	} as const;
	return [
		route({
			...list,
			path: OF_USER_POINT,
			summary: 'Segments a person is in now',
			action: 'segments:read',
		}),
		route({
			...list,
			path: `${FIELD}/:selector`,
			aliases: [`${FIELD}/:compartment/:account`],
			summary: 'Segments a person is in now, as clients in the field ask for them; cannot be signed',
			action: 'memberships:read',
		}),
		...writeRoutes(services, selectorOf),
	];
}

function writeRoutes(services: SegmentServices, selectorOf: (asked: Asked) => Selector): Route[] {
	const path = `${OF_USER_POINT}/:segmentId`;
	const segmentOf = ({params}: Asked): string => {
		const {data} = SegmentId.safeParse(params.segmentId);
		if (data === undefined) throw notFound('user_segment_not_found');
		return data;
	};
	return [
		route({
			method: 'PUT',
			path,
			summary: 'Put a person into a segment, or change the membership: data_bag, expiration_ts',
			action: 'memberships:write',
			answer: MembershipOnWire,
			errors: ['json_malformed', 'field_invalid'],
			body: 'raw',
			accepts: {'application/json': MembershipRequest},
			maxBodyBytes: 64 * 1024,
			async handle(request) {
				const body = parseWith(MembershipRequest, request.bytes.length === 0 ? {} : parseJson(request.bytes));
				const membership = {...body, segmentId: segmentOf(request)};
				const asked = {...services, read: request.read};
				const entered = await enterSegment(asked, request.datamart, selectorOf(request), membership);
				return ok(membershipToWire(entered));
			},
		}),
		route({
			method: 'DELETE',
			path,
			summary: 'Take a person out of a segment',
			action: 'memberships:write',
			answer: Nothing,
			async handle(request) {
				await leaveSegment(
					{...services, read: request.read},
					request.datamart,
					selectorOf(request),
					segmentOf(request),
				);
				return ok({});
			},
		}),
	];
}
