import {z} from 'zod';
import {PagingQuery} from '../http/paging.ts';
import {parseId} from '../lib/ids.ts';
import {AUDIT_EVENTS, type StoredAuditEntry} from './audit.ts';

export const AuditQuery = z.looseObject({
	...PagingQuery.shape,
	event: z.enum(AUDIT_EVENTS).optional(),
	user_id: z
		.string()
		.transform((text, context) => {
			const id = parseId(text);
			if (id !== undefined) return id;
			context.addIssue({code: 'custom', message: 'must be the id of a user'});
			return z.NEVER;
		})
		.optional(),
});

export const AuditEntryOnWire = z.object({
	id: z.string(),
	event: z.enum(AUDIT_EVENTS),
	ts: z.number(),
	organisation_id: z.string().nullable(),
	user_id: z.string().nullable(),
	credential: z.string().nullable(),
	credential_id: z.string().nullable(),
	remote_address: z.string(),
	resource_id: z.string().nullable(),
	details: z.record(z.string(), z.unknown()),
});

export function auditEntryToWire(entry: StoredAuditEntry): z.output<typeof AuditEntryOnWire> {
	const text = (id: number | null) => (id === null ? null : String(id));
	return {
		id: String(entry.id),
		event: entry.event,
		ts: entry.ts,
		organisation_id: text(entry.organisationId),
		user_id: text(entry.userId),
		credential: entry.credential,
		credential_id: entry.credentialId,
		remote_address: entry.remoteAddress,
		resource_id: entry.resourceId,
		details: entry.details,
	};
}
