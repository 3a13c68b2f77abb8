import {okPage, toPaging} from '../http/paging.ts';
import {type Route, route} from '../http/route.ts';
import {AuditEntryOnWire, AuditQuery, auditEntryToWire} from './audit.schema.ts';
import type {AuditStore} from './audit.store.ts';

export function auditRoutes({audit}: {readonly audit: AuditStore}): Route[] {
	return [
		route({
			method: 'GET',
			path: '/v1/organisations/:organisationId/audit_events',
			summary: 'Who changed what in an organisation, when and from where, newest first',
			action: 'audit:read',
			answer: {page: AuditEntryOnWire},
			query: AuditQuery,
			async handle({params, query}) {
				const paging = toPaging(query);
				const {event, user_id: userId} = query;
				const organisationId = Number(params.organisationId);
				const page = await audit.list({organisationId, event, userId}, paging);
				return okPage({...page, items: page.items.map(auditEntryToWire)}, paging);
			},
		}),
	];
}
